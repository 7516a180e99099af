"""The flags about dependencies: `-M`, `-MM`, `-MD`, `-MMD`, `-MF`, `-MT`, `-MQ`, `-MP`, as compilers of C have them.

`-MM` and `-MMD` mean the same as `-M` and `-MD`: there are no files of the system that they could leave out.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from glslc_multi.cli.outputs import beside
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.files import STANDARD_STREAM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from glslc_multi.compiler.frontend import Prepared


def add_dependency_flags(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the flags, except those that leave compiling out."""
    group = parser.add_argument_group("dependencies")
    group.add_argument("-MD", "-MMD", dest="rule", action="store_true", help="write the rule beside the output")
    group.add_argument("-MF", dest="rule_file", metavar="FILE", help="write the rule there")
    group.add_argument(
        "-MT",
        dest="rule_targets",
        action="append",
        default=[],
        type=_on_one_line,
        metavar="TARGET",
        help="what the rule makes, as it is",
    )
    group.add_argument(
        "-MQ", dest="rule_targets", action="append", type=_quoted, metavar="TARGET", help="the same, quoted for make"
    )
    group.add_argument("-MP", dest="rule_phony", action="store_true", help="an empty rule for every included file")
    return group


def add_rule_only_flag(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-M", "-MM", dest="only_rule", action="store_true", help="print the rule for make, do not compile"
    )


def dependency_rule(
    options: argparse.Namespace, read: Sequence[Prepared], outputs: Sequence[str], sink: DiagnosticSink
) -> str:
    """The text of a depfile: what is made from the sources that were read."""
    from glslc_multi.report.depfile import escape_target, impossible, make_rule

    targets = options.rule_targets
    made = () if targets else outputs
    if not targets:
        is_named = STANDARD_STREAM not in outputs
        _require(is_named, "-MD" if options.rule else "-M", "the name of what is made: -o or -MT", sink)
        targets = [escape_target(output) for output in outputs]
    main = [each.source.filename for each in read if not each.source.filename.startswith("<")]
    included = [name for each in read for name in each.dependencies]
    if options.project is not None:
        included.append(options.project.path)
    # What is included has a rule of its own with `-MP`.
    names = [*((name, True) for name in made), *((name, False) for name in main)]
    for name, is_target in (*names, *((name, bool(options.rule_phony)) for name in included)):
        what = impossible(name, is_target=is_target)
        if what is not None:
            reason = f"no rule can hold a file name with {what}"
            sink.report(
                usage.UNWRITABLE_OUTPUT, help=f"it is {name!r}", path=options.rule_file or "rule", reason=reason
            )
    sink.raise_if_errors()
    return make_rule(targets, main, included, phony=options.rule_phony)


def rule_path(options: argparse.Namespace, output: str, sink: DiagnosticSink) -> str:
    """Where the rule of `-MD` goes: `-MF`, or the output with the suffix .d."""
    if options.rule_file is not None:
        return str(options.rule_file)
    _require(output != STANDARD_STREAM, "-MD", "a file to write it beside: -o, or -MF for the rule itself", sink)
    return beside(output, ".d")


def _on_one_line(target: str) -> str:
    from glslc_multi.cli.parser import refuse_value

    if "\n" in target or "\r" in target:
        refuse_value("-MT", "a name without a line break", target)
    return target


def _quoted(target: str) -> str:
    from glslc_multi.cli.parser import refuse_value
    from glslc_multi.report.depfile import escape_target, impossible

    what = impossible(target, is_target=True)
    if what is not None:
        refuse_value("-MQ", f"a name without {what}", target)
    return escape_target(target)


def _require(fulfilled: bool, option: str, expected: str, sink: DiagnosticSink) -> None:
    if not fulfilled:
        sink.report(usage.MISSING_OPTION_VALUE, option=option, expected=expected)
        sink.raise_if_errors()
