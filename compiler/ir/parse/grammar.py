"""The grammar of the text form: one line in, one record of `syntax.py` out.

The comment above a rule is an example of what it reads.  The next word always decides what follows; after a `-` nothing
else can be meant, so that the first word that does not fit there is the mistake.  Rules are named as messages name what
they expected.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from pyparsing import Opt, Regex, ZeroOrMore

from glslc_multi.compiler.ir.parse import syntax
from glslc_multi.compiler.ir.text import FLAGS, PLAIN_BLOCK_NAME, PLAIN_NAME
from glslc_multi.compiler.ir.variables import STORAGES
from glslc_multi.compiler.parsing import list_of, listed, mark, maybe, rule, word

IDENTIFIER = r"[A-Za-z_]\w*"
KEYWORDS = ("shader", "pragma", "func")
STRING = r'"(?:[^"\\\x00-\x1f]|\\.)*"'
ORIGIN_KINDS = ("macro", "inlined")


def any_of(words: Iterable[str]) -> str:
    """The pattern of one of the words."""
    return rf"(?:{'|'.join(words)})\b"


# -------------------------------------------------------------------------------------- words
type_ = word("a type", IDENTIFIER)
text = word("a text in double quotes", STRING)
number = word("a number", r"(?P<digits>\d+)")
sign = word("'+' or '-'", "[-+]")
symbol = word("'@' and a name", f"@(?:(?P<plain>{PLAIN_NAME})|(?P<quoted>{STRING}))")
label = word("'^' and the name of a block", rf"\^(?:(?P<plain>{PLAIN_BLOCK_NAME})|(?P<quoted>{STRING}))")
value = word("'%' and a number", r"%(?P<digits>\d+)")
#: The group that matches is the kind of the scalar.
scalar = word(
    "a number, 'true', 'false' or 'undef'",
    r"(?:(?P<bool>true|false)|(?P<undef>undef)|(?P<int>[-+]?\d+)"
    r"|(?P<float>[-+]?(?:inf|nan|\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)))(?![\w.])",
)
#: The end of the line; a comment may stand before it.
end = word("the end of the line", r"(?:;.*)?$")

# ------------------------------------------------------------------------------------- places
# at "lamp.vert" 3:5-3:9
range_ = mark("at") - text + list_of(number + ":" + number + "-" + number + ":" + number)
# inlined "f" at "lamp.vert" 3:5-3:9
origin = rule("an origin", word("'macro' or 'inlined'", any_of(ORIGIN_KINDS)) - text + range_, syntax.OriginLink)
# at "lamp.vert" 3:5-3:9 inlined "f" at "lamp.vert" 8:1-8:5
place = rule("a place", range_ + list_of(ZeroOrMore(origin)), syntax.Place)

# ----------------------------------------------------------------------------------- operands
# %1
use = rule("a value", value.copy(), syntax.ValueUse)
# vec3(1.0, undef, 2.0)
vector_type = word("a type", rf"{IDENTIFIER}(?=[ \t]*\()")
vector = rule("a vector", vector_type - "(" + list_of(listed(scalar)) + ")", syntax.Literal)
# 1.0
literal = vector | rule("a scalar", list_of(scalar.copy()), partial(syntax.Literal, None))
literal.set_name("a value, such as 1.0")
value_operand = (use | literal).set_name("a value, such as %1 or 1.0")
# %0   (1.0)
dynamic = (use | "(" - literal + ")").set_name("a value, such as %1 or (1)")
# %0 - 2
dynamic_index = rule("a dynamic index", dynamic + Opt(sign - number), syntax.Index)
# 2
constant_index = rule("a constant index", maybe(word("'-'", "-")) + number, partial(syntax.Index, None))
# [2]   [%0 - 2]
index = "[" - (dynamic_index | constant_index).set_name("an index, such as 2 or %1") + "]"
# .2   .%0
column = "." - (number | dynamic).set_name("a column, such as 2 or %1")
# @lights[].position[%0 + 1].2
symbol_use = rule("a variable or function", symbol + maybe(index) + maybe(column), syntax.SymbolUse)
# ^then
block_use = rule("a target", label.copy(), syntax.BlockUse)
# [%1, ^then]
incoming = rule("a value and its block", "[" - value_operand + "," + label + "]", syntax.Incoming)
operand = (use | block_use | symbol_use | incoming | literal).set_name("an operand, such as %1 or 1.0")
# %1, @lights[].position, 1.0
no_operands = Regex(r"(?=at\b|;|$)").set_name("no operands")
operands = list_of((no_operands | listed(operand)).set_name("operands, such as %1 or 1.0"))

# -------------------------------------------------------------------------------------- lines
# offset(1, -2)
texels = word("a number of texels", r"(?P<digits>-?\d+)")
offset = mark("offset") - "(" + list_of(listed(texels)) + ")"
# %4:vec4 = fadd %1, %2
# texture.lod relaxed offset(1, -2) @image, %1, 0.0
operation = (
    word("an opcode", rf"(?!{any_of([*KEYWORDS, *STORAGES])})(?P<name>{IDENTIFIER})(?P<suffix>\.\w+)?")
    - maybe(word("flags", rf"(?:{any_of(FLAGS)}[ \t]*)+"))
    + maybe(offset)
    + operands
    + maybe(place)
)
definition = rule("a definition", value - ":" + type_ + "=" + operation, syntax.InstructionLine)
effect = rule("an effect", operation.copy(), partial(syntax.InstructionLine, None, None))
# ^entry:
block = rule("a block", label - ":", syntax.BlockLine)
# func @main {
function = rule("a function", mark("func") - symbol + maybe(place) + "{", syntax.FunctionLine)
# }
close = rule("the end of a function", word("'}'", r"\}"), syntax.CloseLine)
# shader vertex "lamp.vert"
header = rule("a header", mark("shader") - word("a stage", IDENTIFIER) + maybe(text), syntax.ShaderLine)
# pragma "optimize(on)"
pragma = rule("a pragma", mark("pragma") - text, syntax.PragmaLine)
# role(position)
argument = "(" - word("a number or name", r"(?P<digits>\d+)\b|\w+") + ")"
property_ = rule("a property", word("a name", rf"(?!at\b){IDENTIFIER}") + maybe(argument), syntax.Property)
# uniform @lights[].position: vec3[3] mediump at "lamp.vert" 3:5-3:9
variable = rule(
    "a declaration",
    word("a storage", any_of(STORAGES))
    - symbol
    + ":"
    + type_
    + list_of(ZeroOrMore("[" - number + "]"))
    + list_of(ZeroOrMore(property_))
    + maybe(place),
    syntax.VariableLine,
)
statement = definition | effect | block | function | close | header | pragma | variable
#: One line, to its end.
line = (statement.set_name("a declaration, a block or an instruction") - end).set_name("a line").parse_with_tabs()
