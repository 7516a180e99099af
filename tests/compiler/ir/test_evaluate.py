"""The evaluator: control flow of diverging lanes, memory, calls, errors.

Expected values are computed here, a lane at a time, in plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array, LaneArithmetic
from glslc_multi.compiler.ir.evaluate import DEFAULT_MAX_STEPS
from tests.compiler.ir.evaluating import error_of, run

# ------------------------------------------------------------------------------------ control flow
COLLATZ = """
shader vertex
attribute @start: int
output @steps: int

func @main {
^entry:
  %0:int = load @start
  br ^head
^head:
  %1:int = phi [%0, ^entry], [%11, ^next]
  %2:int = phi [0, ^entry], [%12, ^next]
  %3:bool = ile %1, 1
  condbr %3, ^exit, ^body
^body:
  %4:int = idiv %1, 2
  %5:int = imul %4, 2
  %6:bool = ieq %5, %1
  condbr %6, ^even, ^odd
^even:
  br ^next
^odd:
  %7:int = imul %1, 3
  %8:int = iadd %7, 1
  br ^next
^next:
  %11:int = phi [%4, ^even], [%8, ^odd]
  %12:int = iadd %2, 1
  br ^head
^exit:
  store @steps, %2
  ret
}
"""


def collatz(n: int) -> int:
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_lanes_leave_a_loop_at_different_times() -> None:
    starts = [1, 2, 3, 7, 27, 6, 97, 0]
    result = run(COLLATZ, {"start": starts}, lanes=8)
    assert result.outputs["steps"].tolist() == [collatz(n) for n in starts]


CONTINUE_AND_BREAK = """
shader vertex
attribute @limit: int
attribute @skip: int
output @sum: int
output @last: int

