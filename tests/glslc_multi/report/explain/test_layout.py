"""Flow graphs on the plane: no two boxes meet, edges lead down, loops lead back along the side."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.report.explain.layout import Box, lay_out

SIZE = (50.0, 20.0)


def meet(first: Box, second: Box) -> bool:
    apart_x = abs(first.x - second.x) >= (first.width + second.width) / 2
    apart_y = first.y + first.height <= second.y or second.y + second.height <= first.y
    return not (apart_x or apart_y)


def test_a_diamond_has_three_layers() -> None:
    layout = lay_out([SIZE] * 4, [(0, 1), (0, 2), (1, 3), (2, 3)])
    top, left, right, bottom = layout.boxes
    assert top.y < left.y == right.y < bottom.y
    assert left.x < right.x
    assert top.x == bottom.x == (left.x + right.x) / 2


def test_a_way_over_a_layer_goes_beside_the_box_in_it() -> None:
    layout = lay_out([SIZE] * 3, [(0, 1), (1, 2), (0, 2)])
    over = layout.paths[2]
    middle = layout.boxes[1]
    for (x, y), (next_x, next_y) in pairwise(over):
        if y < middle.y + middle.height and next_y > middle.y:
            assert all(abs(place - middle.x) > middle.width / 2 for place in (x, next_x))


def test_a_loop_leads_back_along_the_side() -> None:
    layout = lay_out([SIZE] * 3, [(0, 1), (1, 1), (1, 2)])
    back = layout.paths[1]
    assert back[0][1] == layout.boxes[1].y + SIZE[1]
    assert back[-1][1] == layout.boxes[1].y
    assert max(x for x, _ in back) > max(box.x + box.width / 2 for box in layout.boxes)


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_graph(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    layout = lay_out([(20.0 + 7 * number, 15.0 + 5 * (number % 3)) for number in range(count)], edges)
    lowest = max(box.y + box.height for box in layout.boxes)
    assert layout.height - lowest == min(box.y for box in layout.boxes)
    assert not any(meet(first, second) for first, second in combinations(layout.boxes, 2))
    for (source, target), way in zip(edges, layout.paths, strict=True):
        start, end = layout.boxes[source], layout.boxes[target]
        assert abs(way[0][0] - start.x) <= start.width / 2
        assert way[0][1] == start.y + start.height
        assert way[-1][1] == end.y
        assert all(0 <= x <= layout.width and 0 <= y <= layout.height for x, y in way)
