"""Random chains of sums and products: the same value as before, no more operations, nothing left to do."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from compiler.ir import ops
from compiler.ir.builder import Builder, float_constant, int_constant
from compiler.ir.module import Module, Value
from compiler.ir.ops import Opcode
from compiler.ir.types import FLOAT, INT, VEC4
from compiler.ir.variables import Variable
from compiler.passes.base import PassContext
from compiler.passes.scalar.reassociate import Reassociate
from tests.compiler.passes.oracle import complaint_about
from tests.compiler.passes.trials import module_trial

#: Two-operand opcodes of a chain, and its negation.
FAMILIES: dict[str, tuple[list[Opcode], Opcode | None]] = {
    "float sums": ([ops.FADD, ops.FSUB], ops.FNEG),
    "int sums": ([ops.IADD, ops.ISUB], ops.INEG),
    "int products": ([ops.IMUL], None),
}


def build(family: str, seed: int) -> Module:
    """A shader that computes one random tree."""
    random = Random(seed)
    module = Module("vertex")
    attribute = module.add_variable(Variable("a", "attribute", FLOAT))
    uniform = module.add_variable(Variable("k", "uniform", INT))
    position = module.add_variable(Variable("gl_Position", "output", VEC4, role="position"))
    builder = Builder(module.add_function("main").add_block("entry"))
    varying: Value = builder.load(attribute)
    steady: Value = builder.load(uniform)
    is_float = family.startswith("float")
    if is_float:
        steady = builder.op(ops.ITOF, steady)
    else:
        varying = builder.op(ops.FTOI, varying)

    def leaf() -> Value:
        number = random.randint(-3, 3)
        constant = float_constant(number / 2) if is_float else int_constant(number)
        return random.choice([varying, steady, constant])

    def tree(size: int) -> Value:
        binary, negation = FAMILIES[family]
        if negation is not None and random.random() < 0.2:
            return builder.op(negation, tree(size))
        if size == 1:
            return leaf()
        left = random.randint(1, size - 1)
        return builder.op(random.choice(binary), tree(left), tree(size - left))

    result = tree(random.randint(2, 9))
    if not is_float:
        result = builder.op(ops.ITOF, result)
    builder.store(position, builder.splat(result, 4))
    builder.ret()
    return module


@pytest.mark.parametrize("family", FAMILIES)
def test_random_chains(family: str) -> None:
    changed = 0
    for seed in range(60):
        trial = module_trial(f"{family} {seed}", partial(build, family, seed))
        assert not complaint_about(trial, (Reassociate(),)), seed
        module = build(family, seed)
        size = sum(1 for _ in module.main.instructions())
        changed += Reassociate().run(module.main, PassContext())
        assert sum(1 for _ in module.main.instructions()) <= size, seed
        assert not Reassociate().run(module.main, PassContext()), seed
    assert changed > 10


def test_long_chains_are_no_recursion() -> None:
    module = build("int sums", 0)
    (store, *_) = [i for i in module.main.instructions() if i.op is ops.STORE]
    builder = Builder.before(store)
    value = next(i for i in module.main.instructions() if i.type is INT)
    total: Value = value
    for number in range(5000):
        total = builder.op(ops.IADD, int_constant(number), total)
    store.set_operand(0, builder.splat(builder.op(ops.ITOF, total), 4))
    assert Reassociate().run(module.main, PassContext())
    assert sum(1 for i in module.main.instructions() if i.op is ops.IADD) < 10
