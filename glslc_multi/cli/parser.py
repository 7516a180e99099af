"""A thin layer over argparse: usage mistakes become diagnostics, and the flags about messages.

argparse prints and exits by itself; here it only parses.  Options check their values through
`OneOf` and `whole_number`, so that every mistake names the option and what it takes.
`--help` fits a screen: it leaves out the groups of `_RARE`, which `--help-all` shows.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import NoReturn

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.diagnostics.color import ColorChoice
from glslc_multi.compiler.diagnostics.render import FORMATS, Format
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.files import note_unrepeatable
from glslc_multi.files import STANDARD_STREAM, write_text

COLORS: tuple[ColorChoice, ...] = ("auto", "always", "never")

#: Groups of options that only `--help-all` shows.
_RARE = ("messages", "dependencies", "details")


def new_parser(name: str, description: str, usage_line: str) -> argparse.ArgumentParser:
    """A parser with `--help` and the flags about messages."""
    parser = argparse.ArgumentParser(
        prog=name,
        description=description,
        usage=usage_line,
        add_help=False,
        allow_abbrev=False,
        exit_on_error=False,
        formatter_class=plain_formatter,
    )
    parser.add_argument("-h", "--help", action="store_true", help="print this text")
    parser.add_argument("--help-all", dest="help", action="store_const", const="all", help="print all options")
    parser.add_argument("--no-cache", action="store_true", help="neither use nor keep results of earlier runs")
    messages = parser.add_argument_group("messages")
    messages.add_argument("-w", dest="no_warnings", action="store_true", help="no warnings")
    messages.add_argument(
        "-W", dest="warnings", action="append", default=[], metavar="NAME",
        help="-W<name> and -Wno-<name> switch a group of warnings; -Werror makes warnings errors",
    )  # fmt: skip
    messages.add_argument(
        "--max-errors", type=whole_number("--max-errors"), default=20, metavar="N", help="stop after N errors (20)"
    )
    messages.add_argument(
        "--max-warnings", type=whole_number("--max-warnings"), default=100, metavar="N",
        help="show N warnings at most (100)",
    )  # fmt: skip
    add_style_flags(messages)
    return parser


def plain_formatter(prog: str) -> argparse.HelpFormatter:
    """For argparse, which makes one for every option that it checks: its own loads much to ask the terminal's width."""
    return argparse.RawDescriptionHelpFormatter(prog, width=80)


def help_text(parser: argparse.ArgumentParser, options: argparse.Namespace) -> str:
    """What `--help` or `--help-all` prints."""
    formatter = argparse.RawDescriptionHelpFormatter(parser.prog)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups)
    formatter.add_text(parser.description)
    for group in parser._action_groups:
        if group.title not in _RARE or options.help == "all":
            formatter.start_section(group.title)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
    formatter.add_text(parser.epilog)
    return formatter.format_help()


def add_style_flags(parser: argparse._ActionsContainer) -> None:
    """The flags that say how messages look."""
    parser.add_argument(
        "--diagnostics-format",
        type=OneOf("--diagnostics-format", FORMATS),
        default="text",
        metavar="|".join(FORMATS),
        help="how messages look (text)",
    )
    parser.add_argument(
        "--color", type=OneOf("--color", COLORS), default="auto", metavar="|".join(COLORS), help="colour (auto)"
    )


def parse(parser: argparse.ArgumentParser, arguments: Sequence[str], sink: DiagnosticSink) -> argparse.Namespace:
    """Parse all of `arguments`, and set up `sink` by the flags about messages."""
    try:
        options, rest = parser.parse_known_args(_with_defaults(parser, arguments))
    except argparse.ArgumentError as error:
        option = (error.argument_name or "").split("/")[-1]
        if error.message.startswith("expected"):
            sink.report(usage.MISSING_OPTION_VALUE, option=option, expected="a value")
        else:
            # "ignored explicit argument": a value given to a flag that takes none.
            sink.report(usage.UNEXPECTED_ARGUMENT, argument=error.message.rpartition(" ")[2].strip("'"))
        raise CompileError(sink.diagnostics) from None
    unknown = ""
    for argument in rest:
        # What follows an unknown option is most likely its value.
        if argument.startswith("-") or not unknown.startswith("-") or "=" in unknown:
            if argument.startswith("-"):
                name = argument.partition("=")[0]
                option_strings = [
                    string for action in parser._actions for string in action.option_strings if len(string) > 2
                ]
                sink.report(usage.UNKNOWN_OPTION, help=did_you_mean(name, option_strings), option=name)
            else:
                sink.report(usage.UNEXPECTED_ARGUMENT, argument=argument)
        unknown = argument
    _set_up_sink(options, sink)
    if options.no_cache:
        # In a response file, where the cache did not see the word.
        note_unrepeatable()
    sink.raise_if_errors()
    return options


