"""The grammar of lines: clauses, both halves of ALU instructions, fetches.

The comment above a rule is an example of what it reads.  Mnemonics, their numbers of sources and the options come from
tables.  After a `-` nothing else can be meant: what does not fit there is the mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from typing import NamedTuple

from pyparsing import Empty, Group, Opt, ParserElement, Suppress

from glslc_multi.backends.xenos_family.isa import formats, instructions, names
from glslc_multi.backends.xenos_family.isa.asm import syntax
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.options import Option
from glslc_multi.compiler.isa.assembly import Language
from glslc_multi.compiler.isa.fields import Format
from glslc_multi.compiler.isa.grammar import any_of, by_shape, end_of_line, many, one_of, placed, rule
from glslc_multi.compiler.parsing import maybe, word

NAME = r"[A-Za-z_]\w*"
NUMBER = r"0[xX][0-9a-fA-F]+|-?[0-9]+"
SUFFIX = rf"(?P<suffix>{any_of(names.SUFFIXES)})?"
#: What a synchronised instruction begins with.
SYNC = r"(?P<sync>\(S\)\s*)?"


def choice(kind: str, rules: Iterable[ParserElement], known: Iterable[str]) -> ParserElement:
    """One of the rules for the known names of a kind."""
    what = f"an {kind}" if kind[0] in "ao" else f"a {kind}"
    return one_of(kind, what, rules, known, word(what, NAME))


def mnemonic(what: str, kind: str, known: Iterable[str], code: str = NUMBER, suffix: str = SUFFIX) -> ParserElement:
    """A name with its suffix, or a code such as `OP(30)` in its place."""
    # Of two names the longer one is meant.
    spelled = any_of(sorted(known, key=len, reverse=True), "")
    return word(what, rf"(?:(?P<name>{spelled})|{kind}\(\s*(?P<code>{code})\s*\)\s*){suffix}(?!\w)")


comma, equals, plus, left, right, opening, closing = (Suppress(mark) for mark in ",=+[]()")
minus, bar = word("'-'", "-"), word("'|'", r"\|")
number = word("a number", NUMBER)

# --- Options ----------------------------------------------------------------------------------------------------------

value = word("a name or a number", r"-?\w+")


def _arguments(option: Option) -> ParserElement:
    """What follows the name of an option."""
    if not option.fields:
        return Empty()
    first = value if option.values else number
    following = (comma - first) * (len(option.fields) - 1)
    return opening - first - (Opt(following) if option.packed else following) - closing


def options(known: Mapping[str, Option]) -> ParserElement:
    """The options of a format, up to the end of the line."""
    shapes = {name: (len(option.fields), bool(option.values), option.packed) for name, option in known.items()}
    rules = [
        rule(
            "an option",
            word("an option", any_of(spelled)) - _arguments(known[spelled[0]]),
            lambda name, *arguments: syntax.OptionUse(name, list(arguments)),
        )
        for spelled in by_shape(shapes).values()
    ]
    return many(~end_of_line - choice("option", rules, known)).set_name("options")


# --- Registers --------------------------------------------------------------------------------------------------------


def register(what: str, banks: str) -> ParserElement:
    """`R12` or `R[aL + 12]`"""
    direct = word(what, rf"(?P<bank>{banks})(?P<number>(?=[0-9])(?:{NUMBER}))").add_parse_action(
        lambda tokens: syntax.Register(tokens[0], None, None, tokens[0].span())
    )
    relative = left - word("a0 or aL", "a0|aL") - plus - number - word("']'", r"\]")
    indirect = placed(
        what,
        word(what, rf"(?P<bank>{banks})(?=\[)") - relative,
        lambda bank, base, number, _, place: syntax.Register(bank, base, number, place),
    )
    return (direct | indirect).set_name(what)


def letters(what: str, pattern: str) -> ParserElement:
    return word(what, rf"\.(?P<letters>{pattern})(?!\w)")


# --- Instructions -----------------------------------------------------------------------------------------------------

# R1.xy__
destination = rule(
    "a destination",
    register("a destination", "export|R") + maybe(letters("a mask", "[x_][y_][z_][w_]")),
    syntax.Destination,
)
body = register("a source", "[RC]") + maybe(letters("a swizzle", "[xyzw]{4}"))
plain = placed("a source", maybe(minus) + body, lambda minus, *rest: syntax.Source(minus, None, *rest))
# -|R1.xyzw|
absolute = placed("a source", maybe(minus) + bar - body - bar.copy().suppress(), syntax.Source)
source = (plain | absolute).set_name("a source")
clamp = maybe(word("'CLAMP'", r"CLAMP\b"))


def half(name: ParserElement, sources: int) -> ParserElement:
    """One operation: its name, where it writes, what it reads."""
    operands = Group(source - (comma - source) * (sources - 1), aslist=True)
    return rule("an operation", name - destination - equals - operands - clamp, syntax.Half)


def vector(sources: int) -> ParserElement:
    """The vector operations with so many sources; those without a name have two."""
    rows = [row for row in instructions.VECTOR_OPERATIONS if row.sources == sources]
    codes = NUMBER if sources == 2 else "|".join(rf"0[xX]0*{row.code:x}|0*{row.code}" for row in rows)
    return half(mnemonic("an operation", "OP", [row.name for row in rows], codes), sources)


# WORDS(1, 2, 3)
dwords = formats.SLOT_SIZE // 32
raw = rule(
    "a raw word",
    word("'WORDS('", r"WORDS\(") - Group(number - (comma - number) * (dwords - 1), aslist=True) - closing,
    syntax.Raw,
)
#: The vector half of an ALU instruction.
alu = choice("operation", [raw, vector(3), vector(1), vector(2)], instructions.VECTOR_BY_NAME)
scalar_names = {**instructions.SCALAR_BY_NAME, **names.SCALAR_ALIASES}
#: The scalar half.
scalar = choice(
    "operation", [half(mnemonic("an operation", "OP", scalar_names, suffix=""), 1)], instructions.SCALAR_BY_NAME
)


class Grammar(NamedTuple):
    """The grammar of a machine's lines, each to its end."""

    language: Language
    clause_line: ParserElement
    instruction_line: ParserElement
    #: Without what says their kind.
    alu_line: ParserElement
    fetch_line: ParserElement
    #: The scalar half of the ALU instruction in the line before.
    scalar_line: ParserElement


