"""Data classes of ours behave as those of the standard library, on classes drawn at random."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.compiler import records
from tests.shared_data import PROJECT_ROOT

_FLAGS = [
    {"frozen": frozen, "slots": slots, "eq": eq}
    for frozen in (False, True)
    for slots in (False, True)
    for eq in (False, True)
]
#: What can follow a field's name: how it is made, by the library that is to make it.
_DEFAULTS: dict[str, Callable[[ModuleType], object]] = {
    "plain": lambda library: 5,
    "text": lambda library: library.field(default="text"),
    "factory": lambda library: library.field(default_factory=list),
    "fixed": lambda library: library.field(default=7, init=False),
    "made": lambda library: library.field(default_factory=dict, init=False),
    "hidden": lambda library: library.field(default=3, repr=False),
    "private": lambda library: library.field(default=4, compare=False),
    "class": lambda library: 9,
}
_FIELDS = st.tuples(
    st.lists(st.just("bare"), max_size=2), st.lists(st.sampled_from(sorted(_DEFAULTS)), max_size=4)
).map(lambda parts: parts[0] + parts[1])
_VALUES = st.one_of(st.integers(0, 3), st.just(float("nan")), st.text("ab", max_size=2))


def _make_class(library: ModuleType, kinds: list[str], flags: dict[str, Any], base: type = object) -> Any:
    """A data class with a field for each kind; its names go on after those of the base."""
    first = 10 if base is not object else 0
    members: dict[str, Any] = {"__annotations__": {}, "__module__": __name__, "__qualname__": "Drawn"}
    for index, kind in enumerate(kinds, first):
        members["__annotations__"][f"f{index}"] = "ClassVar[int]" if kind == "class" else "int"
        if kind != "bare":
            members[f"f{index}"] = _DEFAULTS[kind](library)
    return library.dataclass(**flags)(type("Drawn", (base,), members))


def _outcome(act: Callable[[], object]) -> object:
    """The result of an action, or its exception."""
    try:
        return act()
    except Exception as error:
        # What a frozen class with slots says of an undeclared attribute is a known slip of the standard library.
        return "error" if isinstance(error, TypeError | AttributeError) else type(error).__name__


def _behaviour(cls: Any, library: ModuleType, first: list[Any], second: list[Any], instances: int = 1) -> list[object]:
    """Everything that can be seen of a class with two instances, the second of which is the last of several."""
    one: Any = _outcome(lambda: cls(*first))
    other: Any = _outcome(lambda: [cls(*second) for _ in range(instances)][-1])
    if isinstance(one, str) or isinstance(other, str):
        return [one if isinstance(one, str) else "made", other if isinstance(other, str) else "made"]
    named = {field.name: (field.init, field.type) for field in library.fields(cls)}
    name = next(iter(named), "f0")
    return [
        repr(one),
        cls.__match_args__,
        named,
        one == other,
        one == copy.copy(one),
        one != object(),
        _outcome(lambda: hash(one) == hash(copy.copy(one))),
        _outcome(lambda: (hash(one) == hash(other)) >= (one == other)),
        repr(copy.deepcopy(one)),
        _outcome(lambda: repr(library.replace(one, **{name: 8}))),
        repr(library.asdict(one)),
        _outcome(lambda: setattr(one, name, 6)),
        _outcome(lambda: delattr(one, name)),
        _outcome(lambda: one.undeclared),
        _outcome(lambda: setattr(other, "undeclared", 1)),
        hasattr(one, "__dict__"),
        repr(other),
    ]


@settings(derandomize=True, max_examples=400, deadline=None)
@given(
    _FIELDS,
    st.sampled_from(_FLAGS),
    st.lists(_VALUES, max_size=6),
    st.lists(_VALUES, max_size=6),
    st.sampled_from([1, 20]),
)
def test_classes_behave_as_those_of_the_standard_library(
    kinds: list[str], flags: dict[str, Any], first: list[Any], second: list[Any], instances: int
) -> None:
    seen = [
        _behaviour(_make_class(library, kinds, flags), library, first, second, instances)
        for library in (records, dataclasses)
    ]
    assert seen[0] == seen[1]


@settings(derandomize=True, max_examples=200, deadline=None)
@given(_FIELDS, _FIELDS, st.sampled_from(_FLAGS), st.lists(_VALUES, max_size=6), st.lists(_VALUES, max_size=6))
def test_derived_classes_do_as_well(
    kinds: list[str], more: list[str], flags: dict[str, Any], first: list[Any], second: list[Any]
) -> None:
    later = [kind for kind in more if kind != "bare"]
    seen = []
    for library in (records, dataclasses):
        base = _make_class(library, kinds, flags)
        seen.append(_behaviour(_make_class(library, later, flags, base), library, first, second))
    assert seen[0] == seen[1]


@records.dataclass(frozen=True, slots=True)
class _Frozen:
    """An instance that pickle can find."""

    width: int
    names: tuple[str, ...] = ()
    kind: ClassVar[str] = "kind"


@records.dataclass(slots=True)
class _Summed:
    """Its fields are checked and completed after they are set."""

    first: int
    second: int
    total: int = records.field(init=False)

    def __post_init__(self) -> None:
        self.total = self.first + self.second


@records.dataclass(slots=True)
class _Own:
    """What a class defines itself stays."""

    value: int

    def __repr__(self) -> str:
        return "own"

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


def test_instances_can_be_pickled() -> None:
    thing = _Frozen(3, ("a",))
    assert pickle.loads(pickle.dumps(thing)) == thing


def test_what_follows_from_the_fields_is_computed_after_them() -> None:
    assert _Summed(2, 3).total == 5
    assert records.replace(_Summed(2, 3), first=7).total == 10


def test_fields_can_be_given_by_name() -> None:
    cls = _make_class(records, ["bare", "bare", "factory", "fixed"], {})
    # The first instances are filled by other code than the others.
    made = [cls(1, f1=2) for _ in range(20)]
    assert [repr(one) for one in made] == ["Drawn(f0=1, f1=2, f2=[], f3=7)"] * 20
    for wrong in ({"f0": 1, "f1": 2}, {"f1": 2, "absent": 3}, {}):
        for another in (cls, _make_class(records, ["bare", "bare"], {})):
            with pytest.raises(TypeError, match="argument"):
                another(1, **wrong)


def test_methods_of_the_class_itself_win() -> None:
    assert repr(_Own(1)) == "own"
    assert _Own(1) == _Own(2)
    assert hash(_Own(1)) == 1


def test_a_frozen_instance_says_what_cannot_be_changed() -> None:
    with pytest.raises(records.FrozenInstanceError, match="cannot assign to field 'width'"):
        _Frozen(1).width = 2  # type: ignore[misc]


def test_nested_records_become_plain_data() -> None:
    thing = _Frozen(1, (_Frozen(2), {"key": [_Frozen(3)]}))  # type: ignore[arg-type]
    inner = {"width": 2, "names": ()}
    assert records.asdict(thing) == {"width": 1, "names": (inner, {"key": [{"width": 3, "names": ()}]})}


def test_an_instance_that_holds_itself_can_be_shown() -> None:
    thing = _Summed(1, 2)
    thing.total = thing  # type: ignore[assignment]
    assert repr(thing) == "_Summed(first=1, second=2, total=...)"


def test_a_mutable_default_is_refused() -> None:
    with pytest.raises(ValueError, match="mutable default"):
        records.dataclass(type("Shared", (), {"__annotations__": {"items": "list[int]"}, "items": []}))


def test_the_compiler_uses_no_other_data_classes() -> None:
    root = PROJECT_ROOT
    files = [
        file
        for name in ("compiler", "frontends", "backends", "runtime", "glslc_multi")
        for file in (root / name).rglob("*.py")
    ]
    users = {file.name for file in files if re.search(r"^(from|import) dataclasses", file.read_text(), re.MULTILINE)}
    assert len(files) > 200
    # What users get beside their programs runs without the compiler.
    assert users == {"theia_bench.py"}
