"""Built-in inputs that the simulator is given as a host and a vertex program would leave them."""

from __future__ import annotations

import numpy as np

import glslc_multi

TEXT = "precision highp float; void main() { gl_FragColor = gl_FragCoord; }"


def test_coordinates_are_those_of_the_window_at_every_depth() -> None:
    """At the near plane z is 0; a lane without a coordinate has a w of 0, too, and changes no other one."""
    places = np.array([[8.5, 6.5, 0.0, 0.5], [0.5, 1.5, 0.25, 4.0], [0.0, 0.0, 0.0, 0.0], [2.5, 3.5, 1.0, 1.0]])
    found = glslc_multi.compile(TEXT, target="agal", stage="fragment").run({"gl_FragCoord": places})["gl_FragColor"]
    np.testing.assert_allclose(np.delete(found, 2, axis=0), np.delete(places, 2, axis=0), rtol=1e-6)
    assert np.isfinite(found).all()
