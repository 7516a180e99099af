"""The man page, made from the parsers: `python -m glslc_multi.cli.manual` prints docs/glslc-multi.1 (man 7 man)."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.cli.main import COMMANDS, PARSERS
from glslc_multi.cli.parser import new_parser
from glslc_multi.compiler import __version__
from glslc_multi.compiler.options import Option

_VARIABLES = {
    "GLSLC_MULTI_CACHE": "folder of earlier results; empty for none",
    "GLSLC_MULTI_TRACEBACK": "if set, a mistake of the compiler is shown with its place",
    "NO_COLOR": "if set, messages have no colour",
}


def page() -> str:
    """The page for all subcommands."""
    lines = [
        f'.TH GLSLC-MULTI 1 "" "glslc-multi {__version__}" "User Commands"',
        ".SH NAME",
        r"glslc\-multi \- compile GLSL shaders to machine code of several GPUs",
        ".SH SYNOPSIS",
        ".nf",
        *_escaped(_parser("compile").usage or ""),
        ".fi",
        ".SH DESCRIPTION",
        *_escaped(_parser("compile").description or ""),
    ]
    for command in COMMANDS:
        lines += _section(command)
    lines += [".SH OPTIONS OF ALL COMMANDS", *_options(_common())]
    for name in target_names():
        flags = {_flag(option): option.help for option in load_target(name).options}
        lines += [f".SH OPTIONS OF {name.upper()}", *_list(flags)]
    lines += [".SH ENVIRONMENT", *_list(_VARIABLES)]
    return "\n".join(lines) + "\n"


def _section(command: str) -> Iterator[str]:
    parser = _parser(command)
    if command == "compile":
        yield ".SH OPTIONS"
    else:
        yield f".SH {command.upper()}"
        yield from (".nf", *_escaped(parser.usage or ""), ".fi", ".PP", *_escaped(parser.description or ""))
    common = {action.option_strings[0] for action in _common()}
    yield from _options(action for action in _actions(parser) if action.option_strings[0] not in common)
    yield from (".PP", ".nf", *_escaped(parser.epilog or ""), ".fi")


def _common() -> Sequence[argparse.Action]:
    """The options that every command has."""
    return _actions(new_parser("", "", ""))


def _actions(parser: argparse.ArgumentParser) -> Sequence[argparse.Action]:
    return [action for action in parser._actions if action.option_strings]


def _options(actions: Iterable[argparse.Action]) -> Iterator[str]:
    return _list({_invocation(action): action.help or "" for action in actions})


def _invocation(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) and action.nargs != 0 else ""
    return ", ".join(action.option_strings) + (value if value.startswith("=") else f" {value}".rstrip())


def _flag(option: Option) -> str:
    if isinstance(option.default, bool):
        return f"{option.flag}, --no-{option.flag[2:]}"
    return f"{option.flag} {'|'.join(map(str, option.choices)) or 'VALUE'}"


def _list(entries: Mapping[str, str]) -> Iterator[str]:
    for name, meaning in entries.items():
        yield from (".TP", *_escaped(name), *_escaped(meaning))


def _parser(command: str) -> argparse.ArgumentParser:
    module, _, function = PARSERS[command].partition(":")
    parser: argparse.ArgumentParser = getattr(import_module(module), function)()
    return parser


def _escaped(text: str) -> list[str]:
    """Lines of text; a dot or quote at the start of a line would be a request."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return [(r"\&" if line.startswith((".", "'")) else "") + line.strip() for line in escaped.splitlines()]


if __name__ == "__main__":
    print(page(), end="")
