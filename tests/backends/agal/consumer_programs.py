"""Programs by hand that a consumer takes or does not (`backends/agal/isa/consumers.py`).

Our word on them is tested, and so are the consumers: OpenFL in `tests/judges`, Ruffle in `host/test_ruffle_reader.py`.
Those for Ruffle show what they compute.
"""

from __future__ import annotations

from typing import NamedTuple

from glslc_multi.backends.agal.isa.registers import Stage

#: Attribute -> components of its stream.
WIDTHS = {0: 4, 1: 3, 2: 2, 3: 1}


class Program(NamedTuple):
    """A program, and the token that is refused."""

    text: str
    stage: Stage = "vertex"
    refused: int | None = None


OPENFL = (
    Program("mov vt0, vc0\nm44 op, va0, vc0"),
    Program("mov vt0, vc0\nm33 vt1.xyz, va0.xyz, vc0\nm44 op, va0, vc0"),
    Program("m44 op, va0, vc0\nmov v0, vc1"),
    Program("m44 op, va0, vc0\nm33 v0.xyz, va0.xyz, vc0\nmov v0.w, va0.w"),
    Program("m44 op, va0, vc[va1.x+4]\nmov v0, vc[va1.x+4]\nmov v1, vc5"),
    Program("mov vt0, va0\nmov vt1, va0\nmov vt2, va0\nmov vt3, va0\nm44 op, va0, vt0"),
    Program("m44 op, va0, va4"),
    Program("mov vt0, va0\nm33 vt0.xyz, va0.xyz, va4\nmov op, vt0"),
    Program("mov v0, va4\nm44 op, va0, va4\nmov v1, va5"),
    Program("m44 op, va0, vc0\nmov v0, vc0", refused=1),
    Program("m44 op, va0, vc4\nmov v0, va1\nmul v1, va0, vc4.w", refused=2),
    Program("m44 op, va0, vc[va1.x+4]\nmov v0, vc4", refused=1),
    Program("mov v0, vc4\nmov op, vc[va1.x+4]", refused=1),
    Program("m44 op, va0, vc0\nmov v0, vc[vc0.x+9]", refused=1),
    Program("m34 vt0.xyz, va0, vc0\nmov op, va0", refused=0),
    Program("m44 vt0.xy, va0, vc0\nmov op, va0", refused=0),
    Program("mov vt0, vc0\nm44 vt0.xy, va0, vc0\nmov op, va0", refused=1),
    Program("m44 op, va0, va4\nmov v0, va5", refused=1),
    Program("mov v0, va5\nm44 op, va0, va4", refused=1),
    Program("mov vt0, va0\nm33 vt0.xyz, va0.xyz, va4\nmov v0, va7\nmov op, vt0", refused=2),
    Program("tex ft0, v0.xy, fs0 <2d>\nmov oc, ft0", "fragment"),
    Program("tex ft0, v0.xyz, fs0 <cube>\nmov oc, ft0", "fragment"),
    Program("mov ft0, v0\ntex ft0.y, v0.xy, fs0 <2d>\nmov oc, ft0", "fragment", refused=1),
    Program("tex ft0, v0.xy, fs0 <2d,miplinear,1>\nmov oc, ft0", "fragment", refused=0),
    Program("mov ft0, v0\ntex ft0, v0.xyz, fs0 <cube,miplinear,-2>\nmov oc, ft0", "fragment", refused=1),
)

_VERTEX, _FRAGMENT = "mov op, va0\nmov v0, va0", "mov oc, v0"
#: Half of a position is a texture's coordinate: a texel for each pixel.
_TEXEL = "mov op, va0\nmul v0, va0, vc0"
_LOOKUP = "tex ft0, v0.xy, fs0 <2d,nearest,mipnearest,repeat>\nmov oc, ft0"


class Case(NamedTuple):
    """A pair; what is refused of it is the stage and token, None for all of a program."""

    vertex: str
    fragment: str = _FRAGMENT
    version: int = 1
    refused: tuple[str, int | None] | None = None


RUFFLE = (
    Case("mov op, va0\nmov v0, va1"),
    Case("mov op, va0\nmov v0, va3"),
    Case("mov op, va0\ndp3 v0, va1.xyz, vc1.xyz"),
    Case("mov op, va0\ndp3 v0, va2.xyy, vc1.xyz"),
    Case("mov op, va0\ndp4 v0, va2.xyxw, vc1"),
    Case("mov op, va0\nmov vt0, va0\nm33 vt0.xyz, va1.xyz, vc1\nmov v0, vt0"),
    Case("mov op, va0\nmov vt0, va1\nmov vt0.y, va1.y\nmov v0, vt0"),
    Case("mov op, va0\nmov vt0, va1\ndp3 vt0.y, va1.xyz, vc1.xyz\nmov v0, vt0"),
    Case("mov op, va0\ndp3 v0, va1.xyw, vc1.xyz", refused=("vertex", 1)),
    Case("mov op, va0\ndp3 v0, vc1.xyz, va2.xyz", refused=("vertex", 1)),
    Case("mov op, va0\ndp3 v0, vc1.xyz, va3.x", refused=("vertex", 1)),
    Case("mov op, va0\nm44 v0, va1, va0", refused=("vertex", 1)),
    Case("mov op, va0\nmov vt0, va1\nmov vt0.y, va1\nmov v0, vt0", refused=("vertex", 2)),
    Case("mov op, va0\nmov vt0, va1\nmul vt0.z, va1.z, vc1.xyzw\nmov v0, vt0", refused=("vertex", 2)),
    Case("mov op, va0\nmov vt0, va1\nm44 vt0.y, va1, vc1\nmov v0, vt0", refused=("vertex", 2)),
    Case(_VERTEX, "mov ft0, fc27\nmov oc, ft0", version=2),
    Case(_VERTEX, "mov ft0, fc28\nmov oc, ft0", version=2, refused=("fragment", 0)),
    Case("mov op, va0\nmov v0, vc127", version=2),
    Case("mov op, va0\nmov v0, vc128", version=2, refused=("vertex", 1)),
    Case("mov op, va0\nm44 v0, va0, vc124", version=2),
    Case("mov op, va0\nm44 v0, va0, vc125", version=2, refused=("vertex", 1)),
    Case(_VERTEX, "mov oc, v0\nmov oc1, v0", version=2, refused=("fragment", 1)),
    Case(_VERTEX, "mov oc, v0\nmov od.x, v0.x", version=2, refused=("fragment", 1)),
    Case(_TEXEL, _LOOKUP),
    Case(_TEXEL, _LOOKUP.replace("repeat", "repeat,1"), refused=("fragment", 0)),
    Case(_TEXEL, f"mov ft0, v0\n{_LOOKUP.replace('tex ft0', 'tex ft0.y')}", refused=("fragment", 1)),
    Case(_VERTEX, version=3, refused=("vertex", None)),
)
