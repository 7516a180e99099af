"""Messages about what a target cannot hold or cannot do, with the need and the limit (E07xx, W07xx).

A program that is too large leads to exit status 3; a construct the hardware has no means for is an
error of the shader for that target and leads to exit status 1.
"""

from __future__ import annotations

from compiler.diagnostics.catalogue.registry import error

RESOURCE_EXCEEDED = error(
    "E0701",
    "needs {need} {what}, {target} has {limit}",
    """
    The shader is correct, but the target has fewer registers, constants, instruction slots or other resources
    than it needs. The caret shows the place of the greatest need, the labels what is in use there.

        uniform vec4 bones[120];   // error on a target with 96 constant registers

    Use smaller arrays, fewer values that live at the same time, or split the work between the stages.
    """,
    exit_status=3,
)

NOT_EXPRESSIBLE = error(
    "E0702",
    "{target} cannot express {construct}",
    """
    The hardware of this target has no instruction for the construct, and no sequence of its instructions
    computes it. Other targets may have it.

        float d = dFdx(uv.x);      // error on a target whose fragment stage has no derivatives
    """,
)

SHADER_TOO_LARGE = error(
    "E0703",
    "the shader takes more than {limit} operations",
    """
    Copying a structure or an array costs one operation for each of its parts, and a function with sampler
    parameters is translated once for each set of samplers it is called with, so a short text can ask for
    very many operations. So can functions that call others twice and more: every call becomes a copy of the
    function. The caret shows where the limit was reached.

        float f(float a[60000]) { return a[0]; }
        float x = f(data) + f(data) + f(data) + f(data) + f(data);      // copies the array for every call

    Pass single elements instead of large arrays and structures, and call large functions fewer times.
    """,
)
