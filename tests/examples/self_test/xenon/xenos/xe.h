/* What the self-test calls of libxenon, as its documentation has it. A draw is printed: its number among the programs, the
 * vertices, textures by unit, and the constants of both stages; what is drawn comes from the file that the environment
 * names with PICTURES. */
#ifndef XE_H
#define XE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHADER_TYPE_VERTEX, SHADER_TYPE_PIXEL };
enum { XE_TYPE_FLOAT2 = 37, XE_TYPE_FLOAT3 = 57, XE_TYPE_FLOAT4 = 38 };
enum { XE_USAGE_POSITION, XE_USAGE_COLOR = 10 };
enum { XE_FMT_8888 = 6, XE_FMT_BGRA = 0, XE_PRIMTYPE_TRIANGLELIST = 4, XE_CULL_NONE = 0 };
enum { XE_BLEND_ZERO, XE_BLEND_ONE, XE_BLENDOP_ADD = 0, XE_LOCK_READ = 1, XE_LOCK_WRITE = 2 };

struct XenosVBFElement { int usage, index, fmt; };
struct XenosVBFFormat { int num; struct XenosVBFElement e[10]; };
struct XenosLock { void *start; uint32_t phys; int size, flags; };
struct XenosSurface { int width, height, wpitch, hpitch, use_filtering; uint8_t *base; struct XenosLock lock; };
struct XenosVertexBuffer { float *base; };
struct XenosShader { void *file; };
struct XenosDevice {
    float constants[512][4];
    struct XenosSurface *textures[32], *target;
    struct XenosVertexBuffer *vertices;
    int stride, programs;
};

static inline void Xe_Init(struct XenosDevice *xe) { memset(xe, 0, sizeof *xe); }
static inline void Xe_SetRenderTarget(struct XenosDevice *xe, struct XenosSurface *target) { xe->target = target; }
static inline void Xe_InvalidateState(struct XenosDevice *xe) { (void)xe; }
static inline void Xe_SetCullMode(struct XenosDevice *xe, unsigned mode) { (void)xe, (void)mode; }
static inline void Xe_SetZEnable(struct XenosDevice *xe, int enable) { (void)xe, (void)enable; }
static inline void Xe_SetBlendControl(struct XenosDevice *xe, int cs, int co, int cd, int as, int ao, int ad)
{
    (void)xe;
    if (cs != XE_BLEND_ONE || as != XE_BLEND_ONE || co || cd || ao || ad)
        abort();
}
static inline void Xe_Sync(struct XenosDevice *xe) { (void)xe; }

/* Two shaders are a program. */
static inline struct XenosShader *Xe_LoadShaderFromMemory(struct XenosDevice *xe, void *file)
{
    struct XenosShader *shader = calloc(1, sizeof *shader);
    shader->file = file;
    xe->programs++;
    return shader;
}
static inline void Xe_InstantiateShader(struct XenosDevice *xe, struct XenosShader *shader, unsigned index)
{
    (void)xe, (void)shader, (void)index;
}
static inline void Xe_ShaderApplyVFetchPatches(struct XenosDevice *xe, struct XenosShader *shader, unsigned index,
                                               const struct XenosVBFFormat *format)
{
    (void)xe, (void)shader, (void)index;
    if (format->num != 1 || format->e[0].fmt != XE_TYPE_FLOAT2)
        abort();
}
static inline void Xe_SetShader(struct XenosDevice *xe, int type, struct XenosShader *shader, int index)
{
    (void)xe, (void)type, (void)shader, (void)index;
}
static inline void Xe_SetVertexShaderConstantF(struct XenosDevice *xe, int start, const float *values, int count)
{
    memcpy(xe->constants[start], values, sizeof(float[4]) * (size_t)count);
}
static inline void Xe_SetPixelShaderConstantF(struct XenosDevice *xe, int start, const float *values, int count)
{
    memcpy(xe->constants[256 + start], values, sizeof(float[4]) * (size_t)count);
}
static inline void Xe_SetTexture(struct XenosDevice *xe, int index, struct XenosSurface *texture)
{
    xe->textures[index] = texture;
}
static inline void Xe_DirtyFetch(struct XenosDevice *xe, int base, int length) { (void)xe, (void)base, (void)length; }

