"""Programs as the vendor's assembler wrote them, and as Xenia's disassembler writes them: text for reading.

It says less than the words do: addresses of clauses, hints for the hardware and swizzles of what nothing reads are not
in it.  What assembles again is the text of the family (`disasm.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos_family.isa import formats, instructions
from glslc_multi.backends.xenos_family.isa.instructions import COMPONENTS
from glslc_multi.backends.xenos_family.isa.operands import Instruction, Source, decode_alu
from glslc_multi.backends.xenos_family.isa.program import Issue, Program, issues_of
from glslc_multi.backends.xenos_family.isa.registers import DEPTH, FIRST_MEMORY, POINT_SIZE, POSITION, Stage
from glslc_multi.compiler.isa.fields import to_words

Fields = Mapping[str, int]

# --- Names ------------------------------------------------------------------------------------------------------------

_RELATIONS = {"E": "eq", "NE": "ne", "GT": "gt", "GTE": "ge"}
_VECTOR = dict(
    zip(
        (row.name for row in instructions.VECTOR_OPERATIONS),
        "add mul max min seq sgt sge sne frc trunc floor mad cndeq cndge cndgt dp4 dp3 dp2add cube max4 setp_eq_push "
        "setp_ne_push setp_gt_push setp_ge_push kill_eq kill_gt kill_ge kill_ne dst maxa".split(),
        strict=True,
    )
)
_SCALAR = dict(
    zip(
        (row.name for row in instructions.SCALAR_OPERATIONS),
        "adds adds_prev muls muls_prev muls_prev2 maxs mins seqs sgts sges snes frcs truncs floors exp logc log rcpc "
        "rcpf rcp rsqc rsqf rsq maxas maxasf subs subs_prev setp_eq setp_ne setp_gt setp_ge setp_inv setp_pop setp_clr "
        "setp_rstr kills_eq kills_gt kills_ge kills_ne kills_one sqrt mulsc mulsc addsc addsc subsc subsc sin cos "
        "retain_prev".split(),
        strict=True,
    )
)
#: Scalar operations that read nothing.
_WITHOUT_SOURCE = ("PRED_SET_CLRs", "RETAIN_PREV")
_CLAUSES = {
    "NOP": "cnop",
    "RETURN": "ret",
    "MARK_VS_FETCH_DONE": "",
}
_FETCHES = {
    "SAMPLE": "tfetch",
    "GET_BORDER_FRAC": "getBCF",
    "GET_COMP_LOD": "getCompTexLOD",
    "GET_GRADIENTS": "getGradients",
    "GET_WEIGHTS": "getWeights",
    "SET_TEX_LOD": "setTexLOD",
    "SET_GRADIENTS_H": "setGradientH",
    "SET_GRADIENTS_V": "setGradientV",
}
_DIMENSIONS = ("1D", "2D", "3D", "Cube")
#: Coordinates of a fetch: by its dimension, but for some.
_COORDINATES = (1, 2, 3, 3)
_OWN_COORDINATES = {"GET_GRADIENTS": 2, "SET_TEX_LOD": 1, "SET_GRADIENTS_H": 3, "SET_GRADIENTS_V": 3}
#: Fetches that set what others read.
_WITHOUT_RESULT = ("SET_TEX_LOD", "SET_GRADIENTS_H", "SET_GRADIENTS_V")
_FILTERS = ("point", "linear", "basemap")
_ANISOTROPIES = ("disabled", "max1to1", "max2to1", "max4to1", "max8to1", "max16to1")
_FORMATS = {
    6: "8_8_8_8",
    7: "2_10_10_10",
    16: "10_11_11",
    17: "11_11_10",
    25: "16_16",
    26: "16_16_16_16",
    31: "16_16_FLOAT",
    32: "16_16_16_16_FLOAT",
    33: "32",
    34: "32_32",
    35: "32_32_32_32",
    36: "32_FLOAT",
    37: "32_32_FLOAT",
    38: "32_32_32_32_FLOAT",
    57: "32_32_32_FLOAT",
}
#: The number of a vertex constant counts from the last one.
_LAST_VERTEX_CONSTANT = 95

# --- Programs ---------------------------------------------------------------------------------------------------------


def write_program(program: Program, stage: Stage) -> Iterator[str]:
    """The lines of a program."""
    decoded = [XENOS.decode_clause(word) for word in program.clauses]
    targets = {fields["addr"] for row, fields in decoded if row.kind in ("loop", "jump") and row.name != "RETURN"}
    for number, word in enumerate(program.clauses):
        if number in targets:
            yield f"label L{number}"
        if line := write_clause(word, stage):
            yield line
        for issue in issues_of(XENOS, number, word):
            yield from _instruction(program, issue, stage)


def _instruction(program: Program, issue: Issue, stage: Stage) -> Iterator[str]:
    word = program.instruction(issue.slot)
    if word is not None:
        yield from write_instruction(word, issue.is_fetch, issue.sync, stage)


def write_instruction(word: int, is_fetch: bool, sync: bool, stage: Stage) -> Iterator[str]:
    """The lines of an instruction."""
    if sync:
        yield "serialize"
    yield from [_fetch(word)] if is_fetch else _alu(word, stage)


# --- Clauses ----------------------------------------------------------------------------------------------------------


def write_clause(word: int, stage: Stage) -> str:
    """The line of a clause; some have none."""
    row, fields = XENOS.decode_clause(word)
    match row.kind:
        case "exec":
            return _exec(row.name, row.condition, row.ends, fields)
        case "loop":
            return _loop(row.name, fields)
        case "alloc":
            return _alloc(fields, stage)
        case "jump" if row.name != "RETURN":
            return _jump("call" if row.name == "COND_CALL" else "jmp", fields)
    return _CLAUSES[row.name]


def _exec(name: str, condition: str, ends: bool, fields: Fields) -> str:
    verb = "exece" if ends else "exec"
    option = "Yield=true" if fields["yield"] else ""
    if condition == "bool":
        text = f"c{verb} {_bool(fields)}" + (f", {option}" if option else "")
    else:
        start = _predicate(fields["condition"]) if condition else ""
        text = start + verb + (f" {option}" if option else "")
    is_clean = "PRED_CLEAN" in name or fields.get("pred_clean")
    return text if is_clean else f"{text} // PredicateClean=false"


def _loop(name: str, fields: Fields) -> str:
    if name == "LOOP_START":
        return f"loop i{fields['loop_id']}, L{fields['addr']}" + (", Repeat=true" if fields["repeat"] else "")
    start = _predicate(fields["condition"]) if fields["pred_break"] else ""
    return f"{start}endloop i{fields['loop_id']}, L{fields['addr']}"


def _jump(verb: str, fields: Fields) -> str:
    target = f"L{fields['addr']}"
    if fields["force_call"]:
        return f"{verb} {target}"
    if fields["predicated_jmp"]:
        return f"{_predicate(fields['condition'])}{verb} {target}"
    return f"c{verb} {_bool(fields)}, {target}"


def _alloc(fields: Fields, stage: Stage) -> str:
    parameters = "interpolators" if stage == "vertex" else "colors"
    return "alloc " + ("none", "position", parameters, f"export = {fields['size']}")[fields["buffer"]]


def _bool(fields: Fields) -> str:
    return f"{'' if fields['condition'] else '!'}b{fields['bool_addr']}"


def _predicate(condition: int) -> str:
    return "(p0) " if condition else "(!p0) "


# --- ALU --------------------------------------------------------------------------------------------------------------


def _alu(word: int, stage: Stage) -> Iterator[str]:
    instruction = decode_alu(word)
    if instruction is None:
        yield "WORDS " + " ".join(f"{dword:08x}" for dword in to_words(word, formats.SLOT_SIZE))
        return
    fields = instruction.fields
    start = _predicate(fields["pred_condition"]) if fields["predicated"] else ""
    has_vector, has_scalar = not _is_idle_vector(instruction), not _is_idle_scalar(instruction)
    if has_vector:
        yield f"{start}{_vector(instruction, stage)}"
    if has_scalar:
        yield f"{'+ ' if has_vector else ''}{start}{_scalar(instruction, stage)}"
    if not has_vector and not has_scalar:
        yield f"{start}nop"


def _is_idle_vector(instruction: Instruction) -> bool:
    fields = instruction.fields
    constants = fields["export"] and (fields["scalar_dest_rel"] or fields["vector_mask"] & fields["scalar_mask"])
    is_default = instruction.vector.name == "MAXv" and not fields["vector_mask"] and not fields["vector_clamp"]
    if not is_default or constants or len(set(instruction.vector_sources)) > 1:
        return False
    # Of an export where both are idle, the vector half says that it is one.
    return not (fields["export"] and _is_idle_scalar(instruction))


def _is_idle_scalar(instruction: Instruction) -> bool:
    fields = instruction.fields
    is_default = instruction.scalar.name == "RETAIN_PREV" and not fields["scalar_clamp"]
    return is_default and not _scalar_mask(fields)


def _vector(instruction: Instruction, stage: Stage) -> str:
    fields = instruction.fields
    letters = ["_"] * len(COMPONENTS)
    for number, letter in enumerate(COMPONENTS):
        in_vector, in_scalar = (fields[f"{half}_mask"] >> number & 1 for half in ("vector", "scalar"))
        if in_vector:
            letters[number] = "1" if fields["export"] and in_scalar else letter
        elif fields["export"] and fields["scalar_dest_rel"] and not in_scalar:
            letters[number] = "0"
    target = _destination("vector", fields, "".join(letters), stage)
    sources = ", ".join(_source(source, _swizzle(source)) for source in instruction.vector_sources)
    return f"{_VECTOR[instruction.vector.name]}{_saturated('vector', fields)} {target}, {sources}"


def _scalar(instruction: Instruction, stage: Stage) -> str:
    fields, row = instruction.fields, instruction.scalar
    mask = _scalar_mask(fields)
    letters = "".join(letter if mask >> number & 1 else "_" for number, letter in enumerate(COMPONENTS))
    target = _destination("scalar", fields, letters, stage)
    text = f"{_SCALAR[row.name]}{_saturated('scalar', fields)} {target}"
    if row.name in _WITHOUT_SOURCE:
        return text
    if row.of_constant:
        pair = instruction.scalar_sources
        sources: Iterable[str] = (_source(source, f".{COMPONENTS[source.components[0]]}") for source in pair)
    else:
        (source,) = instruction.scalar_sources
        read = "".join(COMPONENTS[component] for component in source.components[: row.sources])
        sources = (_source(source, f".{read}"),)
    return f"{text}, {', '.join(sources)}"


def _scalar_mask(fields: Fields) -> int:
    """The components that are the scalar half's alone; those of an export that both write are 1.0."""
    return fields["scalar_mask"] & ~(fields["vector_mask"] if fields["export"] else 0)