func @main {
^entry:
  %0:int = load @limit
  %1:int = load @skip
  br ^head
^head:
  %2:int = phi [0, ^entry], [%6, ^body], [%6, ^work]
  %3:int = phi [0, ^entry], [%3, ^body], [%9, ^work]
  %4:bool = ilt %2, 20
  condbr %4, ^body, ^exit
^body:
  %5:int = imul %2, %2
  %6:int = iadd %2, 1
  %7:bool = ieq %2, %1
  condbr %7, ^head, ^test
^test:
  %8:bool = ilt %0, %3
  condbr %8, ^exit, ^work
^work:
  %9:int = iadd %3, %5
  br ^head
^exit:
  %10:int = phi [%2, ^head], [%5, ^test]
  store @sum, %3
  store @last, %10
  ret
}
"""


def continue_and_break(limit: int, skip: int) -> tuple[int, int]:
    total, i = 0, 0
    while i < 20:
        square = i * i
        i += 1
        if i - 1 == skip:
            continue
        if limit < total:
            return total, square
        total += square
    return total, i


def test_values_survive_while_other_lanes_go_round() -> None:
    limits = [0, 5, 1000, 10**6, 30, 3, 200, 77]
    skips = [3, 0, 19, 4, 2, 50, 1, 5]
    result = run(CONTINUE_AND_BREAK, {"limit": limits, "skip": skips}, lanes=8)
    found = zip(result.outputs["sum"].tolist(), result.outputs["last"].tolist(), strict=True)
    assert list(found) == [continue_and_break(*lane) for lane in zip(limits, skips, strict=True)]


LIVE_OUT = """
shader vertex
attribute @limit: int
output @square: int
output @chosen: int
func @main {
^entry:
  %0:int = load @limit
  br ^head
^head:
  %1:int = phi [0, ^entry], [%6, ^next]
  %2:int = imul %1, %1
  %3:int = ineg %2
  %4:bool = ilt %2, %0
  condbr %4, ^next, ^left
^next:
  %6:int = iadd %1, 1
  br ^head
^left:
  %7:bool = ilt %0, 10
  condbr %7, ^small, ^join
^small:
  br ^join
^join:
  %8:int = phi [%3, ^left], [%2, ^small]
  store @square, %2
  store @chosen, %8
  ret
}
"""


def test_values_of_a_loop_are_those_of_the_round_in_which_a_lane_left_it() -> None:
    limits = [0, 50, 5, 2, 1000, 9, 10, 100]
    squares = [next(i * i for i in range(100) if i * i >= limit) for limit in limits]
    result = run(LIVE_OUT, {"limit": limits}, lanes=8)
    assert result.outputs["square"].tolist() == squares
    chosen = [square if limit < 10 else -square for limit, square in zip(limits, squares, strict=True)]
    assert result.outputs["chosen"].tolist() == chosen


LOADED = """
shader vertex
attribute @limit: int
output @before: int
output @after: int
func @main {
  local @count: int
^entry:
  %0:int = load @limit
  store @count, 0
  br ^head
^head:
  %1:int = load @count
  %2:int = iadd %1, 3
  store @count, %2
  %3:bool = ilt %2, %0
  condbr %3, ^head, ^exit
^exit:
  %4:int = load @count
  store @before, %1
  store @after, %4
  ret
}
"""


def test_loaded_values_are_those_of_the_round_in_which_a_lane_left_the_loop() -> None:
    result = run(LOADED, {"limit": [0, 20, 4, 9]}, lanes=4)
    assert result.outputs["before"].tolist() == [0, 18, 3, 6]
    assert result.outputs["after"].tolist() == [3, 21, 6, 9]


FIBONACCI = """
shader vertex
attribute @n: int
output @pair: ivec2
func @main {
^entry:
  %0:int = load @n
  br ^head
^head:
  %1:int = phi [0, ^entry], [%2, ^body]
  %2:int = phi [1, ^entry], [%5, ^body]
  %3:int = phi [0, ^entry], [%6, ^body]
  %4:bool = ilt %3, %0
  condbr %4, ^body, ^exit
^body:
  %5:int = iadd %1, %2
  %6:int = iadd %3, 1
  br ^head
^exit:
  %7:ivec2 = construct %1, %2
  store @pair, %7
  ret
}
"""


def test_phis_of_a_block_are_set_at_once() -> None:
    assert run(FIBONACCI, {"n": [0, 1, 5, 10]}, lanes=4).outputs["pair"].tolist() == [[0, 1], [1, 1], [5, 8], [55, 89]]


# ------------------------------------------------------------------------------------------ memory
def test_layout_of_values() -> None:
    text = """
    shader vertex
    attribute @v: vec3
    attribute @flag: bool
    uniform @m: vec3 columns(2)
    uniform @a[].w: float[4]
    varying @matrix: vec3 columns(2)
    varying @array: vec2[2]
    output @sum: float
    func @main {
    ^entry:
      %0:vec3 = load @v
      %1:vec3 = load @m.0
      %2:vec3 = load @m.1
      %3:float = load @a[].w[3]
      %4:bool = load @flag
      %5:float = dot %0, %2
      %6:float = btof %4
      %7:float = fadd %5, %3
      %8:float = fadd %7, %6
      store @matrix.0, %1
      store @matrix.1, %0
      %9:vec2 = swizzle.xy %0
      store @array[1], %9
      store @sum, %8
      ret
    }
    """
    result = run(
        text,
        {"v": [[1, 2, 3], [4, 5, 6]], "flag": [True, False]},
        {"m": [[10, 20, 30], [1, 0, -1]], "a[].w": [0, 0, 0, 0.5]},
        lanes=2,
    )
    assert result.outputs["sum"].tolist() == [-0.5, -1.5]
    assert result.outputs["matrix"].tolist() == [[[10, 20, 30], [1, 2, 3]], [[10, 20, 30], [4, 5, 6]]]
    assert result.outputs["array"].tolist() == [[[0, 0], [1, 2]], [[0, 0], [4, 5]]]
    assert result.outputs["sum"].dtype == np.float32


INDEXING = """
shader vertex
attribute @i: int
attribute @j: int
uniform @table: float[3]
output @read: vec4
func @main {
  local @cells: vec2[3]
  local @m: mat2
^entry:
  %0:int = load @i
  %1:int = load @j
  %2:float = load @table[%0 + 1]
  store @cells[%0 + 0], vec2(1.0, 2.0)
  store @cells[%1 + 1], vec2(3.0, 4.0)
  %3:vec2 = load @cells[%1 + 0]
  store @m.1, vec2(5.0, 6.0)
  store @m.%0, vec2(7.0, 8.0)
  %4:vec2 = load @m.%1
  %5:float = swizzle.x %3
  %6:vec3 = construct %2, %5, 0.0
  %7:float = swizzle.y %4
  %8:vec4 = construct %2, %3, %7
  store @read, %8
  ret
}
"""


def indexing(i: int, j: int) -> list[float]:
    def clamp(index: int, count: int) -> int:
        return min(max(index, 0), count - 1)

    cells, columns = [[0.0, 0.0] for _ in range(3)], [[0.0, 0.0], [5.0, 6.0]]
    cells[clamp(i, 3)] = [1.0, 2.0]
    cells[clamp(j + 1, 3)] = [3.0, 4.0]
    columns[clamp(i, 2)] = [7.0, 8.0]
    return [[10.0, 20.0, 30.0][clamp(i + 1, 3)], *cells[clamp(j, 3)], columns[clamp(j, 2)][1]]


INDEX_PAIRS = [(0, 0), (1, 0), (2, 1), (-5, 2), (2**31 - 1, -(2**31)), (1, 2), (0, 1), (-1, 7)]


def test_indices_out_of_range_clamp_in_every_lane() -> None:
    i, j = zip(*INDEX_PAIRS, strict=True)
    result = run(INDEXING, {"i": i, "j": j}, {"table": [10, 20, 30]}, lanes=8)
    assert result.outputs["read"].tolist() == [indexing(*pair) for pair in INDEX_PAIRS]


@pytest.mark.parametrize("pair", INDEX_PAIRS)
def test_a_single_lane_indexes_alike(pair: tuple[int, int]) -> None:
    result = run(INDEXING, {"i": pair[:1], "j": pair[1:]}, {"table": [10, 20, 30]})
    assert result.outputs["read"].tolist() == [indexing(*pair)]


def test_undefined_values_read_as_zero() -> None:
    text = """
    shader fragment
    output @color: vec4
    output @never: vec2
    func @main {
      local @unset: float
    ^entry:
      %0:float = load @unset
      %1:vec4 = insert.y vec4(1.0, undef, undef, -0.0), %0
      store @color, %1
      ret
    }
    """
    outputs = run(text).outputs
    assert outputs["color"].tolist() == [[1, 0, 0, 0]] and np.signbit(outputs["color"][0, 3])
    assert outputs["never"].tolist() == [[0, 0]]


# ------------------------------------------------------------------------------------------- calls
CALLS = """
shader vertex
attribute @x: float
output @y: float
func @main {
^entry:
  %0:float = load @x
  %1:bool = flt %0, 0.0
  condbr %1, ^negative, ^positive
^negative:
  store @argument, %0
  call @square
  %2:float = load @result
  %3:float = fneg %2
  br ^exit
^positive:
  store @argument, %0
  call @square
  %4:float = load @result
  store @argument, %4
  call @square
  %5:float = load @result
  br ^exit
^exit:
  %6:float = phi [%3, ^negative], [%5, ^positive]
  store @y, %6
  ret
}
func @square {
  local @argument: float
  local @result: float
^entry:
  %0:float = load @argument
  %1:float = fmul %0, %0
  store @result, %1
  ret
}
"""


def test_a_function_called_from_diverging_lanes() -> None:
    assert run(CALLS, {"x": [-3, 2, -1, 3]}, lanes=4).outputs["y"].tolist() == [-9, 16, -1, 81]


def test_a_long_chain_of_calls_needs_no_deep_stack() -> None:
    functions = [f"func @f{k} {{\n^entry:\n  call @f{k + 1}\n  ret\n}}\n" for k in range(3000)]
    text = (
        "shader vertex\noutput @y: float\nfunc @main {\n^entry:\n  call @f0\n  ret\n}\n"
        + "".join(functions)
        + "func @f3000 {\n^entry:\n  store @y, 1.0\n  ret\n}\n"
    )
    assert run(text).outputs["y"].tolist() == [1]


def test_recursion_is_an_error() -> None:
    text = "shader vertex\nfunc @main {\n^entry:\n  call @f\n  ret\n}\nfunc @f {\n^entry:\n  call @f\n  ret\n}\n"
    assert error_of(text) == "function 'f' calls itself [E0657]"


# ------------------------------------------------------------------------------------------ errors
def test_names_and_shapes_of_values_are_checked() -> None:
    text = COLLATZ
    assert error_of(text) == "attribute 'start' is read but was given no value [E0651]"
    assert error_of(text, {"begin": [1]}) == "the shader has no input 'begin' [E0650]"
    assert error_of(text, {"steps": [1]}) == "the shader has no input 'steps' [E0650]"
    assert error_of(text, {"start": [1]}, uniforms={"start": 1}) == "the shader has no uniform 'start' [E0650]"
    assert error_of(text, {"start": [1, 2]}, lanes=3) == ("attribute 'start' must have shape (3,), found (2,) [E0652]")
    assert error_of(text, {"start": [1]}, textures={"start": []}) == "the shader has no sampler 'start' [E0650]"


def test_an_endless_loop_ends_with_an_error() -> None:
    text = "shader vertex\nfunc @main {\n^entry:\n  br ^loop\n^loop:\n  br ^loop\n}\n"
    assert error_of(text, max_steps=1000) == "the shader did not finish within 1000 steps [E0656]"
    assert DEFAULT_MAX_STEPS >= 10**6


def test_no_lanes_give_empty_results() -> None:
    result = run(COLLATZ, {"start": np.zeros((0,))}, lanes=0)
    assert result.outputs["steps"].shape == (0,) and result.discarded.shape == (0,)


# ---------------------------------------------------------------------------------- other formats
class TenthsArithmetic(LaneArithmetic):
    """Decimal fixed point with one digit, stored as integers: 1.0 is 10."""

    __slots__ = ()

    def encode(self, kind: str, values: Any) -> Array:
        scaled = np.floor(np.asarray(values, np.float64) * 10)
        return scaled.astype(np.int64) if kind == "float" else super().encode(kind, values)

    def decode(self, kind: str, x: Array) -> Array:
        return x / 10 if kind == "float" else x

    def fconst(self, value: float) -> Array:
        return self.encode("float", value)

    def fmul(self, x: Array, y: Array) -> Array:
        return np.floor_divide(np.multiply(x, y), 10)


def test_the_number_format_is_the_arithmetics_business() -> None:
    result = run(CALLS, {"x": [-0.75, 0.25, 1.55, 3]}, lanes=4, arithmetic=TenthsArithmetic())
    assert result.outputs["y"].tolist() == [-0.6, 0.0, 4.8, 81]
