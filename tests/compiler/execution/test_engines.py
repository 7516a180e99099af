"""What both engines do with a program's control flow and with values from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.execution.arrays import BLOCK, ArrayEngine
from glslc_multi.compiler.execution.program import Edge, Element, Lanes, LaneState, Word
from tests.compiler.execution.engines import ENGINES, Step, Steps, engine_of

Edges = Sequence[Edge[int]]


def run(
    engine: str, steps: Mapping[int, Step], outputs: Mapping[str, Element], state: LaneState, group: int | None = None
) -> dict[Any, Any]:
    return engine_of(engine, steps, outputs, group).run(state)


# --- Control flow -----------------------------------------------------------------------------------------------------


def collatz(lanes: Lanes) -> Edges:
    """How often `n` is halved or tripled until it is 1: each lane goes its own number of times around."""
    a = lanes.operations
    n = lanes.read("n", "i32", given="n")
    is_odd = a.ieq(a.bits_and(n, a.iconst(1)), a.iconst(1))
    return (3, a.ieq(n, a.iconst(1))), (1, is_odd), (2, None)


def triple(lanes: Lanes) -> Edges:
    a = lanes.operations
    lanes.write("n", a.iadd(a.imul(lanes.read("n", "i32"), a.iconst(3)), a.iconst(1)))
    lanes.write("count", a.iadd(lanes.read("count", "i32"), a.iconst(1)))
    return ((0, None),)


def halve(lanes: Lanes) -> Edges:
    a = lanes.operations
    lanes.write("n", a.asr(lanes.read("n", "i32"), a.iconst(1)))
    lanes.write("count", a.iadd(lanes.read("count", "i32"), a.iconst(1)))
    return ((0, None),)


def end(lanes: Lanes) -> Edges:
    return ()


_COLLATZ: Mapping[int, Step] = {0: collatz, 1: triple, 2: halve, 3: end}


def steps_to_one(n: int) -> int:
    count = 0
    while n != 1:
        n, count = 3 * n + 1 if n % 2 else n // 2, count + 1
    return count


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("lanes", [1, 7, 100])
def test_lanes_part_and_meet(engine: str, lanes: int) -> None:
    n = np.arange(1, lanes + 1)
    found = run(engine, _COLLATZ, {"count": "i32", "n": "i32"}, LaneState(lanes, {"n": n}))
    assert found["count"].tolist() == [steps_to_one(int(x)) for x in n]
    assert set(found["n"].tolist()) == {1}


@pytest.mark.parametrize("engine", ENGINES)
def test_the_number_of_steps_is_limited(engine: str) -> None:
    state = LaneState(3, {"n": np.array([1, 27, 2])}, max_steps=100)
    with pytest.raises(CompileError) as error:
        run(engine, _COLLATZ, {"count": "i32"}, state)
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == ["E0656"]


def test_steps_are_counted_by_lane() -> None:
    code = ArrayEngine(lambda lanes: Steps(_COLLATZ, {}, lanes))
    code.run(LaneState(4, {"n": np.array([1, 2, 3, 4])}))
    # One for each turn, one for each decision, one for the end.
    assert code.steps.tolist() == [2 * steps_to_one(n) + 2 for n in (1, 2, 3, 4)]


def test_many_lanes_run_in_blocks() -> None:
    lanes = 2 * BLOCK + 5
    n = np.arange(lanes) % 50 + 1
    found = run("arrays", _COLLATZ, {"count": "i32"}, LaneState(lanes, {"n": n}))["count"]
    table = np.array([0, *(steps_to_one(x) for x in range(1, 51))])
    np.testing.assert_array_equal(found, table[n])


def test_how_many_lanes_a_block_has_can_be_chosen() -> None:
    """Those of a block decide together."""

    def decide(lanes: Lanes) -> Edges:
        a = lanes.operations
        lanes.write("any", a.select(lanes.any(a.flt(lanes.input("x"), a.fconst(0.0))), a.iconst(1), a.iconst(0)))
        return ()

    state = LaneState(7, {"x": np.array([1, 1, 1, 1, -1, 1, 1])})
    for block, wanted in ((4, [0, 0, 0, 0, 1, 1, 1]), (7, [1] * 7), (100, [1] * 7)):
        found = ArrayEngine(lambda lanes: Steps({0: decide}, {"any": "i32"}, lanes), block=block).run(state)
        assert found["any"].tolist() == wanted


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("given", ["x", Word(1)])
def test_what_some_lanes_write_before_any_reads_it(engine: str, given: Any) -> None:
    def branch(lanes: Lanes) -> Edges:
        a = lanes.operations
        return (1, a.ilt(lanes.input("x", "i32"), a.iconst(5))), (2, None)

    def change(lanes: Lanes) -> Edges:
        lanes.write("y", lanes.operations.iconst(70), given=given)
        return ((2, None),)

    state = LaneState(4, {"x": np.array([4, 5, 6, 3])}, np.array([8, 9]))
    found = run(engine, {0: branch, 1: change, 2: end}, {"y": "i32"}, state)["y"]
    assert found.tolist() == ([70, 5, 6, 70] if given == "x" else [70, 9, 9, 70])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_variable_may_begin_with_what_all_lanes_share(engine: str) -> None:
    def grow(lanes: Lanes) -> Edges:
        a = lanes.operations
        lanes.write("y", a.iadd(lanes.read("y", "i32", Word(1)), lanes.input("x", "i32")))
        return ()

    found = run(engine, {0: grow}, {"y": "i32"}, LaneState(3, {"x": np.array([1, 2, 3])}, np.array([8, 9])))
    assert found["y"].tolist() == [10, 11, 12]


def mark(name: str, value: int, *edges: Edge[int]) -> Step:
    def step(lanes: Lanes) -> Edges:
        lanes.write(name, lanes.operations.iconst(value))
        return edges

    return step


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("decides", ["any", "all"])
def test_groups_decide_together(engine: str, decides: str) -> None:
    def decide(lanes: Lanes) -> Edges:
        a = lanes.operations
        holds = a.flt(a.fconst(0.0), lanes.input("x"))
        return (1, getattr(lanes, decides)(holds)), (2, None)

    steps = {0: decide, 1: mark("went", 1), 2: mark("went", 2)}
    x = np.zeros(48, np.float32)
    x[20] = 1.0
    x[32:] = 1.0
    found = run(engine, steps, {"went": "i32"}, LaneState(48, {"x": x}), group=16)["went"].reshape(3, 16)
    assert [set(row) for row in found.tolist()] == [{2}, {1 if decides == "any" else 2}, {1}]


@pytest.mark.parametrize("engine", ENGINES)
def test_one_of_two_is_done_for_all_lanes(engine: str) -> None:
    def step(lanes: Lanes) -> Edges:
        a = lanes.operations
        is_set = lanes.any(a.bnot(a.ieq(lanes.constant(0, "i32"), a.iconst(0))))
        first, second = lanes.either(
            is_set, lambda: [a.fconst(1.0), a.fconst(2.0)], lambda: [a.fconst(3.0), lanes.input("x")]
        )
        lanes.write("first", first)
        lanes.write("second", second)
        return ()

    for word, wanted in ((1, (1.0, 2.0)), (0, (3.0, 5.0))):
        state = LaneState(3, {"x": np.full(3, 5.0)}, np.array([word]))
        found = run(engine, {0: step}, {"first": "float", "second": "float"}, state)
        assert (found["first"].tolist(), found["second"].tolist()) == ([wanted[0]] * 3, [wanted[1]] * 3)


@pytest.mark.parametrize("engine", ENGINES)
def test_writes_reach_the_lanes_of_masks_alone(engine: str) -> None:
    def step(lanes: Lanes) -> Edges:
        a, x = lanes.operations, lanes.input("x")
        lanes.write("y", a.fconst(1.0))
        lanes.mask = a.flt(x, a.fconst(3.0))
        lanes.write("y", a.fconst(2.0), a.flt(a.fconst(1.0), x))
        lanes.mask = None
        return ()

    found = run(engine, {0: step}, {"y": "float"}, LaneState(5, {"x": np.arange(5.0)}))
    assert found["y"].tolist() == [1, 1, 2, 1, 1]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("first", ["float", "i32"])
def test_variables_keep_bits(engine: str, first: Element) -> None:
    """Of floats and of words, whichever came first, in some lanes and in all."""
    one = 0x3F800000

    def step(lanes: Lanes) -> Edges:
        a = lanes.operations
        is_low = a.flt(lanes.input("x"), a.fconst(1.0))
        values = [a.iconst(7), a.fconst(1.0)] if first == "i32" else [a.fconst(1.0), a.iconst(7)]
        for name, where in (("all", None), ("some", is_low)):
            lanes.write(name, values[0])
            lanes.write(name, values[1], where)
            found = lanes.read(name, first)
            lanes.write(f"{name} bits", a.bits(found) if a.is_float(found) else found)
        return ()

    outputs: dict[str, Element] = {"all bits": "i32", "some bits": "i32"}
    found = run(engine, {0: step}, outputs, LaneState(3, {"x": np.arange(3.0)}))
    then, before = (one, 7) if first == "i32" else (7, one)
    assert found["all bits"].tolist() == [then] * 3
    assert found["some bits"].tolist() == [then, before, before]


def test_what_a_program_requires_is_looked_at_while_it_is_interpreted() -> None:
    def step(lanes: Lanes) -> Edges:
        lanes.require(lanes.operations.flt(lanes.input("x"), lanes.operations.fconst(2.0)), "two or more")
        return ()

    for engine in ENGINES:
        run(engine, {0: step}, {}, LaneState(2, {"x": np.array([0.0, 1.0])}))
    state = LaneState(2, {"x": np.array([0.0, 2.0])})
    run("translated", {0: step}, {}, state)
    with pytest.raises(RuntimeError, match="two or more"):
        run("arrays", {0: step}, {}, state)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_program_that_does_what_no_program_may(engine: str) -> None:
    def step(lanes: Lanes) -> Edges:
        lanes.fault("a jump into nowhere")

    with pytest.raises((RuntimeError, CompileError), match="a jump into nowhere"):
        run(engine, {0: step}, {}, LaneState(1))


# --- Values from and to the outside -----------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_a_word_as_a_double_is_its_float(engine: str) -> None:
    def step(lanes: Lanes) -> Edges:
        index = lanes.operations.widened(lanes.input("x", "i32"))
        lanes.write("one", lanes.constant(1, "double"))
        lanes.write("each", lanes.constant_at(index, "double"))
        return ()

    words = np.array([0.1, -2.5, 1e-40], np.float32)
    state = LaneState(3, {"x": np.array([2, 0, 1])}, words.view(np.int32))
    found = run(engine, {0: step}, {"one": "double", "each": "double"}, state)
    assert found["one"].tolist() == [-2.5] * 3
    assert found["each"].tolist() == [float(words[2]), float(words[0]), -2.5]


@pytest.mark.parametrize("engine", ENGINES)
def test_words_of_constants_and_bytes_of_buffers(engine: str) -> None:
    data = bytes(range(1, 30))

    def step(lanes: Lanes) -> Edges:
        a = lanes.operations
        index = a.widened(lanes.input("i", "i32"))
        lanes.write("word", lanes.constant_at(index))
        lanes.write("bytes", lanes.load("data", a.imul(index, a.lconst(3)), "i32"))
        lanes.write("size", a.narrowed(lanes.size("data")))
        lanes.write("lane", lanes.lane_numbers())
        return ()

    words = np.array([1.5, 2.5, -3.5, 4.5], np.float32).view(np.int32)
    numbers = np.array([3, 0, 2, 1, 3, 3])
    outputs: dict[str, Element] = {"word": "float", "bytes": "i32", "size": "i32", "lane": "i32"}
    found = run(engine, {0: step}, outputs, LaneState(6, {"i": numbers, "data": data}, words), group=8)
    assert found["word"].tolist() == [4.5, 1.5, -3.5, 2.5, 4.5, 4.5]
    assert found["bytes"].tolist() == [int.from_bytes(data[3 * n : 3 * n + 4], "little") for n in numbers]
    assert found["size"].tolist() == [29] * 6
    assert found["lane"].tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("lanes", [5, BLOCK + 5])
def test_outputs_that_grow(engine: str, lanes: int) -> None:
    """Each lane hands out `n`, n times, there is room for two; but the lanes with 3, which a mask leaves out."""

    def is_more(lanes: Lanes) -> Edges:
        a = lanes.operations
        return (1, a.ilt(lanes.read("count", "i32"), lanes.input("n", "i32"))), (2, None)

    def hand_out(lanes: Lanes) -> Edges:
        a, mask = lanes.operations, lanes.mask
        count, n = lanes.read("count", "i32"), lanes.input("n", "i32")
        lanes.mask = lanes.both(mask, a.bnot(a.ieq(n, a.iconst(3))))
        lanes.append("found", n, count, a.ult(count, a.iconst(2)), "i32")
        lanes.mask = mask
        lanes.write("count", a.iadd(count, a.iconst(1)))
        return ((0, None),)

    n = np.arange(lanes) % 5
    found = run(engine, {0: is_more, 1: hand_out, 2: end}, {"count": "i32"}, LaneState(lanes, {"n": n}, most=2))
    assert (found["count"] == n).all()
    handed = np.where(n == 3, 0, n)
    np.testing.assert_array_equal(found["found"], [np.where(n > 0, handed, 0), np.where(n > 1, handed, 0)])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("quads", [False, True])
def test_the_level_of_detail_is_that_of_the_steps_in_quads(engine: str, quads: bool) -> None:
    """Two texels to the pixel: level 1, whose texels are 1, where level 0 has 0."""
    levels = [np.zeros((8, 8)), np.ones((4, 4)), np.full((2, 2), 0.5), np.full((1, 1), 0.25)]
    texture = Texture(levels[0], "nearest_mipmap_nearest", mips=levels[1:])

    def step(lanes: Lanes) -> Edges:
        a = lanes.operations
        coordinate = [lanes.input("s", "double"), lanes.input("t", "double")]
        colour = lanes.sample(0, coordinate, a.dconst(0.0), by_steps=True, is_cube=False)
        lanes.write("red", a.narrowed(colour[0]))
        return ()

    s, t = np.tile([0.0, 0.25, 0.0, 0.25], 2), np.tile([0.0, 0.0, 0.25, 0.25], 2)
    state = LaneState(8, {"s": s, "t": t}, textures=[texture], quads=quads)
    assert run(engine, {0: step}, {"red": "float"}, state)["red"].tolist() == [1.0 if quads else 0.0] * 8


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("texture", [None, Texture(np.zeros((6, 2, 2, 4)))])
def test_a_texture_must_be_there_and_of_the_kind_that_is_sampled(engine: str, texture: Texture | None) -> None:
    def step(lanes: Lanes) -> Edges:
        place = [lanes.operations.dconst(0.5)] * 2
        lanes.sample(0, place, lanes.operations.dconst(0.0), by_steps=False, is_cube=False)
        return ()

    with pytest.raises(CompileError) as error:
        run(engine, {0: step}, {}, LaneState(4, textures=[texture]))
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == ["E0655"]


def test_what_is_known_of_a_value() -> None:
    def step(lanes: Lanes) -> Edges:
        found.append(lanes.known(lanes.operations.iconst(-7)))
        found.append(lanes.known(lanes.input("x", "i32")))
        return ()

    for engine, varying in (("arrays", None), ("translated", None)):
        found: list[int | None] = []
        run(engine, {0: step}, {}, LaneState(2, {"x": np.array([1, 2])}))
        assert found == [-7, varying]
    found = []
    run("arrays", {0: step}, {}, LaneState(2, {"x": np.array([4, 4])}))
    assert found == [-7, 4]
