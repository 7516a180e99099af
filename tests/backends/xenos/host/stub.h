/* libxenon's interface as its documentation has it, as far as generated code calls it; the calls are recorded. */
#ifndef XE_H
#define XE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHADER_TYPE_VERTEX 0
#define SHADER_TYPE_PIXEL 1
#define XE_TYPE_FLOAT2 37
#define XE_TYPE_FLOAT3 57
#define XE_TYPE_FLOAT4 38
enum {
    XE_USAGE_POSITION, XE_USAGE_BLENDWEIGHTS, XE_USAGE_BLENDINDICES, XE_USAGE_NORMAL, XE_USAGE_PSIZE, XE_USAGE_TEXCOORD,
    XE_USAGE_TANGENT, XE_USAGE_BINORMAL, XE_USAGE_TESSFACTOR, XE_USAGE_POSITIONT, XE_USAGE_COLOR, XE_USAGE_FOG,
    XE_USAGE_DEPTH, XE_USAGE_SAMPLE
};

struct XenosVBFElement { int usage, index, fmt; };
struct XenosVBFFormat { int num; struct XenosVBFElement e[10]; };
struct XenosSurface { int number; };
struct XenosShader { void *file; int is_instantiated; const struct XenosVBFFormat *format; };
struct XenosDevice {
    float constants[512][4];
    struct XenosSurface *textures[32];
    unsigned uploaded; /* textures whose upload is sure */
    struct XenosShader *shaders[2];
    struct XenosShader loaded[8];
    int count;
};

static inline struct XenosShader *Xe_LoadShaderFromMemory(struct XenosDevice *xe, void *file)
{
    if ((uintptr_t)file % 4)
        abort();
    xe->loaded[xe->count].file = file;
    return &xe->loaded[xe->count++];
}

static inline void Xe_InstantiateShader(struct XenosDevice *xe, struct XenosShader *shader, unsigned index)
{
    (void)xe;
    if (index != 0)
        abort();
    shader->is_instantiated = 1;
}

static inline void Xe_ShaderApplyVFetchPatches(
    struct XenosDevice *xe, struct XenosShader *shader, unsigned index, const struct XenosVBFFormat *format)
{
    (void)xe;
    if (!shader->is_instantiated || index != 0)
        abort();
    shader->format = format;
}

static inline void Xe_SetShader(struct XenosDevice *xe, int type, struct XenosShader *shader, int index)
{
    if (!shader->is_instantiated || index != 0)
        abort();
    xe->shaders[type] = shader;
}

static inline void Xe_SetVertexShaderConstantF(struct XenosDevice *xe, int start, const float *values, int count)
{
    memcpy(xe->constants[start], values, sizeof(float[4]) * count);
}

static inline void Xe_SetPixelShaderConstantF(struct XenosDevice *xe, int start, const float *values, int count)
{
    memcpy(xe->constants[256 + start], values, sizeof(float[4]) * count);
}

static inline void Xe_SetTexture(struct XenosDevice *xe, int index, struct XenosSurface *surface)
{
    xe->textures[index] = surface;
    if (index < 3)
        xe->uploaded |= 1u << index;
}

static inline void Xe_DirtyFetch(struct XenosDevice *xe, int base, int length)
{
    if (length == 3)
        xe->uploaded |= 1u << base / 3;
}

#endif
