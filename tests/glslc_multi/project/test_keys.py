"""Each key takes what it should, and names itself where a value is of another kind."""

from __future__ import annotations

from typing import Any

import pytest

from glslc_multi.project.keys import SHADER, SHARED, WHOLE, Mistake, read_table

#: Key -> a value of TOML, and what the compiler takes.
READ: dict[str, tuple[Any, Any]] = {
    "targets": (["agal", "3ds"], ("agal", "pica200")),
    "optimisation": ("s", "s"),
    "include_dirs": (["common"], ("common",)),
    "std": ("300es", "300es"),
    "compat": (True, True),
    "entry": ("main", "main"),
    "spec": ({"0": 2.5, "7": True}, {0: "2.5", 7: "True"}),
    "emit": (["bin", "asm", "bin"], ("bin", "asm")),
    "host_form": ({"vc4": "bare"}, {"vc4": "bare"}),
    "options": ({"flash": {"agal_version": 2}}, {"agal": {"agal_version": 2}}),
    "output": ("build", "build"),
    "shader": ([{"source": "a.vert"}], [{"source": "a.vert"}]),
    "source": ("a.vert", ("a.vert",)),
    "vertex": ("a.vert", "a.vert"),
    "fragment": ("a.frag", "a.frag"),
    "geometry": ("a.geom", "a.geom"),
    "name": ("menu", "menu"),
    "stage": ("vert", "vert"),
    "prefix": ("lit", "lit"),
    "defines": ({"FOG": [False, True], "N": 4}, {"FOG": (False, True), "N": (4,)}),
    "exclude": ([{"FOG": True}], [{"FOG": True}]),
}
ALL = {**WHOLE, **SHADER}


def test_every_key_is_tried_here() -> None:
    assert READ.keys() == ALL.keys()
    assert SHARED.keys() <= WHOLE.keys() & SHADER.keys()


@pytest.mark.parametrize("key", READ)
def test_a_value_is_read(key: str) -> None:
    given, expected = READ[key]
    assert read_table({key: given}, ALL) == {key: expected}


@pytest.mark.parametrize("key", READ)
@pytest.mark.parametrize("value", [None, 1.5, [[]], {"a": {"b": []}}], ids=repr)
def test_a_value_of_another_kind_names_its_key(key: str, value: object) -> None:
    with pytest.raises(Mistake) as raised:
        read_table({key: value}, ALL, 3)
    assert str(raised.value).startswith(f"[[shader]] 3: '{key}' ")


def test_the_whole_is_named_by_nothing() -> None:
    with pytest.raises(Mistake, match=r"^'std' is not a text$"):
        read_table({"std": 1}, WHOLE)
    with pytest.raises(Mistake, match=r"^the file has no key 'sdt'$") as raised:
        read_table({"sdt": 1}, WHOLE)
    assert raised.value.help == "did you mean 'std'?"
    with pytest.raises(Mistake, match=r"^\[\[shader\]\] 1 has no key 'xyzzy'$") as raised:
        read_table({"xyzzy": 1}, SHADER, 1)
    assert "source, vertex, fragment" in str(raised.value.help)
