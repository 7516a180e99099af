"""What consumers object to, by programs written by hand; each rule as the consumer's own source has it."""

from __future__ import annotations

import pytest

from backends.agal.isa.consumers import BY_NAME, CONSUMERS
from backends.agal.isa.registers import Stage
from tests.backends.agal.helpers import program_of

_WIDTHS = {0: 4, 1: 3, 2: 2, 3: 1}


def _objects(consumer: str, text: str, stage: Stage = "vertex", version: int = 1) -> list[int | None]:
    """The tokens that it objects to."""
    found = BY_NAME[consumer].objections(program_of(text, stage, version), _WIDTHS)
    return [objection.token for objection in found]


TAKEN = {
    "openfl": [
        "mov vt0, vc0\nm44 op, va0, vc0",
        "mov vt0, vc0\nm33 vt1.xyz, va0.xyz, vc0\nm44 op, va0, vc0",
        "m44 op, va0, vc0\nmov v0, vc1",
        "m44 op, va0, vc0\nm33 v0.xyz, va0.xyz, vc0\nmov v0.w, va0.w",
        "m44 op, va0, vc[va1.x+4]\nmov v0, vc[va1.x+4]\nmov v1, vc5",
        "mov vt0, va0\nmov vt1, va0\nmov vt2, va0\nmov vt3, va0\nm44 op, va0, vt0",
    ],
    "ruffle": [
        "dp3 vt0.x, va1.xyz, vc0.xyz\nmov op, va0",
        "dp3 vt0.x, va2.xyy, vc0.xyz\nmov op, va0",
        "dp4 vt0.x, va2.xyw, vc0\nmov op, va0",
        "m33 vt0.xyz, va1.xyw, vc0\nmov op, va0",
        "mov vt0.y, va0.y\nmov op, va3",
        "dp3 vt0.y, va1.xyz, vc0.xyz\nmov op, va0",
    ],
}
#: With the token that is objected to.
REFUSED = {
    "openfl": [
        ("m44 op, va0, vc0\nmov v0, vc0", 1),
        ("m44 op, va0, vc4\nmov v0, va1\nmul v1, va0, vc4.w", 2),
        ("m44 op, va0, vc[va1.x+4]\nmov v0, vc4", 1),
        ("mov v0, vc4\nmov op, vc[va1.x+4]", 1),
        ("m44 op, va0, vc0\nmov v0, vc[vc0.x+9]", 1),
        ("m34 vt0.xyz, va0, vc0\nmov op, va0", 0),
        ("m44 vt0.xy, va0, vc0\nmov op, va0", 0),
        ("mov vt0, vc0\nm44 vt0.xy, va0, vc0\nmov op, va0", 1),
        ("m44 op, va0, va4", 0),
    ],
    "ruffle": [
        ("mov op, va0\ndp3 v0, va1.xyw, vc0.xyz", 1),
        ("mov op, va0\ndp3 v0, vc0.xyz, va2.xyz", 1),
        ("mov op, va0\ndp3 v0, vc0.xyz, va3.x", 1),
        ("mov op, va0\nm44 v0, va0, va0", 1),
        ("mov vt0.y, va0\nmov op, va0", 0),
        ("mul vt0.w, va0.w, vc0.xyzw\nmov op, va0", 0),
        ("m44 vt0.y, va0, vc0\nmov op, va0", 0),
    ],
}


@pytest.mark.parametrize(("consumer", "text"), [(name, text) for name, texts in TAKEN.items() for text in texts])
def test_what_is_taken(consumer: str, text: str) -> None:
    assert _objects(consumer, text) == []


@pytest.mark.parametrize(
    ("consumer", "text", "token"), [(name, *case) for name, cases in REFUSED.items() for case in cases]
)
def test_what_is_refused(consumer: str, text: str, token: int) -> None:
    # A matrix in attributes is one register's width after the other.
    assert _objects(consumer, text)[:1] == [token]
    assert _objects("air", text) == []


@pytest.mark.parametrize(
    ("text", "stage", "version", "token"),
    [
        ("mov ft0, fc27\nmov oc, ft0", "fragment", 2, None),
        ("mov ft0, fc28\nmov oc, ft0", "fragment", 2, 0),
        ("mov op, va0\nmov v0, vc127", "vertex", 2, None),
        ("mov op, va0\nmov v0, vc128", "vertex", 2, 1),
        ("m44 op, va0, vc124", "vertex", 2, None),
        ("m44 op, va0, vc125", "vertex", 2, 0),
        ("mov oc, v0\nmov oc1, v0", "fragment", 2, 1),
        ("mov oc, v0\nmov od.x, v0.x", "fragment", 2, 1),
        ("tex ft0, v0, fs0 <2d>\nmov oc, ft0", "fragment", 1, None),
        ("tex ft0, v0, fs0 <2d,-1>\nmov oc, ft0", "fragment", 1, 0),
        ("tex ft0.y, v0, fs0 <2d>\nmov oc, ft0.y", "fragment", 1, 0),
    ],
)
def test_ruffle_has_the_registers_of_version_1(text: str, stage: Stage, version: int, token: int | None) -> None:
    assert _objects("ruffle", text, stage, version) == ([] if token is None else [token])


def test_versions() -> None:
    takes = {consumer.name: consumer.versions for consumer in CONSUMERS}
    assert takes == {"air": (1, 2, 3), "baselineConstrained": (1,), "openfl": (1,), "ruffle": (1, 2)}
    assert _objects("openfl", "mov op, va0", version=2) == [None]
    assert _objects("ruffle", "mov op, va0", version=3) == [None]


_LOOKUP = "tex ft0, ft0, fs0 <2d>\n"
_END = "mov oc, ft0"


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("mov ft0, v0\n" + "add ft0, ft0, ft0\n" * 62 + _END, True),
        ("mov ft0, v0\n" + "add ft0, ft0, ft0\n" * 63 + _END, False),
        ("mov ft0, v0\n" + "slt ft0, ft0, ft0\n" * 31 + _END, True),
        ("mov ft0, v0\n" + "slt ft0, ft0, ft0\n" * 31 + "mov ft0, ft0\n" + _END, False),
        ("mov ft0, v0\n" + _LOOKUP * 4 + _END, True),
        ("mov ft0, v0\n" + _LOOKUP * 5 + _END, False),
        ("mov ft0, v0\n" + "tex ft0, v0, fs0 <2d>\n" * 32 + _END, True),
        ("mov ft0, v0\n" + "tex ft0, v0, fs0 <2d>\n" * 33 + _END, False),
    ],
)
def test_the_constrained_profile_counts_what_shader_model_2_has(text: str, fits: bool) -> None:
    assert (_objects("baselineConstrained", text, "fragment") == []) == fits


def test_the_constrained_profile_has_the_vertex_programs_of_the_others() -> None:
    assert _objects("baselineConstrained", "mov vt0, va0\n" + "add vt0, vt0, vt0\n" * 99 + "mov op, vt0") == []
