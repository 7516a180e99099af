"""Flow graphs as SVG: what is in the boxes, and what is on the arrows."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from glslc_multi.report.explain.graph_svg import graph_svg
from glslc_multi.report.explain.steps import Line, Node


def picture(*nodes: Node) -> ET.Element:
    return ET.fromstring(graph_svg(nodes))


def texts(drawn: ET.Element) -> list[str]:
    return [text.text or "" for text in drawn.findall("text") if text.get("class") != "edge"]


@pytest.mark.parametrize(("count", "more"), [(0, []), (1, []), (14, []), (15, ["… 1 more"]), (20, ["… 6 more"])])
def test_a_box_has_a_name_and_the_first_lines(count: int, more: list[str]) -> None:
    lines = [f"line {number} < &" for number in range(count)]
    drawn = picture(Node("entry", tuple(map(Line, lines)), ()))
    assert texts(drawn) == ["entry", *lines[:14], *more]
    (box,) = drawn.findall("rect")
    places = [float(text.get("y", "")) for text in drawn.findall("text")]
    top, height = float(box.get("y", "")), float(box.get("height", ""))
    assert all(top < place < top + height for place in places)
    # A line is at least as high as its letters.
    assert all(following - place >= 10 for place, following in pairwise(places))
    # No monospaced type is narrower than half of its height.
    assert float(box.get("width", "")) >= 5 * max(map(len, ["entry", *lines[:14]]))


def test_long_lines_are_cut_to_sixty_characters() -> None:
    drawn = picture(Node("entry", (Line("x" * 60), Line("x" * 61)), ()))
    assert texts(drawn)[1:] == ["x" * 60, "x" * 59 + "…"]


def test_lines_know_where_they_come_from() -> None:
    drawn = picture(Node("entry", (Line("a", ("0:3", "0:4")), Line("b")), ()))
    assert [text.get("data-k") for text in drawn.findall("text")] == [None, "0:3 0:4", None]
    assert [text.get("class") for text in drawn.findall("text")] == ["name", None, None]


def test_branches_are_labelled_and_jumps_are_not() -> None:
    drawn = picture(Node("entry", (), (1, 2)), Node("then", (), (2,)), Node("end", (), ()))
    assert len(drawn.findall("path")) == 3
    assert [text.text for text in drawn.findall("text") if text.get("class") == "edge"] == ["true", "false"]
