"""The order of blocks: what dominates comes first, and of two ways the first one."""

from __future__ import annotations

import pytest

from tests.frontends.spirv.modules import lowered, shader

_RESULT = "%result = OpCopyObject %vec4 %a\n"
_IS = "%is = OpFOrdLessThan %bool %f0 %f1\n"


def _branch(label: str, *targets: str) -> str:
    """A block that ends with a branch to one or two others."""
    end = f"OpBranch %{targets[0]}" if len(targets) == 1 else f"OpBranchConditional %is %{targets[0]} %{targets[1]}"
    return f"%{label} = OpLabel\n{end}\n"


def _start(*targets: str) -> str:
    return _IS + _branch("entry", *targets).partition("\n")[2]


#: The blocks of `main` -> their order.
_ORDERS = {
    "a choice": (_start("p", "q") + _branch("p", "end") + _branch("q", "end"), "p q end"),
    "a choice whose second way is written first": (
        _start("p", "q") + _branch("q", "end") + _branch("p", "end"),
        "p q end",
    ),
    "a choice with one way": (_start("p", "end") + _branch("p", "end"), "p end"),
    "a choice in each way of another": (
        _start("p", "q")
        + _branch("p", "p1", "p2")
        + _branch("p1", "pe")
        + _branch("p2", "pe")
        + _branch("pe", "end")
        + _branch("q", "q1", "q2")
        + _branch("q1", "qe")
        + _branch("q2", "qe")
        + _branch("qe", "end"),
        "p p1 p2 pe q q1 q2 qe end",
    ),
    "a loop": (
        _start("head")
        + "%head = OpLabel\nOpLoopMerge %end %next None\nOpBranchConditional %is %body %end\n"
        + _branch("body", "next")
        + _branch("next", "head"),
        "head body next end",
    ),
    "a loop that may be left": (
        _start("head")
        + "%head = OpLabel\nOpLoopMerge %end %next None\nOpBranchConditional %is %body %end\n"
        + _branch("body", "next", "end")
        + _branch("next", "head"),
        "head body next end",
    ),
    "blocks that nothing leads to": (_start("p") + _branch("lost", "p") + _branch("p", "end"), "p end"),
}


@pytest.mark.parametrize("what", _ORDERS)
def test_blocks_are_in_order(what: str) -> None:
    body, order = _ORDERS[what]
    main = lowered(shader(f"{body}%end = OpLabel\n{_RESULT}")).functions["main"]
    labels = {*order.split(), "lost"}
    assert [block.name for block in main.blocks if block.name in labels] == order.split()


def test_a_long_chain_of_blocks_is_no_recursion() -> None:
    count = 3000
    chain = "".join(_branch(f"b{n}", f"b{n + 1}" if n + 1 < count else "end") for n in range(count))
    main = lowered(shader(f"{_start('b0')}{chain}%end = OpLabel\n{_RESULT}")).functions["main"]
    names = [block.name for block in main.blocks if block.name.startswith("b")]
    assert names == [f"b{n}" for n in range(count)]
