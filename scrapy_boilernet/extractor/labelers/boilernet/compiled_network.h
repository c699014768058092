/* The loops of the network, for the instructions that the processor has.

Each sum has the order of the inputs, and no fused operations. So it is the same on all processors,
and for any number of rows that are computed together.
*/

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(_MSC_VER)
#define INLINE static __forceinline
#define RESTRICT __restrict
#else
#define INLINE static inline __attribute__((always_inline))
#define RESTRICT restrict
#endif

/* Sums that registers hold at once: COLUMNS columns of ROWS rows, or GROUPS times as many of one. */
#define COLUMNS 32
#define ROWS 4
#define GROUPS 3
/* Blocks whose inputs are multiplied before the states are: their products stay in the cache. */
#define BLOCKS 32

/* exp(-x), off by 2e-7 of it at most, for x in [-30, 30]; as of their end beyond: 2^n times a Taylor
sum around 0. */
INLINE float exp_of_minus(float x)
{
    const float most = 30.0f, shift = 12582912.0f; /* 1.5 * 2^23, which rounds to an integer */
    float shifted, n, rest, power, sum;
    int bits;
    x = x < most ? x : most;
    x = x > -most ? x : -most;
    shifted = x * -1.44269504f + shift;
    n = shifted - shift;
    rest = -x - n * 0.693359375f + n * 2.12194440e-4f; /* -x - n * ln 2, in two steps */
    memcpy(&bits, &shifted, sizeof bits);
    bits = (int)((unsigned)(bits + 127) << 23);
    memcpy(&power, &bits, sizeof power);
    sum = 1.0f / 5040;
    sum = sum * rest + 1.0f / 720;
    sum = sum * rest + 1.0f / 120;
    sum = sum * rest + 1.0f / 24;
    sum = sum * rest + 1.0f / 6;
    sum = sum * rest + 0.5f;
    sum = sum * rest + 1.0f;
    sum = sum * rest + 1.0f;
    return sum * power;
}

/* sigmoid(gate) * tanh(x), with one division. */
INLINE float gated(float gate, float x)
{
    const float fall = exp_of_minus(2.0f * x);
    return (1.0f - fall) / ((1.0f + exp_of_minus(gate)) * (1.0f + fall));
}

/* out = bias + x @ weights, for `rows` rows and `groups` groups of columns. */
INLINE void product(const float *RESTRICT x, int rows, ptrdiff_t width,
                    const float *RESTRICT weights, const float *RESTRICT bias,
                    float *RESTRICT out, ptrdiff_t columns, int groups)
{
    float sums[ROWS][GROUPS][COLUMNS];
    for (int row = 0; row < rows; row++)
        for (int group = 0; group < groups; group++)
            for (int column = 0; column < COLUMNS; column++)
                sums[row][group][column] = bias[group * COLUMNS + column];
    for (ptrdiff_t k = 0; k < width; k++) {
        const float *RESTRICT from = weights + k * columns;
        for (int row = 0; row < rows; row++) {
            const float factor = x[row * width + k];
            for (int group = 0; group < groups; group++)
                for (int column = 0; column < COLUMNS; column++)
                    sums[row][group][column] += factor * from[group * COLUMNS + column];
        }
    }
    for (int row = 0; row < rows; row++)
        for (int group = 0; group < groups; group++)
            for (int column = 0; column < COLUMNS; column++)
                out[row * columns + group * COLUMNS + column] = sums[row][group][column];
}

/* The same for all columns. */
INLINE void products(const float *RESTRICT x, int rows, ptrdiff_t width,
                     const float *RESTRICT weights, const float *RESTRICT bias,
                     float *RESTRICT out, ptrdiff_t columns)
{
    ptrdiff_t at = 0;
    if (rows == 1)
        for (; at + GROUPS * COLUMNS <= columns; at += GROUPS * COLUMNS)
            product(x, rows, width, weights + at, bias + at, out + at, columns, GROUPS);
    for (; at + COLUMNS <= columns; at += COLUMNS)
        product(x, rows, width, weights + at, bias + at, out + at, columns, 1);
    for (; at < columns; at++)
        for (int row = 0; row < rows; row++) {
            float sum = bias[at];
            for (ptrdiff_t k = 0; k < width; k++)
                sum += x[row * width + k] * weights[k * columns + at];
            out[row * columns + at] = sum;
        }
}

