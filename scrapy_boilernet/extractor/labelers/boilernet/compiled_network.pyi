from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]

def multiply(x: Floats, weights: Floats, bias: Floats, out: Floats) -> None: ...
def run_lstm(
    x: Floats,
    weights: Floats,
    bias: Floats,
    recurrent: Floats,
    out: Floats,
    is_backward: bool,
) -> None: ...
