"""Recipes as code: the maker whose values are those of the IR."""

from __future__ import annotations

from glslc_multi.compiler.arithmetic.protocol import wrap_to_int32
from glslc_multi.compiler.ir.module import Constant, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.shading.emitter import Emitter


class InstructionMaker:
    """The maker that emits instructions."""

    __slots__ = ("_emitter",)

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter

    def op(self, opcode: Opcode, *operands: Value, attribute: object = None) -> Value:
        return self._emitter.op(opcode, *operands, attribute=attribute)

    def number(self, value: float, like: Value) -> Constant:
        return self._emitter.number(value, like)

    def integer(self, value: int, like: Value) -> Constant:
        return Constant.splat(like.type.with_kind("int"), wrap_to_int32(value))

    def width(self, value: Value) -> int:
        return value.type.width

    def widen(self, value: Value, like: Value) -> Value:
        return self._emitter.widen(value, like.type.width)
