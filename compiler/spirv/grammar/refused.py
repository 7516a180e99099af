"""Instructions that the front end knows by name and refuses, with the reason that messages give."""

from __future__ import annotations

from glslc_multi.compiler.spirv.grammar.model import Row, row

#: Reason -> numbers and names.
_GROUPS: dict[str, str] = {
    "no target has atomic operations": """
        227 OpAtomicLoad 228 OpAtomicStore 229 OpAtomicExchange 230 OpAtomicCompareExchange 232 OpAtomicIIncrement
        233 OpAtomicIDecrement 234 OpAtomicIAdd 235 OpAtomicISub 236 OpAtomicSMin 237 OpAtomicUMin 238 OpAtomicSMax
        239 OpAtomicUMax 240 OpAtomicAnd 241 OpAtomicOr 242 OpAtomicXor 60 OpImageTexelPointer""",
    "no target has barriers between invocations": "224 OpControlBarrier 225 OpMemoryBarrier",
    "no target has groups of invocations that exchange values": """
        333 OpGroupNonUniformElect 334 OpGroupNonUniformAll 335 OpGroupNonUniformAny 336 OpGroupNonUniformAllEqual
        337 OpGroupNonUniformBroadcast 338 OpGroupNonUniformBroadcastFirst 339 OpGroupNonUniformBallot
        340 OpGroupNonUniformInverseBallot 341 OpGroupNonUniformBallotBitExtract 342 OpGroupNonUniformBallotBitCount
        343 OpGroupNonUniformBallotFindLSB 344 OpGroupNonUniformBallotFindMSB 345 OpGroupNonUniformShuffle
        346 OpGroupNonUniformShuffleXor 347 OpGroupNonUniformShuffleUp 348 OpGroupNonUniformShuffleDown
        349 OpGroupNonUniformIAdd 350 OpGroupNonUniformFAdd 351 OpGroupNonUniformIMul 352 OpGroupNonUniformFMul
        353 OpGroupNonUniformSMin 354 OpGroupNonUniformUMin 355 OpGroupNonUniformFMin 356 OpGroupNonUniformSMax
        357 OpGroupNonUniformUMax 358 OpGroupNonUniformFMax 359 OpGroupNonUniformBitwiseAnd
        360 OpGroupNonUniformBitwiseOr 361 OpGroupNonUniformBitwiseXor 362 OpGroupNonUniformLogicalAnd
        363 OpGroupNonUniformLogicalOr 364 OpGroupNonUniformLogicalXor 365 OpGroupNonUniformQuadBroadcast
        366 OpGroupNonUniformQuadSwap 4421 OpSubgroupBallotKHR 4422 OpSubgroupFirstInvocationKHR 4428 OpSubgroupAllKHR
        4429 OpSubgroupAnyKHR 4430 OpSubgroupAllEqualKHR 4432 OpSubgroupReadInvocationKHR""",
    "no target has storage buffers": "68 OpArrayLength",
    "no target has pointers that are values": """
        67 OpPtrAccessChain 70 OpInBoundsPtrAccessChain 401 OpPtrEqual 402 OpPtrNotEqual 403 OpPtrDiff
        117 OpConvertPtrToU 120 OpConvertUToPtr""",
    "no target writes images, or reads them without a sampler": """
        98 OpImageRead 99 OpImageWrite 320 OpImageSparseRead""",
    "no target gathers components of four texels": "96 OpImageGather 97 OpImageDrefGather",
    "no target tells the levels of a texture": "105 OpImageQueryLod 106 OpImageQueryLevels",
    "no target has textures of several samples": "107 OpImageQuerySamples",
    "no target says which pages of a texture are there": """
        305 OpImageSparseSampleImplicitLod 306 OpImageSparseSampleExplicitLod 307 OpImageSparseSampleDrefImplicitLod
        308 OpImageSparseSampleDrefExplicitLod 313 OpImageSparseFetch 314 OpImageSparseGather
        315 OpImageSparseDrefGather 316 OpImageSparseTexelsResident""",
    "numbers of 16 bits are not supported": "116 OpQuantizeToF16",
    "geometry shaders of SPIR-V are not supported": """
        218 OpEmitVertex 219 OpEndPrimitive 220 OpEmitStreamVertex 221 OpEndStreamPrimitive""",
    "rays are not supported": "4445 OpTraceRayKHR 4473 OpRayQueryInitializeKHR 4477 OpRayQueryProceedKHR",
}


def _rows() -> dict[int, tuple[str, str]]:
    rows = {}
    for reason, text in _GROUPS.items():
        words = text.split()
        rows.update({int(number): (name, reason) for number, name in zip(words[::2], words[1::2], strict=True)})
    return rows


#: Number -> name and reason.
REFUSED: dict[int, tuple[str, str]] = _rows()
REASONS: dict[str, str] = dict(REFUSED.values())
#: Their operands are words that nobody reads: whoever walks over the module refuses it there, where lines are known.
REFUSED_ROWS: dict[int, Row] = {number: row(number, name, "literal*") for number, (name, _) in REFUSED.items()}
