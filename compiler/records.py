"""Data classes that cost next to nothing until they are used.

`dataclass`, `field`, `fields`, `replace` and `asdict` mean what they mean in the standard library, and to a type
checker they are those.  The standard library compiles six methods of each class where it is declared.  Here the methods
are closures, and only `__init__`, whose speed counts, is compiled, once for all classes of a shape, when a class has
more than a few instances.

With the standard library a cold compilation of a small shader takes 1.5 to 1.6 times as long (`python -m
benchmarks.data_classes`).  Importing fewer classes cannot make up for that: two thirds of the 180 to 250 that such a
compilation declares have instances in it.

What the project does not use is left out: `order`, `kw_only`, `InitVar`, metadata.  A data class and those it derives
from come from the same module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from types import CodeType, FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
else:

    def dataclass(
        cls: type | None = None, /, *, init=True, repr=True, eq=True, frozen=False, slots=False, match_args=True
    ):
        """A class whose attributes are its annotations, in order, with the methods that follow from them."""

        def decorate(cls: type) -> type:
            return _process(cls, init, repr, eq, frozen, slots, match_args)

        return decorate if cls is None else decorate(cls)

    def field(**facts):
        """What an annotation alone does not say about an attribute."""
        return Field(**facts)

    def fields(record):
        """The fields of a data class or of an instance of one."""
        try:
            return tuple(getattr(record, _FIELDS).values())
        except AttributeError:
            raise TypeError("must be called with a dataclass type or instance") from None

    def replace(record, /, **changes):
        """A copy of `record` with other values for some fields."""
        for name, found in getattr(record, _FIELDS).items():
            if not found.init:
                if name in changes:
                    raise ValueError(f"field {name} is declared with init=False, it cannot be specified with replace()")
            elif name not in changes:
                changes[name] = getattr(record, name)
        return type(record)(**changes)

    def asdict(record):
        """Names and values of the fields, data classes inside them included."""
        return {name: _plain(getattr(record, name)) for name in getattr(record, _FIELDS)}

    class FrozenInstanceError(AttributeError):
        """An attempt to change an attribute of a frozen data class."""


__all__ = ["FrozenInstanceError", "asdict", "dataclass", "field", "fields", "replace"]

#: Where a class keeps its fields, by name.
_FIELDS = "__record_fields__"
_MISSING: Any = object()
#: Instances of a class before its `__init__` is compiled: filling that many takes half as long as compiling it.
_FILLED_BY_HAND = 8
_CLASS_VARIABLE = ("ClassVar", "typing.ClassVar")


class Field:
    """An attribute of a data class."""

    __slots__ = ("compare", "default", "default_factory", "init", "name", "repr", "type")

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
    ) -> None:
        if default is not _MISSING and default_factory is not _MISSING:
            raise ValueError("cannot specify both default and default_factory")
        self.name = ""
        #: The annotation, as it was written.
        self.type: object = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.compare = compare

    def has_default(self) -> bool:
        return self.default is not _MISSING or self.default_factory is not _MISSING


def _process(cls: type, init: bool, repr: bool, eq: bool, frozen: bool, slots: bool, match_args: bool) -> type:
    """The class with the methods that were asked for and that it does not define itself."""
    fields = _collect(cls)
    methods: dict[str, Any] = {_FIELDS: fields}
    if match_args:
        methods["__match_args__"] = tuple(name for name, one in fields.items() if one.init)
    if repr:
        methods["__repr__"] = _show
    if eq:
        get = _make_getter([name for name, one in fields.items() if one.compare])
        methods["__eq__"] = _make_eq(get)
        if "__hash__" not in cls.__dict__ or ("__eq__" in cls.__dict__ and cls.__hash__ is None):
            methods["__hash__"] = _make_hash(get) if frozen else None
    own = {name: value for name, value in methods.items() if name == "__hash__" or name not in cls.__dict__}
    if slots:
        own |= _pickling(fields) if frozen else {}
        cls = _with_slots(cls, fields, own)
    else:
        for name, value in own.items():
            setattr(cls, name, value)
    if frozen:
        _freeze(cls, fields)
    if init and "__init__" not in cls.__dict__:
        cls.__init__ = _make_first_init(cls, fields, frozen)  # type: ignore[misc]
    return cls


def _collect(cls: type) -> dict[str, Field]:
    """The fields of the classes it derives from and its own, whose defaults become plain class attributes."""
    fields: dict[str, Field] = {}
    for base in cls.__mro__[-1:0:-1]:
        fields |= base.__dict__.get(_FIELDS, {})
    for name, annotation in cls.__dict__.get("__annotations__", {}).items():  # noqa: RUF063 (importing inspect takes long)
        if str(annotation).startswith(_CLASS_VARIABLE):
            continue
        default = cls.__dict__.get(name, _MISSING)
        if isinstance(default, Field):
            one = default
        else:
            # Declared without `field`: its own default, or what the class has under its name.
            inherited = getattr(cls, name, _MISSING) if default is _MISSING else default
            one = Field(default=_MISSING if isinstance(inherited, MemberDescriptorType) else inherited)
        one.name, one.type = name, annotation
        if one.default.__class__.__hash__ is None:
            raise ValueError(f"mutable default {type(one.default)} for field {name}: use default_factory")
        if default is one and one.default is _MISSING:
            delattr(cls, name)
        elif default is one:
            setattr(cls, name, one.default)
        fields[name] = one
    return fields


# --------------------------------------------------------------------------- methods
def _make_first_init(cls: type, found: dict[str, Field], frozen: bool) -> Callable[..., None]:
    """An `__init__` that fills the first instances by hand, as most classes have few in a run, and puts the real one in
    its own place for the others."""
    fields = list(found.values())
    set_value = object.__setattr__ if frozen else setattr
    count = 0

    def initialise_first(self: Any, *values: Any, **named: Any) -> None:
        nonlocal count
        count += 1
        if count <= _FILLED_BY_HAND and _fill(self, fields, set_value, values, named):
            if hasattr(cls, "__post_init__"):
                self.__post_init__()
            return
        # `def __init__(self, a, b=default, ...)` with an assignment for every field. It is written with the names f0,
        # f1, ..., so that classes of one shape share what was compiled; then the fields get their own names.
        names: dict[str, Any] = {"_MISSING": _MISSING, "_set": object.__setattr__}
        lines = []
        for index, one in enumerate(fields):
            name = f"f{index}"
            value = _value_text(name, one)
            if value is not None:
                names |= {f"_make_{name}": one.default_factory, f"_fixed_{name}": one.default}
                lines.append(_assignment(name, value, getattr(cls, one.name, None), frozen, names))
        if hasattr(cls, "__post_init__"):
            lines.append("self.__post_init__()")
        parameters = ", ".join(["self", *(f"f{index}" for index, one in enumerate(fields) if one.init)])
        code = _compile_function(f"def __init__({parameters}):\n    " + ("\n    ".join(lines) or "pass"))
        defaults = tuple(one.default for one in fields if one.init and one.has_default())
        initialiser = FunctionType(_renamed(code, cls, fields), names, "__init__", defaults)
        cls.__init__ = initialiser  # type: ignore[misc]
        initialiser(self, *values, **named)

    return initialise_first


def _fill(record: Any, fields: list[Field], set_value: Any, values: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Set the fields; False where the arguments do not fit, which the real `__init__` says best."""
    given = dict(zip([one.name for one in fields if one.init], values, strict=False))
    if len(given) < len(values) or given.keys() & named.keys():
        return False
    given |= named
    for one in fields:
        value = given.pop(one.name, one.default) if one.init else one.default
        if value is _MISSING and one.default_factory is not _MISSING:
            value = one.default_factory()
        if value is not _MISSING:
            set_value(record, one.name, value)
        elif one.init:
            return False
    return not given


