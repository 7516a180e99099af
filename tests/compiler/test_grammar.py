"""Grammars are written with pyparsing's core, without the rest of pyparsing, which stays what it is."""

from __future__ import annotations

import subprocess
import sys

from tests.shared_data import PROJECT_ROOT

_PARSE = (
    "from frontends.glsl.preprocess import preprocess; from frontends.glsl.grammar import parse;"
    "from compiler.diagnostics import DiagnosticSink, SourceFile;"
    "sink = DiagnosticSink();"
    "print(len(parse(preprocess(SourceFile('a.vert', 'void main() {} int a;'), sink=sink), sink).declarations));"
)


def run_python(program: str) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, text=True, check=True).stdout


def test_parsing_loads_the_core_alone() -> None:
    heavy = "{'pyparsing', 'unittest', 'tempfile', 'datetime', 'html.entities'}"
    assert run_python(f"import sys; {_PARSE} print(sorted({heavy} & set(sys.modules)))") == "2\n[]\n"


def test_pyparsing_is_whole_for_others() -> None:
    use = "import pyparsing; print(pyparsing.common.integer.parse_string('12')[0], pyparsing.core.Word.__name__);"
    assert run_python(_PARSE + use) == "2\n12 Word\n"
    assert run_python(use + _PARSE) == "12 Word\n2\n"


def test_pyparsing_need_not_be_in_a_folder() -> None:
    hide = "importlib.machinery.PathFinder = type('Finder', (), {'find_spec': lambda name: None});"
    program = f"import importlib.machinery, pyparsing; {hide} from compiler import grammar;"
    assert run_python(program + f"print(grammar.ParserElement is pyparsing.ParserElement); {_PARSE}") == "True\n2\n"
