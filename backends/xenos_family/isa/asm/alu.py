"""The lines of an ALU instruction, one for each half, to its word."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.xenos_family.isa import formats, instructions, names
from glslc_multi.backends.xenos_family.isa.asm.grammar import grammar_of
from glslc_multi.backends.xenos_family.isa.asm.syntax import Destination, Half, Raw, Source
from glslc_multi.backends.xenos_family.isa.asm.values import LAST_REGISTER, number_and_base, predicate_of, raw_word
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.registers import CONSTANTS
from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.grammar import parse
from glslc_multi.compiler.isa.mistakes import Place, Word, not_encodable
from glslc_multi.compiler.isa.numbers import in_range
from glslc_multi.compiler.records import dataclass

_LAST_CONSTANT = CONSTANTS - 1
#: Number of sources of a vector operation -> their fields, in the order of text: the third source comes first.
_ORDER = {1: ("src1",), 2: ("src1", "src2"), 3: ("src3", "src1", "src2")}


@dataclass(frozen=True, slots=True)
class _Source:
    """A source as written."""

    byte: int
    bank: int
    swizzle: int
    negate: int
    #: What its constant's number is relative to.
    base: str
    place: Place


class AluLines:
    """An ALU instruction, from its vector line and perhaps a scalar line."""

    def __init__(self, isa: InstructionSet, vector: Half | Raw) -> None:
        self._isa = isa
        self._fields: dict[str, int] = {}
        self._sources: dict[str, _Source] = {}
        self._word = raw_word(vector) if isinstance(vector, Raw) else None
        if isinstance(vector, Half):
            self._fields["vector_op"] = _code(vector.name, {}, instructions.VECTOR_BY_NAME, "vector_op")
            self._fields.update(predicate_of(vector.name))
            self._destination(vector.destination, "vector")
            for name, source in zip(_ORDER[len(vector.sources)], vector.sources, strict=True):
                self._add_source(name, _source(source))
            if len(vector.sources) == 1:
                self._add_source("src2", self._sources["src1"])
            self._finish(vector, "vector")

    def add_scalar(self, line: Line) -> None:
        """The second half; raises `Mistake` if the first has used what it needs."""
        if self._word is not None or "scalar_op" in self._fields:
            raise line.unexpected("a clause or an instruction", line.indent)
        half: Half = parse(line, grammar_of(self._isa).scalar_line)
        self._fields["scalar_op"] = _code(half.name, names.SCALAR_ALIASES, instructions.SCALAR_BY_NAME, "scalar_op")
        exported = self._fields["export"]
        self._destination(half.destination, "scalar")
        if self._fields["export"] != exported:
            raise not_encodable("both halves write exports, or both write registers", line.place)
        self._add_source("src3", _source(half.sources[0]))
        self._finish(half, "scalar")

    def word(self) -> int:
        """The whole instruction."""
        if self._word is not None:
            return self._word
        fields = dict(self._fields)
        for name, source in self._sources.items():
            fields[name], fields[f"{name}_bank"] = source.byte, source.bank
            fields[f"{name}_swizzle"], fields[f"{name}_negate"] = source.swizzle, source.negate
        return self._isa.encode_alu(**fields, **_relative_flags(self._sources))

    def _destination(self, destination: Destination, half: str) -> None:
        register = destination.register
        self._fields["export"] = int(register.bank == "export")
        number, base = number_and_base(register, "register", LAST_REGISTER)
        if base == "a0" or (base and self._fields["export"]):
            raise not_encodable(
                "a destination can be relative to aL only, and no export can", register.word.span("bank")
            )
        # Where one half names the export for both, the other one's number is 0.
        is_named = half == "vector" or not self._fields["export"] or self._isa.both_name_exports
        self._fields[f"{half}_dest"] = number if is_named else 0
        if base:
            self._fields[f"{half}_dest_rel"] = 1
        letters = destination.mask["letters"] if destination.mask is not None else instructions.COMPONENTS
        self._fields[f"{half}_mask"] = sum(1 << bit for bit, letter in enumerate(letters) if letter != "_")

    def _add_source(self, name: str, source: _Source) -> None:
        earlier = self._sources.get(name)
        same = earlier is None or all(
            getattr(earlier, part) == getattr(source, part) for part in ("byte", "bank", "swizzle", "negate", "base")
        )
        if not same:
            raise not_encodable("the scalar operation reads the third source of the vector operation", source.place)
        self._sources.setdefault(name, source)

    def _finish(self, half: Half, name: str) -> None:
        if half.clamp is not None:
            self._fields[f"{name}_clamp"] = 1
        # Here, not in `word`, so that mistakes are in the line that is being read.
        _relative_flags(self._sources)


def _code(name: Word, aliases: Mapping[str, str], known: Mapping[str, instructions.Operation], field: str) -> int:
    """The code of an operation."""
    if name["name"] is not None:
        return known[aliases.get(name["name"], name["name"])].code
    return in_range(name, "the operation", *formats.ALU.by_name[field].range, group="code")


def _relative_flags(sources: Mapping[str, _Source]) -> dict[str, int]:
    """The flags of relative constants, which several constants share; the third source comes last."""
    banks = {f"{name}_bank": sources[name].bank if name in sources else 0 for name in ("src1", "src2", "src3")}
    flags: dict[str, int] = {}
    bases: set[str] = set()
    for name, source in sorted(sources.items()):
        if source.bank:
            continue
        is_relative = int(bool(source.base))
        if flags.setdefault(formats.constant_flag(name, banks), is_relative) != is_relative:
            raise not_encodable("all constants after the first one are relative, or none is", source.place)
        bases |= {source.base} if source.base else set()
        if len(bases) > 1:
            raise not_encodable("constants of one instruction are relative to a0, or to aL", source.place)
    return {**flags, "const_rel_a0": int("a0" in bases)}


def _source(source: Source) -> _Source:
    is_register = source.register.bank == "R"
    if is_register:
        number, base = number_and_base(source.register, "register", LAST_REGISTER)
    else:
        number, base = number_and_base(source.register, "constant", _LAST_CONSTANT)
    if source.bar is not None and not is_register:
        raise not_encodable("a constant has no absolute value, a register has", source.place)
    if base == "a0" and is_register:
        raise not_encodable("a register can be relative to aL only", source.place)
    letters = source.swizzle["letters"] if source.swizzle is not None else instructions.COMPONENTS
    swizzle = sum((instructions.COMPONENTS.index(letter) - slot & 3) << 2 * slot for slot, letter in enumerate(letters))
    absolute = formats.ABSOLUTE if source.bar is not None else 0
    byte = number | absolute | (formats.RELATIVE if base and is_register else 0)
    negate = int(source.minus is not None)
    return _Source(byte, int(is_register), swizzle, negate, "" if is_register else base, source.place)
