"""Which functions access which variables, while the module changes."""

from __future__ import annotations

from glslc_multi.compiler.analysis.accesses import Accesses
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module

TEXT = """shader vertex
local @shared: vec4
output @gl_Position: vec4 role(position)

func @main {
  local @own: vec4
^entry:
  store @own, vec4(1.0)
  store @parameter, vec4(2.0)
  call @helper
  %3:vec4 = load @shared
  store @gl_Position, %3
  ret
}

func @helper {
  local @parameter: vec4
  local @inner: vec4
^entry:
  %0:vec4 = load @parameter
  store @inner, %0
  store @shared, %0
  ret
}
"""


def parse() -> Module:
    module = parse_module(TEXT, "test.sir", DiagnosticSink())
    assert module is not None
    return module


def private(module: Module, accesses: Accesses, function: str) -> dict[str, list[str]]:
    found = accesses.private(module.functions[function])
    return {variable.name: [access.op.name for access in each] for variable, each in found.items()}


def test_private_are_locals_that_no_other_function_sees() -> None:
    module = parse()
    accesses = Accesses(module)
    assert private(module, accesses, "main") == {"own": ["store"]}
    assert private(module, accesses, "helper") == {"inner": ["store"]}


def test_loads_of_other_functions() -> None:
    module = parse()
    accesses = Accesses(module)
    parameter, shared = module.functions["helper"].variables["parameter"], module.variables["shared"]
    assert accesses.is_loaded_elsewhere(parameter, module.main)
    assert not accesses.is_loaded_elsewhere(parameter, module.functions["helper"])
    assert accesses.is_loaded_elsewhere(shared, module.functions["helper"])
    assert not accesses.is_loaded_elsewhere(shared, module.main)


def test_answers_follow_changes() -> None:
    module = parse()
    accesses = Accesses(module)
    private(module, accesses, "helper")
    store = next(i for i in module.main.instructions() if i.op is ops.STORE and i.address.variable.name == "parameter")
    store.erase()
    assert private(module, accesses, "helper") == {"parameter": ["load"], "inner": ["store"]}
    Builder.before(module.main.blocks[0].last or store).load(module.functions["helper"].variables["inner"])
    assert private(module, accesses, "helper") == {"parameter": ["load"]}


def test_functions_that_are_gone_do_not_count() -> None:
    module = parse()
    accesses = Accesses(module)
    private(module, accesses, "main")
    del module.functions["helper"]
    assert private(module, accesses, "main") == {"own": ["store"], "shared": ["load"]}
    assert not accesses.is_loaded_elsewhere(module.variables["shared"], module.main)
