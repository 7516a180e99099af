"""The code checked after every step of a compilation (`--verify-each`), so that the step that breaks a rule is named.

    with watching(Verifier()):
        run_pipeline(module, pipeline)

What passes leave is judged by the rules of the IR, what steps of code generation leave by those of machine code.
"""

from __future__ import annotations

from glslc_multi.compiler.trace import Watcher, watching


class BrokenByStep(Exception):
    """A step left code that breaks a rule: an error of the compiler, not of the shader."""


class Verifier(Watcher):
    """Raises where a step left a module or a machine function that breaks a rule."""

    def after(self, step: str, code: object, *, changed: bool) -> None:
        if not changed:
            return
        from glslc_multi.compiler.codegen.machine import MachineFunction
        from glslc_multi.compiler.codegen.verify import verify_machine
        from glslc_multi.compiler.ir.module import Module
        from glslc_multi.compiler.ir.verify import verify_module

        if isinstance(code, Module):
            faults = [fault.text for fault in verify_module(code)]
        else:
            assert isinstance(code, MachineFunction)
            faults = verify_machine(code)
        if faults:
            raise BrokenByStep(f"'{step}' broke a rule: {faults[0]}")


def verifying(verify_each: bool) -> watching:
    """Return a context in which the code is checked after every step, if that is asked for."""
    return watching(Verifier()) if verify_each else watching()