INLINE void all_rows(const float *RESTRICT x, ptrdiff_t rows, ptrdiff_t width,
                     const float *RESTRICT weights, const float *RESTRICT bias,
                     float *RESTRICT out, ptrdiff_t columns)
{
    ptrdiff_t row = 0;
    for (; row + ROWS <= rows; row += ROWS)
        products(x + row * width, ROWS, width, weights, bias, out + row * columns, columns);
    for (; row < rows; row++)
        products(x + row * width, 1, width, weights, bias, out + row * columns, columns);
}

typedef struct {
    const float *x;
    ptrdiff_t blocks, width;
    const float *weights, *bias, *recurrent;
    ptrdiff_t hidden;
    float *out; /* a block's states; the next block's are `stride` numbers further */
    ptrdiff_t stride;
    int is_backward;
    float *scratch; /* (BLOCKS + 1) * 4 * hidden + 2 * hidden numbers */
} Direction;

INLINE void run_direction(const Direction *given)
{
    const Direction lstm = *given;
    const ptrdiff_t hidden = lstm.hidden, gates = 4 * hidden;
    float *RESTRICT inputs = lstm.scratch, *RESTRICT sums = inputs + BLOCKS * gates;
    float *RESTRICT state = sums + gates, *RESTRICT cell = state + hidden;
    const float *enter = sums, *forget = enter + hidden, *candidate = forget + hidden;
    const float *leave = candidate + hidden;
    memset(state, 0, 2 * hidden * sizeof *state);
    for (ptrdiff_t done = 0; done < lstm.blocks; done += BLOCKS) {
        const ptrdiff_t left = lstm.blocks - done, count = left < BLOCKS ? left : BLOCKS;
        const ptrdiff_t first = lstm.is_backward ? left - count : done;
        all_rows(lstm.x + first * lstm.width, count, lstm.width, lstm.weights, lstm.bias, inputs,
                 gates);
        for (ptrdiff_t step = 0; step < count; step++) {
            const ptrdiff_t block = lstm.is_backward ? count - 1 - step : step;
            products(state, 1, hidden, lstm.recurrent, inputs + block * gates, sums, gates);
            for (ptrdiff_t i = 0; i < hidden; i++) {
                cell[i] = cell[i] / (1.0f + exp_of_minus(forget[i])) + gated(enter[i], candidate[i]);
                state[i] = gated(leave[i], cell[i]);
            }
            memcpy(lstm.out + (first + block) * lstm.stride, state, hidden * sizeof *state);
        }
    }
}

typedef struct {
    const float *x;
    ptrdiff_t rows, width;
    const float *weights, *bias;
    float *out;
    ptrdiff_t columns;
} Affine;

INLINE void run_affine(const Affine *given)
{
    all_rows(given->x, given->rows, given->width, given->weights, given->bias, given->out,
             given->columns);
}

static void plain_direction(const Direction *given) { run_direction(given); }
static void plain_affine(const Affine *given) { run_affine(given); }

/* Clang's code for wider registers is slower than that for narrow ones. */
#if defined(__GNUC__) && __GNUC__ >= 11 && !defined(__clang__) && defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))
#define WITH_AVX512 \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,prefer-vector-width=512")))
WITH_AVX2 static void avx2_direction(const Direction *given) { run_direction(given); }
WITH_AVX2 static void avx2_affine(const Affine *given) { run_affine(given); }
WITH_AVX512 static void avx512_direction(const Direction *given) { run_direction(given); }
WITH_AVX512 static void avx512_affine(const Affine *given) { run_affine(given); }

/* Which of the three the processor can run: 0, 1 (AVX2) or 2 (AVX-512). */
static int best_instructions(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return 2;
    return __builtin_cpu_supports("avx2") ? 1 : 0;
}

static void direction(const Direction *given, int instructions)
{
    (instructions == 2 ? avx512_direction : instructions ? avx2_direction : plain_direction)(given);
}

static void affine(const Affine *given, int instructions)
{
    (instructions == 2 ? avx512_affine : instructions ? avx2_affine : plain_affine)(given);
}
#else
static int best_instructions(void) { return 0; }

static void direction(const Direction *given, int instructions)
{
    (void)instructions;
    plain_direction(given);
}

static void affine(const Affine *given, int instructions)
{
    (void)instructions;
    plain_affine(given);
}
#endif
