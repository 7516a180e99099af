"""What counts as a change of an instruction, and that copies of modules remember."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.blocks import UniformBlock
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import FEW_USERS, Function, Instruction, Module
from glslc_multi.compiler.ir.types import VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.control_flow.clone import clone_module


class Shader:
    """A load, its sum with itself, `users` more users of that, and a store of the last one."""

    def __init__(self, users: int = 1) -> None:
        self.module = Module("vertex")
        attribute = self.module.add_variable(Variable("a", "attribute", VEC4))
        self.function: Function = self.module.add_function("main")
        self.builder = Builder(self.function.add_block("entry"))
        self.load = self.builder.load(attribute)
        self.sum = self.builder.op(ops.FADD, self.load, self.load)
        self.users = [self.builder.op(ops.FNEG, self.sum) for _ in range(users)]
        self.before = self.function.changes

    def changed(self) -> set[Instruction]:
        """What changed since the shader was made."""
        return {instruction for instruction in self.function.instructions() if instruction.changed > self.before}


def test_what_is_made_has_changed() -> None:
    shader = Shader()
    made = shader.builder.op(ops.FABS, shader.sum)
    assert shader.changed() == {made}


def test_another_operand_changes_the_user_and_what_loses_it() -> None:
    shader = Shader()
    shader.users[0].set_operand(0, shader.load)
    assert shader.changed() == {shader.users[0], shader.sum}


def test_users_that_take_another_value_change() -> None:
    shader = Shader(3)
    shader.sum.replace_all_uses_with(shader.load)
    assert shader.changed() >= set(shader.users)


@pytest.mark.parametrize(("users", "is_noticed"), [(FEW_USERS + 1, True), (FEW_USERS + 2, False)])
def test_a_user_less_counts_where_few_are_left(users: int, is_noticed: bool) -> None:
    shader = Shader(users)
    shader.users[0].erase()
    assert (shader.sum in shader.changed()) is is_noticed
    assert shader.function.changes > shader.before


def test_what_only_moves_stays_what_it_was() -> None:
    shader = Shader()
    user = shader.users[0]
    user.unlink()
    shader.builder.block.append(user)
    assert shader.changed() == set()
    assert shader.function.changes > shader.before


def test_a_change_outside_of_all_blocks_counts_when_it_comes_back() -> None:
    shader = Shader()
    user = shader.users[0]
    user.unlink()
    user.set_operand(0, shader.load)
    shader.builder.block.append(user)
    assert user in shader.changed()


def test_what_becomes_another_operation_keeps_place_and_users() -> None:
    shader = Shader()
    shader.sum.become(ops.FMUL, (shader.load, shader.load))
    assert shader.changed() >= {shader.sum}
    assert [instruction.op for instruction in shader.function.instructions()] == [ops.LOAD, ops.FMUL, ops.FNEG]
    assert shader.users[0].operands == [shader.sum]
    assert shader.load.users == {shader.sum: 2}


@pytest.mark.parametrize(
    "fact", [lambda f: f.changes, lambda f: f.seen, lambda f: [i.changed for i in f.instructions()]]
)
def test_a_copy_remembers(fact: Callable[[Function], object]) -> None:
    shader = Shader()
    shader.function.seen["somebody"] = 3
    shader.module.settled["a pass"] = ("something",)
    copy = clone_module(shader.module)
    assert fact(copy.main) == fact(shader.function)
    assert copy.settled == shader.module.settled
    copy.main.seen["somebody"] = 4
    assert shader.function.seen["somebody"] == 3


def test_a_copied_module_keeps_its_uniform_blocks_and_how_exact_its_ints_are() -> None:
    module = Shader().module
    module.blocks.append(UniformBlock("Params", "std140", None, 16, ()))
    module.exact_integers = True
    copy = clone_module(module)
    assert copy.exact_integers
    assert copy.blocks == module.blocks
    copy.blocks.clear()
    assert len(module.blocks) == 1
