"""A fetch to its word."""

from __future__ import annotations

from glslc_multi.backends.xenos_family.isa import instructions, names
from glslc_multi.backends.xenos_family.isa.asm.options import fields_of
from glslc_multi.backends.xenos_family.isa.asm.syntax import Fetch, Raw, Register
from glslc_multi.backends.xenos_family.isa.asm.values import LAST_REGISTER, number_and_base, predicate_of, raw_word
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.compiler.isa.mistakes import Word, not_encodable
from glslc_multi.compiler.isa.numbers import in_range


def fetch_word(isa: InstructionSet, fetch: Fetch | Raw, first: bool) -> int:
    """The word of a fetch; `first` is true for the first instruction of a program."""
    if isinstance(fetch, Raw):
        return raw_word(fetch)
    fields = {"opcode": _code(isa, fetch), **predicate_of(fetch.name)}
    fields["dst_reg"], fields["dst_rel"] = _register(fetch.destination)
    fields["src_reg"], fields["src_rel"] = _register(fetch.source)
    fields["dst_swizzle"] = _packed(fetch.components, names.FETCH_COMPONENTS, 3)
    if fetch.layout is isa.formats.vertex:
        fields["src_chan"] = _packed(fetch.coordinates, instructions.COMPONENTS, 2)
        fields["num_format"] = 1
        fields |= isa.vertex_reserved(first)
    else:
        fields["src_swizzle"] = _packed(fetch.coordinates, instructions.COMPONENTS, 2)
    return fetch.layout.encode({**fields, **fields_of(isa, fetch.options, fetch.layout)})


def _code(isa: InstructionSet, fetch: Fetch) -> int:
    name = fetch.name
    if name["name"] is not None:
        return isa.fetch_by_name[name["name"]].code
    return in_range(name, "the operation", *fetch.layout.by_name["opcode"].range, group="code")


def _packed(components: Word, known: str, bits: int) -> int:
    """Letters as numbers of some bits, the first letter lowest."""
    letters = components["letters"]
    return sum(known.index(letter) << bits * slot for slot, letter in enumerate(letters))


def _register(register: Register) -> tuple[int, int]:
    number, base = number_and_base(register, "register", LAST_REGISTER)
    if base == "a0":
        raise not_encodable("a register can be relative to aL only", register.place)
    return number, int(bool(base))