@lru_cache
def grammar_of(isa: InstructionSet) -> Grammar:
    """The lines of a machine, whose clauses and fetches have options of their own."""
    layouts = isa.formats
    found = [
        raw,
        _fetch_of(isa, layouts.vertex, letters("one component", "[xyzw]")),
        _fetch_of(isa, layouts.texture, letters("three components", "[xyzw]{3}")),
    ]
    clause, fetch = _clause(isa), choice("fetch", found, isa.fetch_by_name)
    # (S)ALU: MAXv R0 = R1, R2
    instruction = rule("an instruction", word("'ALU:'", f"{SYNC}ALU:") - alu, syntax.Instruction) | rule(
        "an instruction", word("'FETCH:'", f"{SYNC}FETCH:") - fetch, syntax.Instruction
    )
    return Grammar(
        Language(isa.name, comment=re.compile(";.*")),
        clause - end_of_line,
        instruction - end_of_line,
        alu - end_of_line,
        fetch - end_of_line,
        scalar - end_of_line,
    )


# --- Fetches ----------------------------------------------------------------------------------------------------------


def _fetch_of(isa: InstructionSet, layout: Format, coordinates: ParserElement) -> ParserElement:
    """The fetches of a format."""
    rows = [row for row in isa.fetches if row.format is layout]
    is_texture = layout is isa.formats.texture
    codes = NUMBER if is_texture else "|".join(rf"0[xX]0*{row.code:x}|0*{row.code}" for row in rows)
    return rule(
        "a fetch",
        mnemonic("a fetch", "TEX_OP", [row.name for row in rows], codes)
        - register("a register", "R")
        - letters("four letters of xyzw01_", "[xyzw01_]{4}")
        - equals
        - register("a register", "R")
        - coordinates
        - options(isa.options[layout.name]),
        partial(syntax.Fetch, layout),
    )


# --- Clauses ----------------------------------------------------------------------------------------------------------

# CLAUSE(0x1001)
raw_clause = rule(
    "a raw clause",
    word("'CLAUSE'", r"CLAUSE\b") - opening - Group(number, aslist=True) - closing,
    syntax.Raw,
)


def _clause(isa: InstructionSet) -> ParserElement:
    # EXEC ADDR(0x2) CNT(0x1)
    layouts = {row.format.name: row.format for row in isa.clauses}
    return choice("clause", [raw_clause, *(_clause_of(isa, layout) for layout in layouts.values())], isa.clause_by_name)


def _clause_of(isa: InstructionSet, layout: Format) -> ParserElement:
    """The clauses of a format."""
    rows = [row.name for row in isa.clauses if row.format is layout]
    buffer = word("a buffer", "NO ALLOC|[A-Z/]+") if layout is isa.formats.alloc else Empty()
    return rule(
        "a clause",
        word("a clause", any_of(rows)) - buffer - options(isa.options[layout.name]),
        lambda name, *rest: syntax.Clause(name, rest[-1], *rest[:-1]),
    )
