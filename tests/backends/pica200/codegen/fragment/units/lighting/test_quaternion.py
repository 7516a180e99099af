"""The quaternion that a vertex shader leaves for a normal, as the evaluator computes it, against rotation matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.pica200.codegen.fragment.units.lighting.rotation import (
    quaternion_of_normal,
    rotation_of,
    turned_axis,
)
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.types import VEC3, VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.runtime.reference import run_module
from tests.backends.pica200.codegen.fragment.units.lighting.shaders import unit_vectors


def quaternions(normals: Any) -> Any:
    module = Module("vertex", "test")
    normal = module.add_variable(Variable("normal", "attribute", VEC3))
    result = module.add_variable(Variable("result", "output", VEC4))
    builder = Builder(module.add_function("main").add_block("entry"))
    loaded = builder.load(normal)
    builder.store(result, quaternion_of_normal(builder, [builder.extract(loaded, part) for part in range(3)]))
    builder.ret()
    return run_module(module, {"normal": normals}, {}, {}, lanes=len(normals))["result"]


def turned(quaternions: Any) -> Any:
    """The third column of the rotation matrix of a unit quaternion."""
    x, y, z, w = quaternions.T
    return np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)


def test_it_turns_the_third_axis_to_the_normal() -> None:
    normals = unit_vectors(np.random.default_rng(1), 2000)
    lengths = np.random.default_rng(2).uniform(0.01, 100, (2000, 1))
    found = quaternions(normals * lengths)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(turned(found), normals, atol=2e-6)


@pytest.mark.parametrize(
    "normal",
    [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0, -1, 0), (0.02, 0.01, -1), (1e-3, 0, -1), (0, -1e-4, -1), (-1e-7, 1e-7, -1)],
)
def test_it_does_so_at_the_poles(normal: tuple[float, float, float]) -> None:
    wanted = np.array(normal) / np.linalg.norm(normal)
    np.testing.assert_allclose(turned(quaternions(np.array([wanted])))[0], wanted, atol=2e-6)


def test_neighbours_have_neighbouring_quaternions() -> None:
    """Up to the sign, which the rasteriser changes where the quaternions of a triangle's corners look apart."""
    random = np.random.default_rng(3)
    normals = unit_vectors(random, 500)
    normals = normals[normals[:, 2] > -0.9]
    beside = normals + random.normal(size=normals.shape) * 0.01
    one, other = quaternions(normals), quaternions(beside)
    signs = np.sign(np.sum(one * other, axis=1, keepdims=True))
    assert np.abs(one - other * signs).max() < 0.1


def test_the_axis_that_pixels_read_is_a_turned_normal() -> None:
    module = Module("fragment", "test")
    quaternion = module.add_variable(Variable("$normalquat", "varying", VEC4))
    builder = Builder(module.add_function("main").add_block("entry"))
    axis = turned_axis(builder, builder.load(quaternion))
    assert isinstance(axis, Instruction)
    found = rotation_of(axis)
    assert found is not None
    assert found.quaternion.address.variable is quaternion
    assert found.lookup is None