static inline struct XenosVertexBuffer *Xe_CreateVertexBuffer(struct XenosDevice *xe, int bytes)
{
    struct XenosVertexBuffer *buffer = calloc(1, sizeof *buffer);
    (void)xe;
    buffer->base = calloc(1, (size_t)bytes);
    return buffer;
}
static inline void *Xe_VB_Lock(struct XenosDevice *xe, struct XenosVertexBuffer *buffer, int offset, int size, int flags)
{
    (void)xe, (void)size, (void)flags;
    return (uint8_t *)buffer->base + offset;
}
static inline void Xe_VB_Unlock(struct XenosDevice *xe, struct XenosVertexBuffer *buffer) { (void)xe, (void)buffer; }
static inline void Xe_SetStreamSource(struct XenosDevice *xe, int index, struct XenosVertexBuffer *buffer, int offset,
                                      int stride)
{
    if (index || offset)
        abort();
    xe->vertices = buffer;
    xe->stride = stride / 4;
}

static inline struct XenosSurface *Xe_CreateTexture(struct XenosDevice *xe, unsigned width, unsigned height,
                                                    unsigned levels, int format, int tiled)
{
    struct XenosSurface *surface = calloc(1, sizeof *surface);
    (void)xe, (void)levels, (void)format, (void)tiled;
    surface->width = (int)width;
    surface->height = (int)height;
    surface->wpitch = (int)(4 * width + 127) & ~127;
    surface->hpitch = (int)(height + 31) & ~31;
    surface->base = calloc((size_t)surface->hpitch, (size_t)surface->wpitch);
    return surface;
}
static inline void *Xe_Surface_LockRect(struct XenosDevice *xe, struct XenosSurface *surface, int x, int y, int w, int h,
                                        int flags)
{
    (void)xe, (void)x, (void)y, (void)w, (void)h;
    if (flags == XE_LOCK_READ && surface->lock.flags != XE_LOCK_READ)
        abort();
    return surface->base;
}
static inline void Xe_Surface_Unlock(struct XenosDevice *xe, struct XenosSurface *surface) { (void)xe, (void)surface; }

static inline void Xe_DrawPrimitive(struct XenosDevice *xe, int type, int start, int count)
{
    if (type != XE_PRIMTYPE_TRIANGLELIST)
        abort();
    printf("[%d, [", xe->programs / 2 - 1);
    for (int n = 0; n < 3 * count * xe->stride; n++)
        printf("%s%.9g", n ? ", " : "", xe->vertices->base[start * xe->stride + n]);
    printf("], {");
    for (int unit = 0, seen = 0; unit < 32; unit++) {
        const struct XenosSurface *texture = xe->textures[unit];
        if (!texture)
            continue;
        printf("%s\"%d\": [%d, %d, %d, %d", seen++ ? ", " : "", unit, texture->use_filtering, texture->width,
               texture->height, texture->wpitch);
        for (int n = 0; n < texture->height * texture->wpitch; n++)
            printf(", %d", texture->base[n]);
        printf("]");
    }
    printf("}, [");
    for (int n = 0; n < 2048; n++) {
        uint32_t word;
        memcpy(&word, &xe->constants[n / 4][n % 4], sizeof word);
        printf("%s%lu", n ? ", " : "", (unsigned long)word);
    }
    printf("]]\n");
}

/* The target's tiles come from a file. */
static inline void Xe_Resolve(struct XenosDevice *xe)
{
    static FILE *pictures;
    const size_t bytes = (size_t)xe->target->hpitch * (size_t)xe->target->wpitch;
    if (getenv("PICTURES") && !pictures)
        pictures = fopen(getenv("PICTURES"), "rb");
    if (pictures && fread(xe->target->base, 1, bytes, pictures) != bytes)
        abort();
    memset(xe->textures, 0, sizeof xe->textures);
}

#endif
