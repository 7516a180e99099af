"""When messages are coloured."""

from __future__ import annotations

import io

import pytest

from glslc_multi.compiler.diagnostics.color import ColorChoice, use_color


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "environment", "terminal", "expected"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {}, True, False),
    ],
)
def test_the_choice_decides_first_then_the_environment_then_the_stream(
    choice: ColorChoice, environment: dict[str, str], terminal: bool, expected: bool
) -> None:
    stream = Terminal() if terminal else io.StringIO()
    assert use_color(choice, stream, environment) is expected
