"""What grammars are written with: the core of pyparsing.

The package pyparsing also loads ready-made expressions, helpers for tests and what its documentation needs, which takes
as long again as the core: a tenth of a short compilation.  Nothing of that is used here.  So this module is a package
in the folder of pyparsing, which finds `core` and what that stands on there, and loads no more.
"""

from __future__ import annotations

from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

__all__ = ["ParseBaseException", "ParseException", "ParseFatalException", "ParserElement"]

_found = PathFinder.find_spec("pyparsing")
__path__ = list(_found.submodule_search_locations or ()) if _found else []

if TYPE_CHECKING:
    from pyparsing import ParseBaseException, ParseException, ParseFatalException, ParserElement
else:
    try:
        from compiler.grammar.core import ParserElement
        from compiler.grammar.exceptions import ParseBaseException, ParseException, ParseFatalException
    except ImportError:
        # Not in a folder, or arranged otherwise.
        from pyparsing import ParseBaseException, ParseException, ParseFatalException, ParserElement
