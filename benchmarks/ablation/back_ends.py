"""The pieces of the code generators: one row each, with the place where it is switched off.

Passes and steps are not here: pipelines and a table know them (`pieces.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.ablation.switch import Kind, Piece, Switch, answering, nothing, same, value
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.codegen.machine import Uniform
from glslc_multi.compiler.options import OPTIMISATION_LEVELS

_ANY_NUMBER = Interval(float("-inf"), float("inf"))
_ALL_LANES = 7


def _row(name: str, kind: Kind, place: str, instead: Callable[[Any], Any] = nothing, level: int = 2) -> Piece:
    return Piece(name, kind, (Switch(place, instead),), level)


# ------------------------------------------------------------------------------------------ substitutes of their own
def _first(count: int) -> Callable[[Any], Any]:
    """The first rows of a table."""
    return lambda rows: rows[:count]


def _only_one_source(of_one_register: Any) -> Any:
    """Scalar operations but those of two components of one register."""
    return lambda name, uses: None if name in ("ADDv", "MULv", "MINv") else of_one_register(name, uses)


def _unscaled(_: Any) -> Any:
    from glslc_multi.backends.xenos_family.codegen.legalize import _numbers
    from glslc_multi.compiler.ir import ops

    return lambda builder, angle, scale, addend: builder.op(
        ops.FMAD, angle, _numbers(angle, scale), _numbers(angle, addend)
    )


def _no_skips(make_clauses: Any) -> Any:
    return lambda steps, bundle, skips: make_clauses(steps, bundle, skips=False)


def _single_run(efforts: Any) -> Any:
    return (efforts[0],) * len(OPTIMISATION_LEVELS)


def _usual_effort(efforts: Any) -> Any:
    return (*efforts[:-1], efforts[-2])


def _all_lanes_needed(_: Any) -> Any:
    return lambda function: {id(use): _ALL_LANES for made in function.instructions() for use in made.uses}


def _only_pins(registers_of: Any) -> Any:
    def registers(rows: Any, interface: Any) -> Any:
        found = registers_of(rows, interface)
        return {key: found[key] for key in found if isinstance(key, Uniform) and key.variable in interface.pins}

    return registers


# ------------------------------------------------------------------------------------------------------------ rows
_ALLOCATION = "glslc_multi.compiler.codegen.regalloc"
SHARED = (
    _row("coalescing", "rewrite", f"{_ALLOCATION}.coalesce:Coalescer.run"),
    Piece(
        "affinities of components",
        "search",
        tuple(Switch(f"{_ALLOCATION}.affinities:Affinities.{name}", nothing) for name in ("_prefer", "_pair")),
    ),
    _row("other orders of assignment", "search", f"{_ALLOCATION}.model:RegisterModel.attempts", value(1)),
    _row("joins undone for want of registers", "search", f"{_ALLOCATION}.allocate:_SEPARATIONS", value(1)),
    _row("live-range splitting", "search", f"{_ALLOCATION}.split:Splitter.split", answering(False)),
    _row("known infeasibility", "search", f"{_ALLOCATION}.infeasible:is_infeasible", answering(False)),
    _row("check of the allocation", "check", f"{_ALLOCATION}.check:check_allocation", answering([])),
)

_AGAL = "glslc_multi.backends.agal.codegen"
_PICA = "glslc_multi.backends.pica200.codegen"
_ADRENO = "glslc_multi.backends.xenos_family.codegen"
_THEIA = "glslc_multi.backends.theia.codegen"
_VC4 = "glslc_multi.backends.vc4.codegen"
OWN: dict[str, tuple[Piece, ...]] = {
    "agal": (
        _row("exact steps of selects", "rewrite", f"{_AGAL}.rewrites.selects:_exact_step", answering(None)),
        _row("implied conditions of selects", "rewrite", f"{_AGAL}.rewrites.selects:_implies", answering(False)),
        _row("matrices in rows", "rewrite", f"{_AGAL}.legalize:reads_rows_alone", answering(False)),
        _row("matrix products", "rewrite", f"{_AGAL}.rewrites.idioms:matrix_product", answering(None)),
        _row("validator", "check", f"{_AGAL}.generate:validate", answering([])),
    ),
    "pica200": (
        _row("procedures", "variant", f"{_PICA}.build:Build.call_repeats", answering(False)),
        _row("variants with loops unrolled", "variant", f"{_PICA}.legalize:_has_indices", answering(False)),
        _row("variants without small branches", "variant", f"{_PICA}.legalize:DEFAULT_OPTIMISATION", value(99)),
        _row("loops that int uniforms bound", "rewrite", f"{_PICA}.rewrites.guards:bounding_uniform", answering(None)),
        _row("loop counters as indices", "rewrite", f"{_PICA}.rewrites.loops:_use_counter"),
        _row("two indices in a MOVA", "rewrite", f"{_PICA}.address_registers:_is_pair", answering(False)),
        _row("validator", "check", f"{_PICA}.generate:validate", answering([])),
    ),
    "adreno": (
        _row("scales of angles", "rewrite", f"{_ADRENO}.legalize:_scaled", _unscaled),
        _row("clauses that can be skipped", "rewrite", f"{_ADRENO}.generate:make_clauses", _no_skips),
        _row("scalar: previous result", "rewrite", f"{_ADRENO}.schedule.scalar_unit:with_previous", answering(None)),
        _row(
            "scalar: exports of the previous result",
            "rewrite",
            f"{_ADRENO}.schedule.previous_result:export_by_previous_result",
            same,
        ),
        _row(
            "scalar: constant and register",
            "rewrite",
            f"{_ADRENO}.schedule.scalar_unit:_with_constant",
            answering(None),
        ),
        _row("scalar: two components", "rewrite", f"{_ADRENO}.schedule.scalar_unit:_of_one_register", _only_one_source),
        _row("scalar: tests against 0", "rewrite", f"{_ADRENO}.schedule.scalar_unit:_against_zero", answering(None)),
        _row("validator", "check", f"{_ADRENO}.generate:validate", answering([])),
    ),
    "theia": (
        _row("demanded lanes", "rewrite", f"{_THEIA}.rows.demanded_lanes:open_unread_lanes", _all_lanes_needed),
        _row("rows in C1 to C7", "rewrite", f"{_THEIA}.constants:_registers_of", _only_pins),
        _row("jump threading", "rewrite", f"{_THEIA}.jump_threading:straightened", same),
        _row("safe differences", "rewrite", f"{_THEIA}.value_ranges:Ranges.is_safe_difference", answering(False)),
        _row("signs by ranges", "rewrite", f"{_THEIA}.value_ranges:Ranges.is_not_negative", answering(False)),
        _row("validator", "check", f"{_THEIA}.generate:validate", answering([])),
    ),
    "vc4": (
        _row("search over schedule runs", "search", f"{_VC4}.schedule.strategy:_EFFORT", _single_run),
        _row("longer search at -O3", "search", f"{_VC4}.schedule.strategy:_EFFORT", _usual_effort, level=3),
        _row("several first runs", "search", f"{_VC4}.schedule.integrated:_FIRST", _first(1)),
        _row("changes of the policy", "search", f"{_VC4}.schedule.integrated:_CHANGES_POLICY", value(0.0)),
        _row("runs given up early", "search", f"{_VC4}.schedule.run:ScheduleRun._cannot_beat", answering(False)),
        _row("straight code as a whole", "variant", f"{_VC4}.schedule.strategy:_schedule_one_block", answering(None)),
        _row(
            "blocks by the integrated scheduler",
            "variant",
            f"{_VC4}.schedule.strategy:schedule_blocks",
            answering(None),
        ),
        _row(
            "two threads",
            "variant",
            f"{_VC4}.schedule.straight_line:StraightLineCode.split_at_switches",
            answering(False),
        ),
        _row("moves between files", "rewrite", f"{_VC4}.schedule.run:ScheduleRun._with_move", answering(None)),
        _row("pressure in schedule runs", "search", f"{_VC4}.schedule.run:ScheduleRun._pressure_change", answering(0)),
        _row("copies joined across blocks", "rewrite", f"{_VC4}.schedule.across_blocks:_coalesce"),
        _row("filled delay slots", "rewrite", f"{_VC4}.schedule.machine_model:QpuModel.may_delay", answering(False)),
        _row("flags kept", "rewrite", f"{_VC4}.folding:_keep_flags"),
        _row("r4 read directly", "rewrite", f"{_VC4}.folding:_Folding.fold_results"),
        _row("results in peripherals", "rewrite", f"{_VC4}.folding:_Folding.fold_targets"),
        _row("skipped arms", "rewrite", f"{_VC4}.linearise:_Linearisation._is_skippable", answering(False)),
        _row("last values of loops", "rewrite", f"{_VC4}.linearise:_Linearisation._use_last_values"),
        _row(
            "short products by ranges",
            "rewrite",
            f"{_VC4}.selection.emitter:QpuEmitter.range_of",
            answering(_ANY_NUMBER),
        ),
        _row("validator", "check", f"{_VC4}.generate:validate", answering([])),
    ),
}
