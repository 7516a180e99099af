"""The rules that programs must keep: the number that the runtime reports, and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from glslc_multi.backends.agal.isa.registers import Stage

RULES: Mapping[int, str] = {
    3612: "a program begins with the magic byte, in little-endian order",
    3615: "a program is a header and one or more whole tokens",
    3617: "the version must be 1, 2 or 3",
    3618: "the program's type tag must be 0xa1",
    3619: "the stage must be 0 (vertex) or 1 (fragment)",
    3620: "the opcode is out of range",
    3621: "the opcode is not implemented",
    3622: "this instruction exists in fragment programs only",
    3623: "eif without a condition",
    3624: "conditions are nested deeper than 4",
    3625: "all sources are constants; only mov may read nothing else",
    3626: "only one source may be indirect",
    3627: "the destination of an instruction without one must be zero",
    3628: "the write mask of this instruction must be xyz",
    3629: "the program has too many tokens",
    3630: "the program given as fragment program is another one",
    3631: "the program given as vertex program is another one",
    3632: "the fragment program reads a varying that the vertex program does not write",
    3633: "a varying must be written in all components",
    3634: "the colour output is never written",
    3635: "the position must be written in all components",
    3636: "an unused source must be zero",
    3637: "vertex programs have no samplers",
    3638: "a sampler can be only the second operand of tex",
    3639: "fragment programs cannot read by index",
    3640: "only constants can be read by index",
    3641: "the coordinate of tex cannot be read by index",
    3642: "the index must be an attribute, a constant or a temporary",
    3643: "offset and index must be zero in a source that is not indirect",
    3644: "vertex programs cannot read varyings",
    3645: "fragment programs cannot read attributes",
    3646: "outputs cannot be read",
    3647: "a temporary is read that was never written",
    3648: "a component of a temporary is read that was never written",
    3649: "samplers cannot be written",
    3650: "fragment programs cannot write varyings",
    3651: "attributes cannot be written",
    3652: "constants cannot be written",
    3653: "the write mask is empty",
    3654: "reserved bits must be zero",
    3655: "unknown register type",
    3656: "sampler number out of range",
    3657: "varying number out of range",
    3658: "attribute number out of range",
    3659: "constant number out of range",
    3660: "output number out of range",
    3661: "temporary number out of range",
    3662: "a cube sampler must clamp",
    3664: "the sampler's dimension must be 2d or cube",
    3665: "unknown filter of a sampler",
    3666: "unknown mip mode of a sampler",
    3667: "unknown wrap mode of a sampler",
    3668: "unknown special bits of a sampler",
    3689: "a matrix cannot be swizzled",
    3693: "the second operand of tex must be a sampler",
    3696: "all uses of a sampler must have the same properties",
    3701: "a colour output must be written in all components at once",
    3703: "the source must read one component only",
    3704: "a cube sampler must have mip mode nearest or linear",
    3725: "the profile does not allow this version",
    3726: "the instruction needs version 2",
    3739: "a condition is open at the end of the program",
    3741: "inside of a condition, the coordinate of tex must be a varying",
    3742: "derivatives cannot be taken inside of a condition",
    3744: "a colour output is written twice",
    3748: "a block of a condition is empty",
    3749: "depth output number out of range, or a version without depth output",
    3750: "vertex programs have no depth output",
    3751: "outputs cannot be written inside of a condition",
    3752: "els without a condition, or a second one",
    3756: "the depth output must be written with mask x",
    3757: "both programs must have the same version",
    3758: "both sources of the condition are the same",
    3760: "colour output number out of range",
    3775: "colour outputs must be consecutive, from 0 on",
    3786: "the instance id cannot be written",
    3788: "fragment programs have no instance id",
    3789: "the instance id needs version 3",
}


class Fault(NamedTuple):
    """A rule that a program breaks, which token does (None: the program as a whole), and of which half of a pair."""

    number: int
    token: int | None = None
    stage: Stage | None = None

    @property
    def text(self) -> str:
        return RULES[self.number]