def _value_text(name: str, one: Field) -> str | None:
    """What the field `name` is set to; None where `__init__` leaves it alone."""
    if one.default_factory is not _MISSING:
        return f"_make_{name}() if {name} is _MISSING else {name}" if one.init else f"_make_{name}()"
    if one.init:
        return name
    return f"_fixed_{name}" if one.has_default() else None


def _assignment(name: str, value: str, slot: object, frozen: bool, names: dict[str, Any]) -> str:
    if not frozen:
        return f"self.{name} = {value}"
    if not isinstance(slot, MemberDescriptorType):
        return f"_set(self, {name!r}, {value})"
    names[f"_set_{name}"] = slot.__set__
    return f"_set_{name}(self, {value})"


@cache
def _compile_function(text: str) -> CodeType:
    (function, *_) = compile(text, __file__, "exec").co_consts
    assert isinstance(function, CodeType)
    return function


def _renamed(code: CodeType, cls: type, found: list[Field]) -> CodeType:
    """The code with the fields' names for f0, f1, ..."""
    own: dict[object, Any] = {f"f{index}": one.name for index, one in enumerate(found)}
    return code.replace(
        co_varnames=tuple(own.get(name, name) for name in code.co_varnames),
        co_names=tuple(own.get(name, name) for name in code.co_names),
        co_consts=tuple(own.get(constant, constant) for constant in code.co_consts),
        co_qualname=f"{cls.__qualname__}.__init__",
    )


