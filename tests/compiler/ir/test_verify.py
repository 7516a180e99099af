"""Broken modules: what is said about each, word for word, and that nothing is said about sound ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Module
from glslc_multi.compiler.ir.types import BOOL, FLOAT, INT, SAMPLER_2D, VEC2, VEC4, VOID
from glslc_multi.compiler.ir.variables import Address, TextureAccess, Variable
from glslc_multi.compiler.ir.verify import RULES
from glslc_multi.compiler.ir.verify.rules import Faults
from glslc_multi.compiler.records import replace
from tests.compiler.ir.broken import BASE, base, instruction, texts


def test_the_base_is_sound() -> None:
    assert texts(base(), final=True) == []


# ---------------------------------------------------------------------- modules broken in their text
#: What is replaced in the base, what by, and the faults that follow.
EDITS: list[tuple[str, str, list[str]]] = [
    ("@main {", "@start {", ["module: there is no function main [main]"]),
    (
        "  ret\n}\n\nfunc @main",
        "  call @helper\n  ret\n}\n\nfunc @main",
        [
            "@helper: calls itself: @helper -> @helper [call-cycle]",
        ],
    ),
    ("varying @v", "attribute @v", ["module: @v is an attribute in a fragment shader [storage-stage]"]),
    ("sampler @s: sampler2D", "sampler @s: vec2", ["module: @s is sampler of type vec2 [variable-type]"]),
    ("uniform @u: float[3]", "uniform @u: samplerCube", ["module: @u is uniform of type samplerCube [variable-type]"]),
    ("local @l: vec4", "local @l: ivec4 columns(2)", ["@main: @l has 2 columns of type ivec4 [matrix]"]),
    ("local @l: vec4", "local @l: float columns(3)", ["@main: @l has 3 columns of type float [matrix]"]),
    ("local @l: vec4", "local @l: vec4 location(1)", ["@main: @l is local at location 1 [location]"]),
    ("local @l: vec4", "local @l: vec4 role(position)", ["@main: @l is local with role 'position' [role]"]),
    ("output @o: vec4", "output @o: vec4 role(colour)", ["module: @o is output with role 'colour' [role]"]),
    (
        "uniform @u: float[3]",
        "uniform @u: float[3] rows",
        [
            "module: @u is laid out in rows, but is no square matrix uniform [layout]",
        ],
    ),
    (
        "uniform @u: float[3]",
        "uniform @u: float[3] from(vec2)",
        ["module: @u is uniform of type float from 'vec2' [source-kind]"],
    ),
    (
        "sampler @s: sampler2D",
        "sampler @s: sampler2D from(samplerCubeShadow)",
        ["module: @s is sampler of type sampler2D from 'samplerCubeShadow' [source-kind]"],
    ),
    ("local @l: vec4", "local @l: vec4 from(int)", ["@main: @l is local of type vec4 from 'int' [source-kind]"]),
    ("uniform @m: mat4", "uniform @m: mat4 invariant", ["module: @m is uniform, cannot be invariant [invariant]"]),
    ("  br ^exit\n", "", ["@main ^then: has no terminator [terminator]"]),
    ("  br ^exit\n", "  br ^exit\n  br ^exit\n", ["@main ^then: a terminator stands before the end [terminator]"]),
    (
        "  br ^exit\n",
        "  br ^entry\n",
        [
            "@main ^then: branches to the entry block ^entry [entry]",
        ],
    ),
    ("^exit:\n", "^exit:\n  %20:float = fneg 1.0\n", ["@main ^exit: a phi follows another instruction [phi-first]"]),
    (", [%4, ^then]", "", ["@main ^exit %7 'phi': needs one operand for ^then, found 0 [phi-blocks]"]),
    (
        ", [%4, ^then]",
        ", [%4, ^then], [%1, ^then]",
        [
            "@main ^exit %7 'phi': needs one operand for ^then, found 2 [phi-blocks]",
        ],
    ),
    (
        ", [%4, ^then]",
        ", [%4, ^then], [%1, ^exit]",
        ["@main ^exit %7 'phi': ^exit is no predecessor [phi-blocks]"],
    ),
    (
        "condbr %2, ^then, ^exit\n^then:",
        "condbr %2, ^then, ^twin\n^twin:\n  condbr %2, ^then, ^exit\n^then:",
        [
            "@main ^exit %7 'phi': needs one operand for ^twin, found 0 [phi-blocks]",
            "@main ^exit %7 'phi': ^entry is no predecessor [phi-blocks]",
        ],
    ),
    ("swizzle.xxxx %7", "swizzle.xxxx %4", ["@main ^exit %8 'swizzle': %4 is used before it is defined [dominance]"]),
    (
        "[%1, ^entry]",
        "[%4, ^entry]",
        [
            "@main ^exit %7 'phi': %4 is not defined on every path through ^entry [dominance]",
        ],
    ),
    (
        "  %4:float = fneg %1\n",
        "  %4:float = fneg %20\n  %20:float = fneg %4\n",
        [
            "@main ^then %4 'fneg': %20 is used before it is defined [dominance]",
        ],
    ),
    (
        "  call @helper\n",
        "  %20:float = load @u[3]\n",
        [
            "@main ^then %20 'load': @u has 3 elements, no number 3 [index]",
        ],
    ),
    (
        "  call @helper\n",
        "  %20:float = load @u[-1]\n",
        [
            "@main ^then %20 'load': @u has 3 elements, no number -1 [index]",
        ],
    ),
    (
        "  call @helper\n",
        "  %20:vec2 = load @v[(0)]\n",
        [
            "@main ^then %20 'load': @v is no array, cannot have a dynamic index [index]",
        ],
    ),
    (
        "  call @helper\n",
        "  %20:vec4 = load @m.4\n",
        [
            "@main ^then %20 'load': @m has 4 columns, no number 4 [column]",
        ],
    ),
    (
        "  call @helper\n",
        "  %20:vec2 = load @v.(0)\n",
        [
            "@main ^then %20 'load': @v is no matrix, cannot have a dynamic column [column]",
        ],
    ),
    (
        "  call @helper\n",
        "  %20:vec4 = load @o\n",
        [
            "@main ^then %20 'load': @o is an output of the stage, which cannot be read back [load]",
        ],
    ),
    (
        "  call @helper\n",
        "  store @v, %0\n",
        [
            "@main ^then %5 'store': @v is varying, which a fragment shader cannot write [store]",
        ],
    ),
    (
        "  call @helper\n",
        "  store @m.0, vec4(0.0)\n",
        [
            "@main ^then %5 'store': @m is uniform, which a fragment shader cannot write [store]",
        ],
    ),
    (
        "  call @helper\n",
        "  call @main\n",
        [
            "@main ^then %5 'call': main cannot be called [callee]",
            "@main: calls itself: @main -> @main [call-cycle]",
        ],
    ),
    (
        "  call @helper\n",
        "  %20:vec4 = texture offset(1) @s, %0\n",
        ["@main ^then %20 'texture': @s is sampler2D, whose offsets have 2 components, found 1 [texture]"],
    ),
    (
        "  call @helper\n",
        "  emit_vertex\n",
        [
            "@main ^then %5 'emit_vertex': cannot occur in a fragment shader [stage-emit]",
        ],
    ),
    (
        "  call @helper\n",
        "  end_primitive\n",
        [
            "@main ^then %5 'end_primitive': cannot occur in a fragment shader [stage-emit]",
        ],
    ),
    (
        "^exit:\n",
        "^lost:\n  %20:float = fneg %20\n  br ^exit\n^exit:\n",
        [
            "@main ^exit %7 'phi': needs one operand for ^lost, found 0 [phi-blocks]",
        ],
    ),
]


@pytest.mark.parametrize("edit", EDITS, ids=[str(number) for number in range(len(EDITS))])
def test_modules_broken_in_their_text(edit: tuple[str, str, list[str]]) -> None:
    old, new, expected = edit
    assert BASE.count(old) == 1 or old == "^exit:\n"
    assert texts(base(BASE.replace(old, new))) == expected


@pytest.mark.parametrize(
    ("stage", "line", "expected"),
    [
        ("vertex", "kill true", "%0 'kill': cannot occur in a vertex shader [stage-kill]"),
        ("geometry", "kill true", "%0 'kill': cannot occur in a geometry shader [stage-kill]"),
        ("vertex", "%0:float = ddx 1.0", "%0 'ddx': cannot occur in a vertex shader [stage-derivative]"),
        ("vertex", "%0:float = ddy 1.0", "%0 'ddy': cannot occur in a vertex shader [stage-derivative]"),
        (
            "vertex",
            "%0:vec4 = texture.bias @s, vec2(0.0), 1.0",
            "%0 'texture': cannot occur in a vertex shader [stage-derivative]",
        ),
        ("vertex", "%0:vec4 = texture.lod @s, vec2(0.0), 1.0", None),
        ("vertex", "store @v, vec2(0.0)", None),
        ("vertex", "%0:vec2 = load @v", "%0 'load': @v is an output of the stage, which cannot be read back [load]"),
        ("geometry", "emit_vertex", None),
        ("fragment", "kill true", None),
        ("fragment", "%0:float = ddx 1.0", None),
    ],
)
def test_stages(stage: str, line: str, expected: str | None) -> None:
    text = f"shader {stage}\nvarying @v: vec2\nsampler @s: sampler2D\nfunc @main {{\n^entry:\n  {line}\n  ret\n}}\n"
    assert texts(base(text)) == ([] if expected is None else [f"@main ^entry {expected}"])


# ------------------------------------------------------------------- modules broken after the parser
def block(module: Module, name: str) -> Block:
    return next(b for b in module.main.blocks if b.name == name)


def _add(module: Module, *instructions: Instruction) -> None:
    for added in instructions:
        block(module, "then").insert_before(instruction(module, 4), added)


def _set(module: Module, number: int, **fields: object) -> None:
    for name, value in fields.items():
        setattr(instruction(module, number), name, value)


def _negation_of(constant: Constant) -> Callable[[Module], None]:
    return lambda module: _add(module, Instruction(ops.FNEG, FLOAT, [constant]))


def _variable(name: str, **fields: object) -> Callable[[Module], None]:
    def change(module: Module) -> None:
        for field, value in fields.items():
            setattr(module.variables[name], field, value)

    return change


def _stray_user(module: Module) -> None:
    Instruction(ops.FNEG, FLOAT, [instruction(module, 4)])


def _forgotten_user(module: Module) -> None:
    instruction(module, 4).users.clear()


def _foreign_operand(module: Module) -> None:
    other = Builder(base().main.entry).op(ops.FNEG, float_constant(1.0))
    instruction(module, 4).set_operand(0, other)


def _void_operand(module: Module) -> None:
    # No constructor would let a store be an operand, so its place in the list is taken by force.
    instruction(module, 4)._operands.append(instruction(module, 5))
    instruction(module, 5).users[instruction(module, 4)] = 1


def _no_value(module: Module) -> None:
    instruction(module, 4)._operands.append("x")  # type: ignore[arg-type]


def _foreign_opcode(module: Module) -> None:
    _set(module, 4, op=replace(ops.FNEG, name="fnegate"))


def _foreign_block(module: Module) -> None:
    module.main.blocks.append(Block(module.functions["helper"], "guest", 9))
    module.main.blocks[-1].append(Instruction(ops.RET, VOID))


def _same_block_names(module: Module) -> None:
    block(module, "then").name = "exit"


def _same_block_numbers(module: Module) -> None:
    block(module, "then").id = 0


def _foreign_target(module: Module) -> None:
    instruction(module, 6).attribute[0] = module.functions["helper"].entry


def _cut_link(module: Module) -> None:
    instruction(module, 5).prev = None


def _ring(module: Module) -> None:
    call = instruction(module, 5)
    call.next = instruction(module, 4)


def _wrong_last(module: Module) -> None:
    block(module, "then").last = instruction(module, 4)


def _cross_listed(module: Module) -> None:
    module.variables["w"] = module.variables["u"]


def _twice_listed(module: Module) -> None:
    module.functions["helper"].variables["u"] = Variable("u", "local", FLOAT)


def _interface_in_function(module: Module) -> None:
    module.main.add_variable(Variable("c", "uniform", FLOAT))


def _foreign_variable(module: Module) -> None:
    _set(module, 0, attribute=Address(Variable("v", "varying", VEC2)))


def _foreign_callee(module: Module) -> None:
    _set(module, 5, attribute=Function(module, "helper"))


def _renamed_function(module: Module) -> None:
    module.functions["helper"].name = "assistant"


def _foreign_function(module: Module) -> None:
    module.functions["helper"].module = Module("fragment")


def _no_blocks(module: Module) -> None:
    module.functions["helper"].blocks.clear()


def _sampler_value(module: Module) -> None:
    _add(module, Instruction(ops.LOAD, SAMPLER_2D, (), Address(module.variables["s"])))


THEN = "@main ^then"
NEG = f"{THEN} %4 'fneg'"
NEW = f"{THEN} %11 'fneg'"

BREAKAGES: list[tuple[Callable[[Module], None], list[str]]] = [
    (lambda m: setattr(m, "stage", "pixel"), ["module: there is no stage 'pixel' [stage]"]),
    (
        _cross_listed,
        [
            "module: variable @u is listed as @w [names]",
        ],
    ),
    (_twice_listed, ["@helper: there are two variables @u [names]"]),
    (
        _renamed_function,
        [
            "@assistant: is listed as @helper [names]",
            "@main ^then %5 'call': @assistant is no function of this module [callee]",
        ],
    ),
    (_foreign_function, ["@helper: belongs to another module [names]"]),
    (_interface_in_function, ["@main: @c is uniform, a function owns local ones only [storage]"]),
    (_variable("u", storage="constant"), ["module: @u has the unknown storage 'constant' [storage]"]),
    (_variable("u", dims=(0,)), ["module: @u has dimensions [0] [dims]"]),
    (_variable("u", dims=(2.5,)), ["module: @u has dimensions [2.5] [dims]"]),
    (_variable("u", location=-1), ["module: @u is uniform at location -1 [location]"]),
    (_variable("u", precision="halfp"), ["module: @u has the unknown precision 'halfp' [precision]"]),
    (_variable("u", columns=5), ["module: @u has 5 columns [matrix]"]),
    (_variable("u", type=VOID), ["module: @u is uniform of type void [variable-type]"]),
    (
        _variable("m", storage="varying", type=BOOL, columns=1),
        [
            "module: @m is varying of type bool, must be float or int [interface-type]",
        ],
    ),
    (_no_blocks, ["@helper: has no block [entry]"]),
    (
        _foreign_block,
        [
            "@main ^guest: belongs to another function [block-list]",
            "@main ^guest: the number 9 is taken or not below 3 [block-list]",
        ],
    ),
    (_same_block_names, ["@main ^exit: another block has the same name [block-list]"]),
    (_same_block_numbers, ["@main ^then: the number 0 is taken or not below 3 [block-list]"]),
    (_foreign_target, ["@main ^then: ^entry is no block of this function [targets]"]),
    (_cut_link, [f"{THEN}: %5 is linked to another block or predecessor [links]"]),
    (_ring, [f"{THEN}: %4 is linked to another block or predecessor [links]"]),
    (_wrong_last, [f"{THEN}: the last instruction is not the one that is reached last [links]"]),
    (_foreign_opcode, [f"{THEN} %4 'fnegate': is not in the opcode table [opcode]"]),
    (lambda m: _set(m, 4, flags=12), [f"{NEG}: has the unknown flags 12 [flags]"]),
    (lambda m: _set(m, 4, id=99), [f"{THEN} %99 'fneg': the number is not from 0 to below 11 [numbers]"]),
    (lambda m: _set(m, 4, id=1), [f"{THEN} %1 'fneg': another instruction has the same number [numbers]"]),
    (lambda m: _set(m, 4, attribute=3), [f"{NEG}: needs no attribute, found 3 [attribute]"]),
    (
        lambda m: _set(m, 1, attribute=[0]),
        [
            "@main ^entry %1 'swizzle': needs a tuple of 1 to 4 component numbers, found list of 1 [attribute]",
        ],
    ),
    (
        lambda m: _set(m, 1, attribute=()),
        [
            "@main ^entry %1 'swizzle': needs a tuple of 1 to 4 component numbers, found () [attribute]",
        ],
    ),
    (
        lambda m: _add(m, Instruction(ops.INSERT, VEC2, [], True)),
        [
            f"{THEN} %11 'insert': needs a component number, found True [attribute]",
        ],
    ),
    (lambda m: _set(m, 0, attribute="v"), ["@main ^entry %0 'load': needs an address, found 'v' [attribute]"]),
    (
        lambda m: _add(m, Instruction(ops.TEXTURE, VEC4, [], Address(m.variables["s"]))),
        [
            f"{THEN} %11 'texture': needs a texture access, found Address [attribute]",
        ],
    ),
    (
        lambda m: _set(m, 7, attribute=None),
        ["@main ^exit %7 'phi': needs a list with one block for each operand, found None [attribute]"],
    ),
    (
        lambda m: instruction(m, 7).attribute.pop(),
        ["@main ^exit %7 'phi': needs a list with one block for each operand, found list of 1 [attribute]"],
    ),
    (
        lambda m: _set(m, 6, attribute=[]),
        [
            f"{THEN} %6 'br': needs a list of its target blocks, found list of 0 [attribute]",
        ],
    ),
    (lambda m: _set(m, 5, attribute="helper"), [f"{THEN} %5 'call': needs a function, found 'helper' [attribute]"]),
    (_foreign_operand, [f"{NEG}: operand 1, %11, is in no block of this function [operand]"]),
    (_void_operand, [f"{NEG}: operand 2, %5, yields no value [operand]"]),
    (_no_value, [f"{NEG}: operand 2 is neither a constant nor an instruction [operand]"]),
    (_stray_user, [f"{NEG}: counts 2 uses, there are 1 [users]"]),
    (_forgotten_user, ["@main ^exit %7 'phi': %4 does not count this instruction as a user 1 times [users]"]),
    (_negation_of(Constant(FLOAT, (1.0, 2.0))), [f"{NEW}: a constant of type float has 2 components [constant-type]"]),
    (_negation_of(Constant(VOID, ())), [f"{NEW}: a constant cannot be of type void [constant-type]"]),
    (_negation_of(Constant(FLOAT, (1,))), [f"{NEW}: a constant of type float cannot hold 1 [constant-value]"]),
    (_negation_of(Constant(INT, (True,))), [f"{NEW}: a constant of type int cannot hold True [constant-value]"]),
    (_negation_of(Constant(INT, (2**31,))), [f"{NEW}: 2147483648 does not fit 32 bits [constant-range]"]),
    (_negation_of(Constant(FLOAT, (0.1,))), [f"{NEW}: 0.1 is no float32 value [constant-range]"]),
    (_negation_of(float_constant(1.0, 2.0)), [f"{NEW}: must be of type vec2, is declared float [result-type]"]),
    (
        _negation_of(Constant(INT, (3,))),
        [f"{NEW}: operand 1 must be float, found int [operand-types]"],
    ),
    (_sampler_value, [f"{THEN} %11 'load': @s is a sampler, which has no value [load]"]),
    (_foreign_variable, ["@main ^entry %0 'load': @v is listed neither by the module nor by a function [scope]"]),
    (_foreign_callee, [f"{THEN} %5 'call': @helper is no function of this module [callee]"]),
    (
        lambda m: _add(m, Instruction(ops.TEXTURE, VEC4, [], TextureAccess(Address(m.variables["s"])))),
        [
            f"{THEN} %11 'texture': takes (vec2), found () [operand-types]",
        ],
    ),
    (
        lambda m: _add(m, Instruction(ops.TEXTURE, VEC4, [], TextureAccess(Address(m.variables["v"])))),
        [f"{THEN} %11 'texture': takes a sampler, found vec2 [operand-types]"],
    ),
]


@pytest.mark.parametrize("breakage", BREAKAGES, ids=[str(number) for number in range(len(BREAKAGES))])
def test_modules_broken_after_the_parser(breakage: tuple[Callable[[Module], None], list[str]]) -> None:
    change, expected = breakage
    module = base()
    change(module)
    assert texts(module) == expected


def test_every_rule_has_a_broken_module() -> None:
    said = [text for _, _, faults in EDITS for text in faults] + [text for _, faults in BREAKAGES for text in faults]
    elsewhere = {"reducible", "one-exit", "output-once", "stage-kill", "stage-derivative"}
    assert {rule for rule in RULES if not any(f"[{rule}]" in text for text in said)} == elsewhere


def test_a_fault_names_a_rule_of_the_table() -> None:
    with pytest.raises(KeyError):
        Faults().add("no-such-rule", "text")
