"""Files: what is written is read again, what the vendor's have in them, and what is no file."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.xenos.isa import container
from glslc_multi.backends.xenos.isa.container import Element, File, Interpolator
from glslc_multi.compiler.isa.container import BadContainer
from glslc_multi.compiler.records import replace

#: One interpolator of four components.
WORD = 1 | 1 << 5 | 4 << 10
CODE = bytes(range(1, 25))
VERTEX = File(
    "vertex",
    CODE,
    0x00010001,
    0,
    WORD,
    (Element(3, 0, 0), Element(4, 5, 1, 2)),
    (Interpolator(5, 0, 0, 15),),
    container.exports_of([[7, 9]]),
    floats=((250, (1, 2, 3, 4, 5, 6, 7, 8)), (255, (9, 10, 11, 12))),
    integers=((0x2320, (3,)), (0x2300, (1, 2))),
)
FRAGMENT = File("fragment", CODE, 0x10000100, 4, WORD, (), (Interpolator(5, 0, 0, 3),), (), 0x10001, 1)


WITHOUT_LITERALS = replace(VERTEX, floats=(), integers=())


#: As many as there are constants.
ALL_LITERALS = replace(FRAGMENT, floats=((256, tuple(range(1024))),))


@pytest.mark.parametrize("file", [VERTEX, FRAGMENT, WITHOUT_LITERALS, replace(VERTEX, floats=()), ALL_LITERALS])
def test_a_file_is_read_as_it_was_written(file: File) -> None:
    assert container.read(container.write(file)) == file


def test_the_header_names_the_parts() -> None:
    """Section 9.1 of the description: words of the header are big-endian."""
    data = container.write(replace(VERTEX, floats=VERTEX.floats[1:]))
    words = [int.from_bytes(data[at : at + 4], "big") for at in range(0, 36, 4)]
    magic, virtual, physical, nothing, names, literals, block, *rest = words
    assert (magic, nothing, names, literals, rest) == (0x102A1101, 0, 0, 36, [0, 0])
    assert virtual + physical == len(data)
    # Floats fill whole blocks of 64 bytes, code follows, its dwords turned.
    assert int.from_bytes(data[block : block + 4], "big") == 64
    assert data[virtual + 64 :] == b"".join(CODE[at : at + 4][::-1] for at in range(0, len(CODE), 4))


def test_exports_of_each_interpolator_end_with_a_flag() -> None:
    assert container.exports_of([[5, 8], [6]]) == (5, 8 | 1 << 12, 6 | 1 << 12)
    assert container.first_exports([[5, 8], [6]]) == [0, 2]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "0 bytes"),
        (b"\0" * 64, "it begins with 0x00000000"),
        (container.write(VERTEX)[:-4], "its code is"),
        (container.write(FRAGMENT)[:40], "its parts name byte"),
    ],
)
def test_what_is_no_file(data: bytes, message: str) -> None:
    with pytest.raises(BadContainer, match=message):
        container.read(data)


def test_a_table_of_unknown_meaning_is_refused() -> None:
    """Readers disagree where elements are unless there is one such table."""
    data = bytearray(container.write(WITHOUT_LITERALS))
    data[36 + 24 + 3] = 2
    with pytest.raises(BadContainer, match="2 tables of unknown meaning"):
        container.read(bytes(data))


def test_damaged_files_end_in_a_message() -> None:
    numbers = random.Random(1)
    for file in (VERTEX, FRAGMENT):
        for _ in range(2000):
            data = bytearray(container.write(file))
            for _ in range(numbers.randint(1, 4)):
                data[numbers.randrange(len(data))] = numbers.choice((0, 1, 255, numbers.randrange(256)))
            try:
                container.read(bytes(data[: numbers.choice((len(data), numbers.randrange(len(data))))]))
            except BadContainer:
                continue
