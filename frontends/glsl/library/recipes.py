"""What the built-in functions of chapter 8 mean: from the recipes of `compiler/shading/recipes`, by name and types.

A recipe is a function of a `Maker` and the arguments.  The constant folder's maker evaluates opcodes on
numbers, lowering's maker emits them, so a constant and the same call at run time agree bit for bit.
Textures and derivatives have no recipe, being no functions of their arguments alone; noise is no constant.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.shading.recipes.floats import FLOAT_RECIPES
from glslc_multi.compiler.shading.recipes.integers import INTEGER_RECIPES
from glslc_multi.compiler.shading.recipes.maker import Columns, ColumnsRecipe, Maker, Recipe, Value, opcode, swapped
from glslc_multi.frontends.glsl.symbols import BuiltinFunction
from glslc_multi.frontends.glsl.types import NumericType


def recipe(function: BuiltinFunction) -> ColumnsRecipe | None:
    """The columns of a built-in function's result from those of its arguments.

    None for texture lookups, derivatives, what emits vertices, and what has two results.
    """
    name, parameters = function.name, function.parameters
    bases = [type_.base for type_ in parameters if isinstance(type_, NumericType)]
    if bases and (bases[0], name) in _TYPED:
        meaning: Recipe | None = _TYPED[bases[0], name]
    elif name == "atan" and len(parameters) == 2:
        meaning = opcode(ops.FATAN2)
    elif name == "mix" and bases[-1] == "bool":
        meaning = _mix_by_bool
    else:
        meaning = FLOAT_RECIPES.get(name)
    return _rare(function.name) if meaning is None else _by_columns(meaning)


def _rare(name: str) -> ColumnsRecipe | None:
    """The recipe of a function that few shaders call: they alone pay for the import."""
    from glslc_multi.compiler.shading.recipes.matrices import MATRIX_RECIPES
    from glslc_multi.compiler.shading.recipes.packing import PACKING_RECIPES

    if name in PACKING_RECIPES:
        return _by_columns(PACKING_RECIPES[name])
    return MATRIX_RECIPES.get(name)


def _by_columns(meaning: Recipe) -> ColumnsRecipe:
    def apply(m: Maker, *arguments: Columns) -> Columns:
        return [meaning(m, *row) for row in zip(*arguments, strict=True)]

    return apply


def _bool_equal(m: Maker, x: Value, y: Value) -> Value:
    return m.op(ops.NOT, m.op(ops.XOR, x, y))


def _mix_by_bool(m: Maker, x: Value, y: Value, chooses_y: Value) -> Value:
    return m.op(ops.SELECT, chooses_y, y, x)


#: (basic type of the first argument, function) -> meaning, of what depends on that type (sections 8.3 and 8.6).
_TYPED: dict[tuple[str, str], Recipe] = {
    ("float", "lessThan"): opcode(ops.FLT),
    ("float", "lessThanEqual"): opcode(ops.FLE),
    ("float", "greaterThan"): swapped(ops.FLT),
    ("float", "greaterThanEqual"): swapped(ops.FLE),
    ("float", "equal"): opcode(ops.FEQ),
    ("float", "notEqual"): opcode(ops.FNE),
    ("bool", "equal"): _bool_equal,
    ("bool", "notEqual"): opcode(ops.XOR),
    **INTEGER_RECIPES,
}