@recursive_repr()
def _show(record: Any) -> str:
    names = [name for name, one in getattr(record, _FIELDS).items() if one.repr]
    values = ", ".join(f"{name}={getattr(record, name)!r}" for name in names)
    return f"{type(record).__qualname__}({values})"


def _make_getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What instances are compared by."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda record: ()
    get = attrgetter(names[0])
    return lambda record: (get(record),)


def _make_eq(get: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
    def equals(self: Any, other: object) -> bool:
        return get(self) == get(other) if other.__class__ is self.__class__ else NotImplemented

    return equals


def _make_hash(get: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    def hash_fields(self: Any) -> int:
        return hash(get(self))

    return hash_fields


def _freeze(cls: Any, found: dict[str, Field]) -> None:
    """Fields cannot be changed; what a class that derives from this one adds to its instances can."""

    def refuse_change(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in found:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def refuse_removal(self: Any, name: str) -> None:
        if type(self) is cls or name in found:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    cls.__setattr__ = refuse_change
    cls.__delattr__ = refuse_removal


# --------------------------------------------------------------------------- slots
def _with_slots(cls: type, found: dict[str, Field], own: dict[str, Any]) -> type:
    """A class like `cls` with a slot for each field: they cannot be added to a class that exists."""
    members = {**cls.__dict__, **own}
    inherited = {slot for base in cls.__mro__[1:-1] for slot in _slots_of(base)}
    members["__slots__"] = tuple(name for name in found if name not in inherited)
    for name in (*found, "__dict__", "__weakref__"):
        members.pop(name, None)
    class_ = type(cls)(cls.__name__, cls.__bases__, members)
    class_.__qualname__ = cls.__qualname__
    return class_


def _slots_of(cls: type) -> Iterator[str]:
    slots = cls.__dict__.get("__slots__", ())
    yield from (slots,) if isinstance(slots, str) else slots


def _pickling(found: dict[str, Field]) -> dict[str, Any]:
    """Pickle sets attributes, which a frozen class forbids."""

    def get_state(self: Any) -> list[Any]:
        return [getattr(self, name) for name in found]

    def set_state(self: Any, state: list[Any]) -> None:
        for name, value in zip(found, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": get_state, "__setstate__": set_state}


def _plain(value: Any) -> Any:
    if hasattr(type(value), _FIELDS):
        return asdict(value)
    if isinstance(value, list | tuple):
        return type(value)(_plain(item) for item in value)
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    return value
