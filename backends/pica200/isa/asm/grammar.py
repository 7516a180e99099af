"""The grammar of a line: labels, then an instruction or a directive.

The comment above a rule is an example of what it reads.  Mnemonics and the operands that they take come from the
instruction table.  After a `-` nothing else can be meant: what does not fit there is the mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from operator import sub
from typing import Any

from pyparsing import Empty, NoMatch, Opt, ParserElement, Suppress

from glslc_multi.backends.pica200.isa.asm import syntax
from glslc_multi.backends.pica200.isa.instructions import OPERATIONS, Operation
from glslc_multi.backends.pica200.isa.meanings import RELATION_NAMES
from glslc_multi.backends.pica200.isa.program import ANOTHER_SHADER, SEMANTICS, GeometryKind
from glslc_multi.compiler.isa.grammar import any_of, by_shape, end_of_line, many, one_of, placed, rule
from glslc_multi.compiler.parsing import listed, maybe, word

NAME = r"[A-Za-z_$][\w$]*"
#: The end of a name.
END = r"(?![\w$])"
#: A whole number, never a part of another one.
INTEGER = r"(?:0[xX][0-9A-Fa-f]+|\d+)(?![\w.])"
REAL = r"(?:[-+]\s*)?(?:0[xX][0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?i:infinity|inf)(?![\w$]))"

# --- Spellings --------------------------------------------------------------------------------------------------------

#: Every spelling of an instruction, in lower case.
MNEMONICS: Mapping[str, Operation] = {
    spelling: row for row in OPERATIONS for spelling in (row.spellings or (row.name.lower(),))
}
_BY_NAME = {name: number for number, name in SEMANTICS.items()}
#: Every spelling of an output's property -> its number.
PROPERTIES: Mapping[str, int] = {
    **_BY_NAME,
    **{name.replace("texcoord", "tcoord"): number for name, number in _BY_NAME.items()},
    "pos": _BY_NAME["position"],
    "nquat": _BY_NAME["normalquat"],
    "clr": _BY_NAME["color"],
}
TRUTH: Mapping[str, int] = {"true": 1, "on": 1, "1": 1, "false": 0, "off": 0, "0": 0}
GEOMETRY_KINDS: Mapping[str, GeometryKind] = {
    "point": "point",
    "variable": "variable",
    "subdivision": "variable",
    "fixed": "fixed",
    "particle": "fixed",
}
#: What sets which field of SETEMIT.
EMISSION_FLAGS: Mapping[str, str] = {
    "primitive": "primitive",
    "prim": "primitive",
    "invert": "winding",
    "inv": "winding",
}


def name(what: str) -> ParserElement:
    return word(what, NAME)


def keyword(what: str, words: Iterable[str]) -> ParserElement:
    """One of the words, in upper or lower case."""
    return word(what, f"(?i:{any_of(words, END)})")


def statement(record: Callable[..., Any], what: str, words: Iterable[str], operands: ParserElement) -> ParserElement:
    """One of the words with its operands."""
    return rule(what, keyword(what, words) - operands, lambda word, *operands: record(word, operands))


comma, dot, plus, left, right, opening, closing = (Suppress(mark) for mark in ",.+[]()")
minus, exclamation = word("'-'", "-"), word("'!'", "!")

# --- Numbers ----------------------------------------------------------------------------------------------------------


def whole(what: str) -> ParserElement:
    """A number without a sign."""
    return word(what, INTEGER)


integer = word("an integer", rf"(?:-\s*)?{INTEGER}")
real = word("a number", REAL)
# (1, -1, 0.5, inf)
reals = opening - real - (comma - real) * 3 - closing
integers = opening - integer - (comma - integer) * 3 - closing

# --- Operands ---------------------------------------------------------------------------------------------------------

# a0.x + 2
address = rule(
    "an offset or address register",
    name("an offset or address register") + maybe(dot - name("x or y")) + maybe(plus - whole("an offset")),
    syntax.Address,
)
offset = whole("a register offset")
# [3]   [aL + 2]
index = left - (offset | address).set_name("an offset or address register") - word("']'", r"\]")
components = maybe(dot - name("components"))
# -uMvp[3].xyz
register = placed("a register", maybe(minus) + name("a register") + many(index) + components, syntax.Register)
# a0.xy
mova_register = "a0.x, a0.y or a0.xy"
address_register = rule(mova_register, name(mova_register) + components, syntax.AddressDestination)
relation = keyword(f"one of {', '.join(RELATION_NAMES)}", RELATION_NAMES)
# !cmp.x
flag = word("cmp.x or cmp.y", r"(?P<inverted>!)?\s*(?i:cmp)\s*\.\s*(?P<component>[A-Za-z_$][\w$]*)")
# cmp.x && !cmp.y
condition = rule("a condition", flag + Opt(word("'&&' or '||'", r"&&?|\|\|?") - flag), syntax.Condition)
# !b3   b3
inverted_bool, plain_bool = maybe(exclamation) + register, maybe(NoMatch()) + register
emission_flag = keyword("prim or inv", EMISSION_FLAGS)
# 2, prim inv
emission = whole("a vertex slot") - Opt(comma - emission_flag - emission_flag[...])

# --- Instructions -----------------------------------------------------------------------------------------------------


def _operands(kind: str, sources: int, jumps: str) -> ParserElement:
    """What follows the mnemonics of a shape."""
    match kind:
        case "alu":
            return register - (comma - register) * sources
        case "mova":
            return address_register - comma - register
        case "cmp":
            return register - comma - relation - comma - relation - comma - register
        case "condition":
            return condition - _target(jumps)
        case "bool":
            # Only a jump can test for false.
            return (inverted_bool if jumps == "branch" else plain_bool) - _target(jumps)
        case "loop":
            return register
        case "setemit":
            return emission
    return name("a procedure") if jumps == "call" else Empty()


def _target(jumps: str) -> ParserElement:
    """Where an instruction with a condition goes."""
    if jumps not in ("branch", "call"):
        return Empty()
    return comma - name("a label" if jumps == "branch" else "a procedure")


#: What instructions with the same operands have in common: their kind, how many sources, where they go.
shapes = by_shape({spelling: (row.operands, len(row.layout.sources), row.jumps) for spelling, row in MNEMONICS.items()})
instructions = [
    statement(syntax.Instruction, "an instruction", spellings, _operands(*shape)) for shape, spellings in shapes.items()
]

# --- Directives -------------------------------------------------------------------------------------------------------


a_size = whole("the size of an array")
# uMvp[4]
uniform_name = "the name of a uniform"
uniform = rule(uniform_name, name(uniform_name) + maybe(left - a_size - right), syntax.Array)
uniforms = listed(uniform, comma)
# table[]
array_name = "the name of an array"
array = rule(array_name, name(array_name) - left - maybe(a_size) - right, syntax.Array)
output_name = (minus | name("the name of an output")).set_name("the name of an output or '-'")
a_property = "the property of an output"
property_ = one_of("output property", a_property, [keyword(a_property, PROPERTIES)], PROPERTIES, name(a_property))
KIND_NAMES = "point, variable or fixed"


def geometry(kind: GeometryKind, *operands: ParserElement) -> ParserElement:
    """The word for a kind of geometry shader, then its operands."""
    words = [spelling for spelling, meant in GEOMETRY_KINDS.items() if meant == kind]
    return keyword(KIND_NAMES, words) - reduce(sub, operands)


vertices = whole("the number of vertices")
#: Directive -> its operands.
DIRECTIVES: Mapping[str, ParserElement] = {
    "alias": name("a new name") - register,
    "fvec": uniforms,
    "ivec": uniforms,
    "bool": uniforms,
    "constf": name("the name of a constant") - reals,
    "consti": name("the name of a constant") - integers,
    # An element of an array, or its head.
    "constfa": (reals | array).set_name(array_name),
    "setf": register - reals,
    "seti": register - integers,
    "setb": register - keyword("true or false", TRUTH),
    "in": name("the name of an input") + maybe(register),
    "out": output_name - property_ + components + maybe(register),
    "proc": name("the name of a procedure"),
    "else": Empty(),
    "end": Empty(),
    "entry": name("the name of a procedure"),
    "nodvle": Empty(),
    ANOTHER_SHADER: Empty(),
    "gsh": maybe(
        ~end_of_line
        - (
            geometry("point", register)
            | geometry("variable", register, vertices)
            | geometry("fixed", register, register, vertices)
        ).set_name(KIND_NAMES)
    ),
}


directives = [
    statement(syntax.Directive, "a directive", [spelling], operands) for spelling, operands in DIRECTIVES.items()
]

# --- Lines ------------------------------------------------------------------------------------------------------------

label = word("a label", rf"(?P<name>{NAME})\s*:")
instruction = one_of("instruction", "an instruction", instructions, MNEMONICS, name("an instruction"))
directive = one_of("directive", "a directive", directives, DIRECTIVES, name("a directive"))
any_statement = (instruction | dot - directive).set_name("an instruction")
#: One line, to its end.
line = rule("a line", many(label) + maybe(~end_of_line - any_statement), syntax.Line) - end_of_line
