"""Texture memory: 2^32 words, of which few are not 0, as pages that lanes read.

The directory has the number of the page of each 2^16 addresses; page 0, which all others share, has zeros.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Lanes

if TYPE_CHECKING:
    from glslc_multi.compiler.arithmetic.lanes import Array

#: Keys of the inputs.
_DIRECTORY, _PAGES = "directory", "pages"
#: Bits of an address within a page.
_BITS = 16
_SIZE = 1 << _BITS
#: Bytes of a word, as bits of an address.
_BYTE_BITS = 2

Memory = Mapping[str, bytes]


def texture_memory(addresses: Array, words: Array) -> Memory:
    """Words (int32) at addresses from 0 to 2^32 - 1, as inputs of a run."""
    import numpy as np

    numbers, places = np.unique(addresses >> _BITS, return_inverse=True)
    directory, pages = np.zeros(_SIZE, np.int32), np.zeros((len(numbers) + 1, _SIZE), np.int32)
    directory[numbers] = np.arange(1, len(numbers) + 1)
    pages[places + 1, addresses & _SIZE - 1] = words
    return {_DIRECTORY: directory.tobytes(), _PAGES: pages.tobytes()}


@lru_cache(maxsize=1)
def no_texture() -> Memory:
    """Zeros."""
    import numpy as np

    return texture_memory(np.zeros(0, np.int64), np.zeros(0, np.int32))


def texel(lanes: Lanes, address: Number) -> Number:
    """The word at each lane's own address."""
    a = lanes.operations
    high, low = a.shr(address, a.iconst(_BITS)), a.bits_and(address, a.iconst(_SIZE - 1))
    page = a.extended(lanes.load(_DIRECTORY, _in_bytes(a.extended(high), lanes), "i32"))
    word = a.bits_or(a.shl(page, a.lconst(_BITS)), a.extended(low))
    return lanes.load(_PAGES, _in_bytes(word, lanes), "i32")


def _in_bytes(word: Number, lanes: Lanes) -> Number:
    return lanes.operations.shl(word, lanes.operations.lconst(_BYTE_BITS))
