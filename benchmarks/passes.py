"""How the time of every pass grows with the shader, from 200 to 20,000 instructions.

    python -m benchmarks.passes [--sizes 200,2000,20000] [--passes gvn,licm] [--rounds 3]

Two shapes are measured: one long block, and many small branches and loops with local variables.  The last
column is the exponent of the growth between the first and the last size: 1 is linear, 2 quadratic.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from math import log
from time import process_time

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant, int_constant
from glslc_multi.compiler.ir.module import Block, Function, Module, Value
from glslc_multi.compiler.ir.types import INT, VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.registry import PASSES, pass_class
from glslc_multi.compiler.records import dataclass

#: Binary operations that the shaders repeat.
_OPERATIONS = (ops.FADD, ops.FMUL, ops.FSUB, ops.FMAX)
#: Instructions of one branch or loop, roughly.
_UNIT = 20


@dataclass(frozen=True, slots=True)
class Growth:
    """The times of one pass on one shape of module."""

    name: str
    shape: str
    #: Instructions -> seconds.
    seconds: dict[int, float]

    @property
    def exponent(self) -> float:
        """The power of the size that the time follows."""
        (small, few), *_, (large, many) = self.seconds.items()
        return log(many / few) / log(large / small)


class _Shader:
    """A vertex shader under construction."""

    def __init__(self) -> None:
        self.module = Module("vertex")
        self.attribute = self.module.add_variable(Variable("a", "attribute", VEC4))
        self.uniform = self.module.add_variable(Variable("u", "uniform", VEC4))
        self.output = self.module.add_variable(Variable("gl_Position", "output", VEC4, role="position"))
        self.function: Function = self.module.add_function("main")
        self.builder = Builder(self.function.add_block("entry"))
        self.value: Value = self.builder.load(self.attribute)

    def compute(self, count: int) -> None:
        """About `count` instructions in a chain; some are uniform, some have been computed before."""
        for number in range(count // 4):
            uniform = self.builder.op(_OPERATIONS[number % 2], self.builder.load(self.uniform), _constant(number % 8))
            shuffled = self.builder.swizzle(self.value, (number % 4, 1, 2, 3))
            self.value = self.builder.op(_OPERATIONS[number % len(_OPERATIONS)], shuffled, uniform)

    def block(self, name: str) -> Block:
        return self.function.add_block(name)

    def finish(self) -> Module:
        self.builder.store(self.output, self.value)
        self.builder.ret()
        return self.module


def straight(size: int) -> Module:
    """One block."""
    shader = _Shader()
    shader.compute(size)
    return shader.finish()


def branchy(size: int) -> Module:
    """Branches and loops in turn; what they compute goes through local variables."""
    shader = _Shader()
    for number in range(size // _UNIT):
        local = shader.function.add_variable(Variable(f"x{number}", "local", VEC4))
        shader.builder.store(local, shader.value)
        (_add_loop if number % 4 == 3 else _add_branch)(shader, local)
        shader.value = shader.builder.load(local)
    return shader.finish()


def _add_branch(shader: _Shader, local: Variable) -> None:
    then, join = shader.block("then"), shader.block("join")
    component = shader.builder.extract(shader.value, 0)
    shader.builder.condbr(shader.builder.op(ops.FLT, component, float_constant(1.0)), then, join)
    shader.builder.at_end_of(then)
    shader.compute(_UNIT - 8)
    shader.builder.store(local, shader.value)
    shader.builder.br(join)
    shader.builder.at_end_of(join)


def _add_loop(shader: _Shader, local: Variable) -> None:
    before, loop, after = shader.builder.block, shader.block("loop"), shader.block("after")
    shader.builder.br(loop)
    shader.builder.at_end_of(loop)
    index = shader.builder.phi(INT, [(int_constant(0), before)])
    shader.value = shader.builder.load(local)
    shader.compute(_UNIT - 12)
    shader.builder.store(local, shader.value)
    following = shader.builder.op(ops.IADD, index, int_constant(1))
    index.add_incoming(following, loop)
    shader.builder.condbr(shader.builder.op(ops.ILT, following, int_constant(3)), loop, after)
    shader.builder.at_end_of(after)


def _constant(number: int) -> Value:
    return float_constant(*[1.0 + number] * 4)


#: Name of a shape -> the module, and the passes that it goes through first.
_SHAPES: dict[str, tuple[Callable[[int], Module], str]] = {
    "straight": (straight, ""),
    "branchy": (branchy, "mem2reg"),
}
#: Passes that look at memory, which promotion would take away.
_ON_MEMORY = ("inline", "sroa", "mem2reg", "simplify-cfg")


def measure(names: list[str], sizes: list[int], rounds: int) -> Iterator[Growth]:
    for name in names:
        for shape, (build, before) in _SHAPES.items():
            preparation = "" if name in _ON_MEMORY else before
            seconds = {size: min(_time(name, build(size), preparation) for _ in range(rounds)) for size in sizes}
            yield Growth(name, shape, seconds)


def _time(name: str, module: Module, preparation: str) -> float:
    """Seconds that a pass takes on a module after another pass."""
    if preparation:
        _make(preparation).run_on_module(module, PassContext())
    pass_ = _make(name)
    start = process_time()
    pass_.run_on_module(module, PassContext())
    return max(process_time() - start, 1e-6)


def _make(name: str) -> Pass:
    return pass_class(name)()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.passes", description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", default="200,2000,20000")
    parser.add_argument("--passes", default=",".join(PASSES))
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    print(f"{'pass':24}{'shape':10}" + "".join(f"{size:>9} ms" for size in sizes) + "  exponent")
    for growth in measure(arguments.passes.split(","), sizes, arguments.rounds):
        times = "".join(f"{seconds * 1e3:12.2f}" for seconds in growth.seconds.values())
        print(f"{growth.name:24}{growth.shape:10}{times}{growth.exponent:10.2f}", flush=True)


if __name__ == "__main__":
    main()
