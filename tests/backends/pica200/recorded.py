"""Facts about the machine that its common assembler and an emulator recorded for this project."""

from __future__ import annotations

from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Encoded:
    """One instruction with its word and operand descriptor."""

    text: str
    word: int
    descriptor: int


ENCODINGS: tuple[Encoded, ...] = (
    Encoded("add r4.yz, c18[a0.y+42], -v10.zwyw", 0x0295C500, 0x002DE366),
    Encoded("dp3 r10.xyz, -c38[aL].wwyz, -r8.yywy", 0x075C6C00, 0x00177EDE),
    Encoded("dp4 r10.xw, c64[aL+2].xwxy, v8.wzyw", 0x0B5E2400, 0x0039C629),
    Encoded("dph r3, c95[a0.x].ywwz, v2.zzyw", 0x0E6FF100, 0x0029CFCF),
    Encoded("dst r10.z, c45[a0.y+45], v4.zwzw", 0x1357A200, 0x002EC362),
    Encoded("mul r3.z, v11.xyyx, r6.yxzz", 0x2260BB00, 0x00128282),
    Encoded("sge r6.xw, -c37[a0.x+20].wyzy, v0.zwyw", 0x26CD9000, 0x002DDB39),
    Encoded("slt r13.xw, -c69[a0.y], r1.yzyx", 0x2BB65880, 0x00190379),
    Encoded("max r10.yzw, c91[a0.y+2].zzxw, -v14.xwwz", 0x3357D700, 0x000FB467),
    Encoded("min o0, c83[a0.y+9].wyzy, r3.wwxy", 0x3417C980, 0x003C5B2F),
    Encoded("dph r4.z, -v13.zwyx, -c54[a0.x+41].wyxw", 0x628B7F80, 0x0034F692),
    Encoded("dst o7, r7.ywyx, -c58[aL].ywxw", 0x64FDED00, 0x001CEE8F),
    Encoded("sge r8.xz, r13.wxyy, c79[a0.x+4].ywzw", 0x6B0F7980, 0x001ED8AA),
    Encoded("slt o4.xyz, v10.zxyz, c29[aL].yxxy", 0x6C9A9E80, 0x001050CE),
    Encoded("ex2 r8.z, c31[aL].wxyx", 0x171BF000, 0x00001882),
    Encoded("lg2 r3.yz, c0[a0.y].wywy", 0x1A720000, 0x00001BA6),
    Encoded("litp o10.yz, c69[aL+24].xzzw", 0x1D5FD000, 0x00000566),
    Encoded("flr o10.xzw, -c0[a0.x+33].yzyx", 0x2D4C1000, 0x00000C9B),
    Encoded("rcp o1.y, c82[a0.x].yxxz", 0x382F2000, 0x00000844),
    Encoded("rsq r4.x, c83[a0.x+4].ywzz", 0x3E8F7000, 0x00000F48),
    Encoded("mov r4, -c83[aL+3].wyyy", 0x4E9F6000, 0x00001ABF),
    Encoded("mova a0.x, c80[a0.x]", 0x480F0000, 0x00000368),
    Encoded("cmp c27[a0.y+23].wwxz, eq, ge, r4.wxyw", 0xB8B52A00, 0x0031DE40),
    Encoded("mad o13.zw, r8.zyyz, v3, -r1", 0xED300E20, 0x0DC6D2C3),
    Encoded("mad r3, r5.wzww, r7.ywzz, c62[a0.x]", 0xD36B7BC0, 0x0D9E9DEF),
)

#: Source of a shader and the file that the assembler makes of it.
CONTAINER_TEXT = """
.fvec uMvp[4], uDir[4], uCol[4]
.constf k(0,0,0,0)
.consti n(3,0,1,0)
.out o pos
.out c clr
.proc main
    dph o.x, v0, uMvp[0]
    dph o.y, v0, uMvp[1]
    dph o.z, v0, uMvp[2]
    dph o.w, v0, uMvp[3]
    mov r0, k
    for n
        dp3 r1.x, uDir[aL], v1
        max r1.x, k.x, r1.x
        mad r0, r1.x, uCol[aL], r0
    .end
    mov c, r0
    end
.end
"""
CONTAINER_HEX = (
    "44564c42010000009000000044564c5000000000280000000b0000005400000006000000840000000000000000000000"
    "000000000010006081100060021100608311006004f0074e0020c0a480403a0680f8273205a2e2f00400214c00000088"
    "68c306000000000064c306000000000062c306000000000061c30600000000006f030000000000000fc0860d00000000"
    "44564c4502100000000000000b0000000000030000000000400000000200000068000000000000006800000002000000"
    "7800000003000000900000000f00000002005f0000000000000000000000000000000000010003000300010000000000"
    "0000000000000000000000000f000000020001000f000000000000001000130005000000140017000a00000018001b00"
    "754d767000754469720075436f6c0000"
)