def _saturated(half: str, fields: Fields) -> str:
    return "_sat" if fields[f"{half}_clamp"] else ""


def _destination(half: str, fields: Fields, letters: str, stage: Stage) -> str:
    if fields["export"]:
        name = _export(fields["vector_dest"], stage)
    else:
        name = _register(fields[f"{half}_dest"], fields[f"{half}_dest_rel"])
    return _masked(name, letters)


def _masked(name: str, letters: str) -> str:
    if letters == COMPONENTS:
        return name
    return f"{name}._" if letters == "____" else f"{name}.{letters}"


def _export(number: int, stage: Stage) -> str:
    named = {FIRST_MEMORY: "eA", DEPTH: "oDepth", POSITION: "oPos", POINT_SIZE: "oPts"}
    if number in named:
        return named[number]
    if number < FIRST_MEMORY:
        return f"o{number}" if stage == "vertex" else f"oC{number}"
    return f"eM{number - FIRST_MEMORY - 1}"


def _register(number: int, relative: int) -> str:
    return f"r[{number}+aL]" if relative else f"r{number}"


def _source(source: Source, swizzle: str) -> str:
    name = ("r" if source.is_register else "c") + ("_abs" if source.is_absolute else "")
    is_plain = not source.relative_to and not source.is_absolute
    base = f"+{source.relative_to}" if source.relative_to else ""
    number = str(source.number) if is_plain else f"[{source.number}{base}]"
    return f"{'-' if source.is_negated else ''}{name}{number}{swizzle}"


