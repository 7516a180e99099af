"""How the time of a whole compilation grows with the shader, for many shapes of shaders.

    python -m benchmarks.growth [--targets agal,vc4] [--shapes 'else ifs,locals'] [--first 16] [--doublings 4]

A shape is doubled until one compilation takes longer than `--seconds` of this process.  What is printed of each size is
the median of its times, then the exponent of the growth between the two largest sizes: 1 is linear, 2 quadratic.  A
shader that is refused has its code after the time.  A `!` marks an exponent over 1.5 where the later time counts, which
it does from 0.15 s on.
"""

from __future__ import annotations

import argparse
import gc
import signal
from collections.abc import Iterator
from math import log2
from statistics import median
from time import process_time
from types import FrameType

import glslc_multi
from benchmarks.growth_shapes import SHAPES, Shape
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.records import dataclass

#: The growth that no shape may exceed, and the seconds from which on times tell.
_MOST, _TELLING = 1.5, 0.15
#: A time below this is measured again.
_SHORT = 0.5


class OutOfTime(BaseException):
    """No compiler catches it."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The times of one shape on one target."""

    shape: str
    target: str
    #: Size -> seconds; infinite where they were too many.
    seconds: dict[int, float]
    #: Size -> code of the first error, of those that are refused.
    refusals: dict[int, str]

    @property
    def exponent(self) -> float:
        """The power of the size that the time follows in the last doubling; 0 where the time is too short to tell."""
        if len(self.seconds) < 2:
            return 0.0
        before, last = list(self.seconds.values())[-2:]
        return log2(last / before) if last > _TELLING else 0.0

    def row(self) -> str:
        times = " ".join(f"{size}:{self._time(size)}" for size in self.seconds)
        mark = "!" if self.exponent > _MOST else " "
        return f"{self.shape:22}{self.target:9}{self.exponent:5.2f}{mark} {times}"

    def _time(self, size: int) -> str:
        return f"{self.seconds[size]:.2f}" + (f"({self.refusals[size]})" if size in self.refusals else "")


def measure(shape: Shape, target: str, sizes: list[int], seconds: float, opt: int | str) -> Growth:
    """The times of a shape, as far as they are short enough."""
    growth, stage = Growth(shape.name, target, {}, {}), shape.stage_for(target)
    for size in sizes:
        source = shape.source(size, stage)
        try:
            times: list[float] = []
            code = None
            while not times or (times[-1] < _SHORT and len(times) < 3):
                taken, code = _compile(source, stage, target, opt, seconds)
                times.append(taken)
        except OutOfTime:
            growth.seconds[size] = float("inf")
            return growth
        growth.seconds[size] = median(times)
        if code is not None:
            growth.refusals[size] = code
    return growth


def _compile(source: str, stage: str, target: str, opt: int | str, seconds: float) -> tuple[float, str | None]:
    """The seconds of one compilation, and the code of its first error."""
    code = None
    gc.collect()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    start = process_time()
    try:
        glslc_multi.compile(source, target=target, stage=stage, opt=opt)
    except CompileError as error:
        code = next(diagnostic.code for diagnostic in error.diagnostics if diagnostic.severity == "error")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return process_time() - start, code


def _out_of_time(number: int, frame: FrameType | None) -> None:
    raise OutOfTime


def growths(
    shapes: list[Shape], targets: list[str], sizes: list[int], seconds: float, opt: int | str
) -> Iterator[Growth]:
    for target in targets:
        for shape in shapes:
            if shape.stage_for(target) in load_target(target).stages:
                yield measure(shape, target, sizes, seconds, opt)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__.partition("\n")[0])
    parser.add_argument("--targets", default=",".join(target_names()))
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--first", type=int, default=16, help="the smallest size")
    parser.add_argument("--doublings", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=20.0, help="the most that one compilation may take")
    parser.add_argument("-O", dest="opt", default="2")
    arguments = parser.parse_args()
    signal.signal(signal.SIGVTALRM, _out_of_time)
    sizes = [arguments.first << number for number in range(arguments.doublings + 1)]
    shapes = [SHAPES[name] for name in arguments.shapes.split(",")]
    opt = int(arguments.opt) if arguments.opt.isdigit() else arguments.opt
    for growth in growths(shapes, arguments.targets.split(","), sizes, arguments.seconds, opt):
        print(growth.row(), flush=True)


if __name__ == "__main__":
    main()
