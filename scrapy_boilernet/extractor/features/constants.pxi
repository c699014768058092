# Written by compiled_constants.py from the Python modules; do not change it here.

# scrapy_boilernet/extractor/features/words.py
cdef enum:
    PUNCTUATION = 1
    STOP = 2
    DIGIT = 4
    WORD = 8
    CAPITAL = 16
    SYMBOL = 32
    HIGH = 64
    UNSPACED = 128
    SINGLES_ABOVE = 0xe00

# scrapy_boilernet/extractor/features/texts.py
cdef enum:
    TOKENS_ROW = 0
    TOKEN_CHARS_ROW = 1
    SINGLES_ROW = 2
    PUNCTUATION_ROW = 3
    STOPS_ROW = 4
    DIGITS_ROW = 5
    CAPITALIZED_ROW = 6
    SYMBOLS_ROW = 7
    HIGH_ROW = 8
    ENDS_ROW = 9
    LOWER_ROW = 10
    IN_TITLE_ROW = 11
    IN_DESCRIPTION_ROW = 12
    IN_BODY_ROW = 13
    HAS_BODY_ROW = 14
    DATED_ROW = 15
    ADDRESSED_ROW = 16
    COUNTS = 17
    MAX_TEXT_CHARS = 2000
    HEAD_TOKENS = 32
    TAIL_TOKENS = 8
    MIN_CLAIM_TOKENS = 3
    ADDRESSES_LENGTH = 4
cdef const char *ADDRESSES[ADDRESSES_LENGTH]
ADDRESSES[0] = b"@"
ADDRESSES[1] = b"http:"
ADDRESSES[2] = b"https:"
ADDRESSES[3] = b"www."
