"""What people write who know another language: recognised where a token does not fit, with what GLSL has for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from glslc_multi.compiler.diagnostics import Fix
from glslc_multi.frontends.glsl.parser.state import ParserState
from glslc_multi.frontends.glsl.parser.terminals import NAME, NUMBER, TYPE

#: A remedy, and the edits where they are sure.
Advice = tuple[str, tuple[Fix, ...]]
#: Types of WGSL and Rust, and of GLSL.
_TYPES = {"f32": "float", "f16": "float", "i32": "int", "u32": "uint", "bool": "bool"}
_VECTORS = {"f": "vec", "h": "vec", "i": "ivec", "u": "uvec"}
_TYPES |= {f"vec{size}{kind}": f"{name}{size}" for kind, name in _VECTORS.items() for size in (2, 3, 4)}
_TYPES |= {f"{name}{size}": f"{name}{size}" for name in _VECTORS.values() for size in (2, 3, 4)}
#: What may stand behind a cast as a whole.
_ATOMS = (NAME, NUMBER)
_GOES_ON = frozenset(". [ ( ++ --".split())


def habit(state: ParserState, at: int) -> Advice | None:
    """Return what to write instead of what another language has, where a token does not fit."""
    return next((advice for find in _HABITS if (advice := find(state, at)) is not None), None)


def _power(state: ParserState, at: int) -> Advice | None:
    if _touch(state, at, "*", "*"):
        return "there is no such operator: write 'pow(x, y)'", ()
    return None


def _arrow(state: ParserState, at: int) -> Advice | None:
    if _touch(state, at, "-", ">"):
        return "there are no pointers: write '.'", (Fix(state.tokens.span(at - 1).to(state.tokens.span(at)), "."),)
    return None


def _cast(state: ParserState, at: int) -> Advice | None:
    """Recognise `(float)x`, where the ")" does not fit."""
    terminals, texts = state.terminals, state.tokens.texts
    if terminals[at - 1 : at + 1] != [TYPE, ")"] or terminals[at - 2] != "(":
        return None
    type = texts[at - 1]
    if terminals[at + 1] in _ATOMS and terminals[at + 2] not in _GOES_ON:
        span = state.tokens.span(at - 2).to(state.tokens.span(at + 1))
        return f"write '{type}({texts[at + 1]})'", (Fix(span, f"{type}({texts[at + 1]})"),)
    return f"write '{type}(...)' with what is converted in the parentheses", ()


def _type_behind(state: ParserState, at: int) -> Advice | None:
    """Recognise `x: f32`."""
    terminals, texts = state.terminals, state.tokens.texts
    if terminals[at] != ":" or terminals[at - 1] != NAME or terminals[at + 1] not in (NAME, TYPE):
        return None
    type = _TYPES.get(texts[at + 1])
    if type is not None:
        return f"types stand in front of names: '{type} {texts[at - 1]}'", ()
    if texts[at + 1].isupper() or texts[at + 1].startswith("SV_"):
        return "this is a semantic of HLSL: name the file '.hlsl', or declare inputs and outputs as GLSL does", ()
    return None


_HABITS: Sequence[Callable[[ParserState, int], Advice | None]] = (_power, _arrow, _cast, _type_behind)


def _touch(state: ParserState, at: int, first: str, second: str) -> bool:
    """Tell whether two tokens, of which the second does not fit, stand without a space between them."""
    if at == 0 or state.terminals[at - 1 : at + 1] != [first, second]:
        return False
    one, other = state.tokens.span(at - 1), state.tokens.span(at)
    return (one.end_line, one.end_column) == (other.line, other.column)