def _swizzle(source: Source) -> str:
    letters = "".join(COMPONENTS[component] for component in source.components)
    return "" if letters == COMPONENTS else f".{letters}"


# --- Fetches ----------------------------------------------------------------------------------------------------------


def _fetch(word: int) -> str:
    row, fields = XENOS.decode_fetch(word)
    start = _predicate(fields["pred_condition"]) if fields["predicated"] else ""
    if row is None:
        return f"{start}opcode_{fields['opcode']}"
    return start + (_vertex(fields) if row.kind == "vertex" else _texture(row.name, fields))


def _vertex(fields: Fields) -> str:
    words = [_result(fields)]
    if not fields["mini"]:
        constant = _LAST_VERTEX_CONSTANT - (3 * fields["const_index"] + fields["const_index_sel"])
        index = f"{_register(fields['src_reg'], fields['src_rel'])}.{COMPONENTS[fields['src_chan']]}"
        words += [index, f"vf{constant}"]
    options = {
        "RoundIndex": "true" if fields["round_index"] else "",
        "ExpAdjust": fields["exp_adjust"],
        "Offset": fields["offset"],
        "DataFormat": f"FMT_{_FORMATS[fields['format']]}" if fields["format"] in _FORMATS else "",
        "Stride": "" if fields["mini"] else fields["stride"],
        "Signed": "true" if fields["signed"] else "",
        "NumFormat": "integer" if fields["num_format"] else "",
        "PrefetchCount": fields["prefetch"] + 1 if fields["prefetch"] else "",
    }
    return _joined("vfetch_mini" if fields["mini"] else "vfetch_full", words, options)


