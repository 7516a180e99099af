"""`glslc-multi IN`: compile one shader.

What comes out is chosen by `-E` (preprocessed text), `--emit` and `-S`; text goes to standard output
and a binary to a file, unless `-o` says otherwise.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from compiler.cli.files import STANDARD_STREAM, read_text, write_bytes, write_text
from compiler.cli.parser import new_parser, one_of, parse
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue import usage

if TYPE_CHECKING:
    from compiler.options import FrontEndOptions

_USAGE = "glslc-multi [options] IN\n       glslc-multi opt|targets [options]"
_DESCRIPTION = "Compile a GLSL ES 1.00 shader. IN is a file, or - for standard input."
_EPILOG = "Exit status: 0 fine, 1 errors in the shader, 2 wrong usage, 3 does not fit the target, 70 internal error."

#: What `--emit` can ask for; `-S` is short for asm.
_KINDS = ("bin", "asm", "ir")
_LEVELS = ("0", "1", "2", "3")


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    parser, target_options = _build_parser(arguments)
    found = parse(parser, arguments, sink)
    if found.help:
        write_text(STANDARD_STREAM, parser.format_help(), sink)
    elif found.version:
        from compiler.version import __version__

        write_text(STANDARD_STREAM, f"glslc-multi {__version__}\n", sink)
    elif found.explain is not None:
        from compiler.cli.explain_code import explain_code

        explain_code(found.explain, sink)
    else:
        options = {name: value for name in target_options if (value := getattr(found, name)) is not None}
        _compile(found, options, sink)


def _build_parser(arguments: Sequence[str]) -> tuple[argparse.ArgumentParser, list[str]]:
    """The parser, and the names of the options that the target on the command line adds to it."""
    parser = new_parser("glslc-multi", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("input", nargs="?", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--explain", metavar="CODE", help="explain a diagnostic, such as E0301")
    parser.add_argument("--target", metavar="T", help="machine to compile for; `glslc-multi targets` lists them")
    parser.add_argument("-o", dest="output", metavar="OUT", help="output file, - for standard output")
    parser.add_argument(
        "--stage", "-fshader-stage", metavar="S", help="vertex, fragment, geometry or coordinate (else: suffix of IN)"
    )
    parser.add_argument("--stdin-name", metavar="NAME", help="name of standard input in messages and for its stage")
    parser.add_argument("-E", dest="preprocess", action="store_true", help="only preprocess")
    parser.add_argument("-S", dest="assembly", action="store_true", help="the same as --emit asm")
    parser.add_argument("--emit", type=one_of("--emit", _KINDS), metavar="|".join(_KINDS), help="what to write")
    parser.add_argument("-O", dest="level", type=one_of("-O", _LEVELS), default="2", metavar="0..3", help="effort (2)")
    parser.add_argument(
        "-fprecise", dest="precise", action="store_true", help="keep to rewrites that are exact in IEEE arithmetic"
    )
    parser.add_argument(
        "-fpreamble", dest="preamble", action="store_true", help="let the host compute what uniforms alone decide"
    )
    parser.add_argument(
        "-D", dest="macros", action="append", metavar="NAME[=VALUE]", type=_define, help="define a macro"
    )
    parser.add_argument("-U", dest="macros", action="append", metavar="NAME", type=_undefine, help="undefine a macro")
    parser.add_argument("-I", dest="include_dirs", action="append", default=[], metavar="DIR", help="look for includes")
    return parser, _add_target_options(parser, arguments)


def _add_target_options(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> list[str]:
    from backends import load_target, target_names

    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    early.add_argument("--target", nargs="?")
    name = early.parse_known_args(arguments)[0].target
    if name not in target_names():
        return []
    target = load_target(name)
    group = parser.add_argument_group(f"options of {target.name}")
    for option in target.options:
        if isinstance(option.default, bool):
            group.add_argument(option.flag, action=argparse.BooleanOptionalAction, default=None, help=option.help)
        else:
            group.add_argument(option.flag, metavar="VALUE", help=option.help)
    return [option.name for option in target.options]


def _define(text: str) -> tuple[str, str | None]:
    name, equals, value = text.partition("=")
    return name, value if equals else "1"


def _undefine(text: str) -> tuple[str, str | None]:
    return text, None


def _front_end(found: argparse.Namespace) -> FrontEndOptions:
    """The macros that `-D` and `-U` leave, the later of two for one name winning, and the include folders."""
    from compiler.options import FrontEndOptions

    last = dict(found.macros or ())
    defines = {name: value for name, value in last.items() if value is not None}
    undefines = [name for name, value in last.items() if value is None]
    return FrontEndOptions(defines, undefines, found.include_dirs)


def _compile(found: argparse.Namespace, target_options: dict[str, object], sink: DiagnosticSink) -> None:
    from compiler import driver

    kind = _kind(found, sink)
    if found.target is not None:
        driver.find_target(found.target, sink)
    source = driver.Source(read_text(_input(found, sink), sink), _filename(found), found.stage)
    front_end = _front_end(found)
    if kind in ("bin", "asm"):
        request = driver.Request(
            found.target, int(found.level), found.precise, found.preamble, front_end, target_options
        )
        artifact = driver.compile_source(source, request, sink)
        data = artifact.binary if kind == "bin" else artifact.assembly.encode()
        write_bytes(_output(found, kind, sink), data, sink)
        return
    if kind == "ir":
        from compiler.ir.text import print_module

        module = driver.lower_source(source, front_end, sink)
        driver.optimise(module, int(found.level), precise=found.precise, preamble=found.preamble)
        text = print_module(module)
    else:
        text = driver.preprocess_source(source, front_end, sink)
    write_text(found.output or STANDARD_STREAM, text, sink)


def _kind(found: argparse.Namespace, sink: DiagnosticSink) -> str:
    """What to write: "preprocessed" or one of `_KINDS`."""
    asked = {"-E": "preprocessed"} if found.preprocess else {}
    if found.assembly:
        asked["-S"] = "asm"
    if found.emit is not None:
        asked[f"--emit {found.emit}"] = found.emit
    if len(set(asked.values())) > 1:
        first, second, *_ = asked
        sink.report(usage.CONFLICTING_OPTIONS, first=first, second=second)
    kind = next(iter(asked.values()), "bin")
    if kind in ("bin", "asm") and found.target is None and found.input is not None:
        sink.report(usage.NO_TARGET, help="name one with --target, or look at the IR with --emit ir")
    sink.raise_if_errors()
    return kind


def _input(found: argparse.Namespace, sink: DiagnosticSink) -> str:
    if found.input is None:
        sink.report(usage.NO_INPUT, help="see glslc-multi --help")
        sink.raise_if_errors()
    return str(found.input)


def _filename(found: argparse.Namespace) -> str:
    """The name of the input in messages."""
    if found.input == STANDARD_STREAM:
        return found.stdin_name or "<stdin>"
    return str(found.input)


def _output(found: argparse.Namespace, kind: str, sink: DiagnosticSink) -> str:
    """Where machine code goes: `-o`, else text to standard output, a binary to a file in the current directory."""
    if found.output is not None:
        return str(found.output)
    if kind == "asm" or found.input == STANDARD_STREAM:
        return STANDARD_STREAM
    from compiler.driver import find_target

    return PurePath(found.input).stem + find_target(found.target, sink).suffix