def parse_early(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace | None:
    """Parse what is known of a command line; return None where it has a mistake, which `parse` reports."""
    try:
        return parser.parse_known_args(_with_defaults(parser, arguments))[0]
    except (argparse.ArgumentError, CompileError):
        return None


def parse_or_help(
    parser: argparse.ArgumentParser, arguments: Sequence[str], sink: DiagnosticSink
) -> argparse.Namespace | None:
    """The parsed command line; None where it asked for the help, which is printed."""
    options = parse(parser, arguments, sink)
    if not options.help:
        return options
    write_text(STANDARD_STREAM, help_text(parser, options), sink)
    return None


def _with_defaults(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> list[str]:
    """`arguments` where a value that is left out is put in, so that no input is taken for it."""
    optional = {option: action for action in parser._actions if action.nargs == "?" for option in action.option_strings}
    words = list(arguments)
    for index, (word, following) in enumerate(zip_longest(arguments, arguments[1:])):
        action = optional.get(word)
        if action is not None and isinstance(action.type, OneOf) and following not in action.type.choices:
            words[index] = f"{word}={action.const}"
    return words


def message_style(arguments: Sequence[str]) -> tuple[Format, ColorChoice]:
    """Format and colour of messages, known before anything else is parsed."""
    parser = argparse.ArgumentParser(
        add_help=False, allow_abbrev=False, exit_on_error=False, formatter_class=plain_formatter
    )
    add_style_flags(parser)
    try:
        options, _ = parser.parse_known_args(arguments)
    except (argparse.ArgumentError, CompileError):
        return "text", "auto"
    return options.diagnostics_format, options.color


class OneOf:
    """A converter that lets only `choices` pass."""

    def __init__(self, option: str, choices: Sequence[str]) -> None:
        self.option = option
        self.choices = tuple(choices)

    def __call__(self, value: str) -> str:
        if value not in self.choices:
            expected = f"one of {', '.join(self.choices)}"
            refuse_value(self.option, expected, value, did_you_mean(value, self.choices))
        return value


def whole_number(option: str) -> Callable[[str], int]:
    """A converter for counts from 1."""

    def convert(value: str) -> int:
        if not (value.isascii() and value.isdigit() and len(value) < 10 and int(value) > 0):
            refuse_value(option, "a whole number from 1", value)
        return int(value)

    return convert


def refuse_value(option: str, expected: str, value: str, help: str | None = None) -> NoReturn:
    """Report a value that an option does not take."""
    # argparse calls converters with the value alone, so the diagnostic travels in an exception.
    sink = DiagnosticSink()
    sink.report(usage.INVALID_OPTION_VALUE, help=help, option=option, expected=expected, value=value)
    raise CompileError(sink.diagnostics)


def _set_up_sink(options: argparse.Namespace, sink: DiagnosticSink) -> None:
    sink.max_errors = options.max_errors
    sink.max_warnings = options.max_warnings
    sink.warnings_as_errors = "error" in options.warnings
    if not (options.no_warnings or options.warnings):
        return
    from glslc_multi.compiler.diagnostics.catalogue import all_entries

    groups = {entry.group for entry in all_entries().values() if entry.group}
    disabled = set(groups) if options.no_warnings else set()
    for name in options.warnings:
        group = name.removeprefix("no-")
        if name in ("error", "all"):
            continue
        if group not in groups:
            sink.report(usage.UNKNOWN_WARNING, help=did_you_mean(group, sorted(groups)), name=group)
        elif name == group:
            disabled.discard(group)
        else:
            disabled.add(group)
    sink.disabled_groups = frozenset(disabled)