def _texture(name: str, fields: Fields) -> str:
    dimension = fields["dimension"]
    count = _OWN_COORDINATES.get(name, _COORDINATES[dimension])
    read = "".join(COMPONENTS[fields["src_swizzle"] >> 2 * slot & 3] for slot in range(count))
    words = [f"{_register(fields['src_reg'], fields['src_rel'])}.{read}"]
    verb = _FETCHES[name]
    if name in _WITHOUT_RESULT:
        return _joined(verb, words, {})
    kind = "" if name == "GET_GRADIENTS" else _DIMENSIONS[dimension]
    words = [_result(fields), *words, f"tf{fields['const_index']}"]
    return _joined(verb + kind, words, {**_texture_options(fields), **_offsets(fields)})


def _texture_options(fields: Fields) -> dict[str, str]:
    def named(field: str, names: tuple[str, ...]) -> str:
        return names[fields[field]] if fields[field] < len(names) else ""

    bias = fields["lod_bias"]
    return {
        "FetchValidOnly": "" if fields["fetch_valid_only"] else "false",
        "UnnormalizedTextureCoords": "true" if fields["denorm"] else "",
        "MagFilter": named("mag", _FILTERS),
        "MinFilter": named("min", _FILTERS),
        "MipFilter": named("mip", _FILTERS),
        "AnisoFilter": named("aniso", _ANISOTROPIES),
        "VolMagFilter": named("vol_mag", _FILTERS),
        "VolMinFilter": named("vol_min", _FILTERS),
        "UseComputedLOD": "" if fields["comp_lod"] else "false",
        "UseRegisterLOD": "true" if fields["reg_lod"] else "",
        "UseRegisterGradients": "true" if fields["reg_gradients"] else "",
        "LODBias": f"{_signed(bias, 7) / 16:g}" if bias else "",
    }


#: Offsets that each kind of texture has.
_OFFSETS = ("X", "XY", "XYZ", "XYZ")


def _offsets(fields: Fields) -> dict[str, str]:
    found = {letter: _signed(fields[f"off_{letter.lower()}"], 5) / 2 for letter in _OFFSETS[fields["dimension"]]}
    return {f"Offset{letter}": f"{offset:g}" for letter, offset in found.items() if offset}


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 else value


def _result(fields: Fields) -> str:
    letters = "".join("xyzw01?_"[fields["dst_swizzle"] >> 3 * slot & 7] for slot in range(len(COMPONENTS)))
    return _masked(_register(fields["dst_reg"], fields["dst_rel"]), letters)


def _joined(verb: str, words: list[str], options: Mapping[str, object]) -> str:
    return f"{verb} " + ", ".join([*words, *(f"{name}={value}" for name, value in options.items() if value)])
