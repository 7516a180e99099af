"""What geometry shaders issued, out of the rows that a run has left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from glslc_multi.backends.pica200.isa.registers import COMPONENTS, MAPPED_OUTPUTS
from glslc_multi.backends.pica200.machine.emission import COUNT, WINDING
from glslc_multi.backends.pica200.machine.places import SLOTS
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.execution.program import Key
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Triangle:
    """Three vertices that a geometry shader issued: [slot][output register][component]."""

    winding: bool
    vertices: Array


def triangles_of(found: Mapping[Key, Array]) -> defaultdict[int, list[Triangle]]:
    """The triangles of each lane that has some, from a run that had room for all."""
    triangles: defaultdict[int, list[Triangle]] = defaultdict(list)
    counts, windings = found.get(COUNT), found.get(WINDING)
    if counts is None or windings is None:
        return triangles
    vertices = np.zeros((*windings.shape, SLOTS, MAPPED_OUTPUTS, len(COMPONENTS)), np.float32)
    for key, values in found.items():
        if isinstance(key, tuple) and len(key) == 3:
            vertices[(..., *key)] = values
    for lane in np.flatnonzero(counts).tolist():
        triangles[lane] = [Triangle(bool(windings[n, lane]), vertices[n, lane]) for n in range(counts[lane])]
    return triangles
