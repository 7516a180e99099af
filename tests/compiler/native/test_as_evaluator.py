"""What the evaluator's own tests ask of it holds for compiled code too.

Left out: other number formats, which the host does not have; recursion, which the verifier refuses; and a chain of
3000 calls, which the inliner takes long for.
"""

from __future__ import annotations

import pytest

from tests.compiler.ir import evaluating
from tests.compiler.ir.test_evaluate import (  # noqa: F401 - collected from here, too
    test_a_function_called_from_diverging_lanes,
    test_a_single_lane_indexes_alike,
    test_an_endless_loop_ends_with_an_error,
    test_indices_out_of_range_clamp_in_every_lane,
    test_lanes_leave_a_loop_at_different_times,
    test_layout_of_values,
    test_loaded_values_are_those_of_the_round_in_which_a_lane_left_the_loop,
    test_names_and_shapes_of_values_are_checked,
    test_no_lanes_give_empty_results,
    test_phis_of_a_block_are_set_at_once,
    test_undefined_values_read_as_zero,
    test_values_of_a_loop_are_those_of_the_round_in_which_a_lane_left_it,
    test_values_survive_while_other_lanes_go_round,
)
from tests.compiler.ir.test_evaluate_stages import (  # noqa: F401 - collected from here, too
    test_derivatives_are_those_of_the_own_row_and_column,
    test_derivatives_need_quads,
    test_geometry_emits_vertices_in_order,
    test_lanes_meet_after_a_loop_and_discarded_lanes_help_their_neighbours,
    test_texture_lookup_with_dynamic_sampler_and_missing_texture,
    test_the_derivative_of_a_uniform_is_zero,
    test_the_level_comes_from_the_quad_or_is_0_for_vertices,
    test_unusable_textures_name_their_sampler,
)
from tests.compiler.native.run_host import evaluate_on_host


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests call `evaluate` by the name it has where they run modules."""
    monkeypatch.setattr(evaluating, "evaluate", evaluate_on_host)
