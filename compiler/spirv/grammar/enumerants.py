"""The values of operands that the specification names (section 3), and the parameters that they bring.

A kind is a text: number, name, and the kinds of its parameters.  Of masks the numbers are bits, and parameters follow
in the order of the bits.
"""

from __future__ import annotations

from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """The values of one kind."""

    name: str
    is_mask: bool
    names: dict[int, str]
    numbers: dict[str, int]
    #: Number -> the kinds of its parameters, where it has any.
    parameters: dict[int, tuple[str, ...]]


_ENUMS = {
    "SourceLanguage": """
        0 Unknown; 1 ESSL; 2 GLSL; 3 OpenCL_C; 4 OpenCL_CPP; 5 HLSL; 6 CPP_for_OpenCL; 7 SYCL;
        8 HERO_C; 9 NZSL; 10 WGSL; 11 Slang""",
    "ExecutionModel": """
        0 Vertex; 1 TessellationControl; 2 TessellationEvaluation; 3 Geometry; 4 Fragment; 5 GLCompute; 6 Kernel""",
    "AddressingModel": "0 Logical; 1 Physical32; 2 Physical64; 5348 PhysicalStorageBuffer64",
    "MemoryModel": "0 Simple; 1 GLSL450; 2 OpenCL; 3 Vulkan",
    "ExecutionMode": """
        0 Invocations literal; 1 SpacingEqual; 2 SpacingFractionalEven; 3 SpacingFractionalOdd; 4 VertexOrderCw;
        5 VertexOrderCcw; 6 PixelCenterInteger; 7 OriginUpperLeft; 8 OriginLowerLeft; 9 EarlyFragmentTests;
        10 PointMode;
        11 Xfb; 12 DepthReplacing; 14 DepthGreater; 15 DepthLess; 16 DepthUnchanged;
        17 LocalSize literal literal literal; 38 LocalSizeId id id id;
        19 InputPoints; 20 InputLines; 21 InputLinesAdjacency; 22 Triangles; 23 InputTrianglesAdjacency; 24 Quads;
        25 Isolines; 26 OutputVertices literal; 27 OutputPoints; 28 OutputLineStrip; 29 OutputTriangleStrip;
        4446 PostDepthCoverage; 4459 DenormPreserve literal; 4460 DenormFlushToZero literal;
        4461 SignedZeroInfNanPreserve literal; 4462 RoundingModeRTE literal; 4463 RoundingModeRTZ literal;
        5027 StencilRefReplacingEXT""",
    "StorageClass": """
        0 UniformConstant; 1 Input; 2 Uniform; 3 Output; 4 Workgroup; 5 CrossWorkgroup; 6 Private; 7 Function;
        8 Generic;
        9 PushConstant; 10 AtomicCounter; 11 Image; 12 StorageBuffer; 5349 PhysicalStorageBuffer""",
    "Dim": "0 1D; 1 2D; 2 3D; 3 Cube; 4 Rect; 5 Buffer; 6 SubpassData",
    "ImageFormat": """
        0 Unknown; 1 Rgba32f; 2 Rgba16f; 3 R32f; 4 Rgba8; 5 Rgba8Snorm; 6 Rg32f; 7 Rg16f; 8 R11fG11fB10f; 9 R16f;
        10 Rgba16; 11 Rgb10A2; 12 Rg16; 13 Rg8; 14 R16; 15 R8; 16 Rgba16Snorm; 17 Rg16Snorm; 18 Rg8Snorm; 19 R16Snorm;
        20 R8Snorm; 21 Rgba32i; 22 Rgba16i; 23 Rgba8i; 24 R32i; 25 Rg32i; 26 Rg16i; 27 Rg8i; 28 R16i; 29 R8i;
        30 Rgba32ui; 31 Rgba16ui; 32 Rgba8ui; 33 R32ui; 34 Rgb10a2ui; 35 Rg32ui; 36 Rg16ui; 37 Rg8ui; 38 R16ui; 39 R8ui;
        40 R64ui; 41 R64i""",
    "AccessQualifier": "0 ReadOnly; 1 WriteOnly; 2 ReadWrite",
    "LinkageType": "0 Export; 1 Import; 2 LinkOnceODR",
    "FPRoundingMode": "0 RTE; 1 RTZ; 2 RTP; 3 RTN",
    "FunctionParameterAttribute": """
        0 Zext; 1 Sext; 2 ByVal; 3 Sret; 4 NoAlias; 5 NoCapture; 6 NoWrite; 7 NoReadWrite""",
    "Decoration": """
        0 RelaxedPrecision; 1 SpecId literal; 2 Block; 3 BufferBlock; 4 RowMajor; 5 ColMajor; 6 ArrayStride literal;
        7 MatrixStride literal; 8 GLSLShared; 9 GLSLPacked; 10 CPacked; 11 BuiltIn BuiltIn; 13 NoPerspective; 14 Flat;
        15 Patch; 16 Centroid; 17 Sample; 18 Invariant; 19 Restrict; 20 Aliased; 21 Volatile; 22 Constant; 23 Coherent;
        24 NonWritable; 25 NonReadable; 26 Uniform; 27 UniformId id; 28 SaturatedConversion; 29 Stream literal;
        30 Location literal; 31 Component literal; 32 Index literal; 33 Binding literal; 34 DescriptorSet literal;
        35 Offset literal; 36 XfbBuffer literal; 37 XfbStride literal; 38 FuncParamAttr FunctionParameterAttribute;
        39 FPRoundingMode FPRoundingMode; 40 FPFastMathMode FPFastMathMode; 41 LinkageAttributes string LinkageType;
        42 NoContraction; 43 InputAttachmentIndex literal; 44 Alignment literal; 45 MaxByteOffset literal;
        46 AlignmentId id; 47 MaxByteOffsetId id; 5285 PerVertexKHR; 5300 NonUniform; 5355 RestrictPointer;
        5356 AliasedPointer; 5634 CounterBuffer id; 5635 UserSemantic string; 5636 UserTypeGOOGLE string""",
    "BuiltIn": """
        0 Position; 1 PointSize; 3 ClipDistance; 4 CullDistance; 5 VertexId; 6 InstanceId; 7 PrimitiveId;
        8 InvocationId;
        9 Layer; 10 ViewportIndex; 11 TessLevelOuter; 12 TessLevelInner; 13 TessCoord; 14 PatchVertices; 15 FragCoord;
        16 PointCoord; 17 FrontFacing; 18 SampleId; 19 SamplePosition; 20 SampleMask; 22 FragDepth; 23 HelperInvocation;
        24 NumWorkgroups; 25 WorkgroupSize; 26 WorkgroupId; 27 LocalInvocationId; 28 GlobalInvocationId;
        29 LocalInvocationIndex; 36 SubgroupSize; 38 NumSubgroups; 40 SubgroupId; 41 SubgroupLocalInvocationId;
        42 VertexIndex; 43 InstanceIndex; 4424 BaseVertex; 4425 BaseInstance; 4426 DrawIndex; 4438 DeviceIndex;
        4440 ViewIndex; 5014 FragStencilRefEXT; 5286 BaryCoordKHR; 5287 BaryCoordNoPerspKHR""",
    "Capability": """
        0 Matrix; 1 Shader; 2 Geometry; 3 Tessellation; 4 Addresses; 5 Linkage; 6 Kernel; 7 Vector16; 8 Float16Buffer;
        9 Float16; 10 Float64; 11 Int64; 12 Int64Atomics; 13 ImageBasic; 14 ImageReadWrite; 15 ImageMipmap; 17 Pipes;
        18 Groups; 19 DeviceEnqueue; 20 LiteralSampler; 21 AtomicStorage; 22 Int16; 23 TessellationPointSize;
        24 GeometryPointSize; 25 ImageGatherExtended; 27 StorageImageMultisample;
        28 UniformBufferArrayDynamicIndexing; 29 SampledImageArrayDynamicIndexing; 30 StorageBufferArrayDynamicIndexing;
        31 StorageImageArrayDynamicIndexing; 32 ClipDistance; 33 CullDistance; 34 ImageCubeArray; 35 SampleRateShading;
        36 ImageRect; 37 SampledRect; 38 GenericPointer; 39 Int8; 40 InputAttachment; 41 SparseResidency; 42 MinLod;
        43 Sampled1D; 44 Image1D; 45 SampledCubeArray; 46 SampledBuffer; 47 ImageBuffer; 48 ImageMSArray;
        49 StorageImageExtendedFormats; 50 ImageQuery; 51 DerivativeControl; 52 InterpolationFunction;
        53 TransformFeedback; 54 GeometryStreams; 55 StorageImageReadWithoutFormat; 56 StorageImageWriteWithoutFormat;
        57 MultiViewport; 61 GroupNonUniform; 62 GroupNonUniformVote; 63 GroupNonUniformArithmetic;
        64 GroupNonUniformBallot; 65 GroupNonUniformShuffle; 66 GroupNonUniformShuffleRelative;
        67 GroupNonUniformClustered; 68 GroupNonUniformQuad; 69 ShaderLayer; 70 ShaderViewportIndex;
        4427 DrawParameters; 4433 StorageBuffer16BitAccess; 4434 UniformAndStorageBuffer16BitAccess; 4439 MultiView;
        4441 VariablePointersStorageBuffer; 4442 VariablePointers; 4464 DenormPreserve; 4465 DenormFlushToZero;
        4466 SignedZeroInfNanPreserve; 4467 RoundingModeRTE; 4468 RoundingModeRTZ; 5284 FragmentBarycentricKHR;
        5301 ShaderNonUniform; 5302 RuntimeDescriptorArray; 5345 VulkanMemoryModel;
        5347 PhysicalStorageBufferAddresses; 5379 DemoteToHelperInvocation""",
}
_MASKS = {
    "FunctionControl": "1 Inline; 2 DontInline; 4 Pure; 8 Const",
    "SelectionControl": "1 Flatten; 2 DontFlatten",
    "LoopControl": """
        1 Unroll; 2 DontUnroll; 4 DependencyInfinite; 8 DependencyLength literal; 16 MinIterations literal;
        32 MaxIterations literal; 64 IterationMultiple literal; 128 PeelCount literal; 256 PartialCount literal""",
    "MemoryAccess": """
        1 Volatile; 2 Aligned literal; 4 Nontemporal; 8 MakePointerAvailable id; 16 MakePointerVisible id;
        32 NonPrivatePointer""",
    "ImageOperands": """
        1 Bias id; 2 Lod id; 4 Grad id id; 8 ConstOffset id; 16 Offset id; 32 ConstOffsets id; 64 Sample id;
        128 MinLod id; 256 MakeTexelAvailable id; 512 MakeTexelVisible id; 1024 NonPrivateTexel; 2048 VolatileTexel;
        4096 SignExtend; 8192 ZeroExtend; 16384 Nontemporal; 65536 Offsets id""",
    "FPFastMathMode": "1 NotNaN; 2 NotInf; 4 NSZ; 8 AllowRecip; 16 Fast",
}


def _read(name: str, text: str, is_mask: bool) -> Kind:
    names: dict[int, str] = {}
    parameters: dict[int, tuple[str, ...]] = {}
    for entry in text.split(";"):
        number, word, *kinds = entry.split()
        names[int(number)] = word
        if kinds:
            parameters[int(number)] = tuple(kinds)
    return Kind(name, is_mask, names, {word: number for number, word in names.items()}, parameters)


#: Every kind by its name.
KINDS: dict[str, Kind] = {
    **{name: _read(name, text, False) for name, text in _ENUMS.items()},
    **{name: _read(name, text, True) for name, text in _MASKS.items()},
}


def number_of(kind: str, name: str) -> int:
    """The number that the specification gives to a name."""
    return KINDS[kind].numbers[name]


def spelled(kind: str, number: int) -> str:
    """The name of a value; its number where it is not known."""
    return KINDS[kind].names.get(number, str(number))
