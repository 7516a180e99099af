/* A library with the names of libctru and citro3d that prints every call, as JSON: what a generated program is compiled
   and run with here. Declarations follow the libraries' documentation; enumerators stand before it and combiner calls after
   it, from the tables of the project. */
#ifndef STUB_LIBRARY_H
#define STUB_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef s32 Result;

static inline u32 stub_bits(float number)
{
    u32 word;
    memcpy(&word, &number, 4);
    return word;
}

static inline void stub_words(const char *name, const void *data, size_t size)
{
    printf("[\"%s\"", name);
    for (size_t n = 0; n < size / 4; n++) {
        u32 word;
        memcpy(&word, (const char *)data + 4 * n, 4);
        printf(", %lu", (unsigned long)word);
    }
    printf("]\n");
}

/* Programs. */
typedef struct { int number; } DVLE_s;
typedef struct { u32 numDVLE; DVLE_s *DVLE; } DVLB_s;
typedef struct { const DVLE_s *vertex, *geometry; } shaderProgram_s;

static inline DVLB_s *DVLB_ParseFile(u32 *words, u32 size)
{
    static DVLE_s parts[2] = {{0}, {1}};
    DVLB_s *file = malloc(sizeof *file);
    stub_words("file", words, size);
    file->numDVLE = words[1];
    file->DVLE = parts;
    return file;
}
static inline void DVLB_Free(DVLB_s *file) { free(file); printf("[\"DVLB_Free\"]\n"); }
static inline Result shaderProgramInit(shaderProgram_s *program) { program->vertex = NULL; return 0; }
static inline Result shaderProgramFree(shaderProgram_s *program) { program->vertex = NULL; return 0; }
static inline Result shaderProgramSetVsh(shaderProgram_s *program, DVLE_s *part)
{
    program->vertex = part;
    printf("[\"shaderProgramSetVsh\", %d]\n", part->number);
    return 0;
}
static inline Result shaderProgramSetGsh(shaderProgram_s *program, DVLE_s *part, u8 stride)
{
    program->geometry = part;
    printf("[\"shaderProgramSetGsh\", %d, %d]\n", part->number, stride);
    return 0;
}
static inline void C3D_BindProgram(shaderProgram_s *program)
{
    printf("[\"C3D_BindProgram\", %d]\n", program->vertex->number);
}

/* Uniforms. */
typedef enum { GPU_VERTEX_SHADER = 0, GPU_GEOMETRY_SHADER = 1 } GPU_SHADER_TYPE;
static inline void C3D_FVUnifSet(GPU_SHADER_TYPE type, int id, float x, float y, float z, float w)
{
    printf("[\"c\", %d, %d, %lu, %lu, %lu, %lu]\n", (int)type, id, (unsigned long)stub_bits(x),
           (unsigned long)stub_bits(y), (unsigned long)stub_bits(z), (unsigned long)stub_bits(w));
}
static inline void C3D_IVUnifSet(GPU_SHADER_TYPE type, int id, int x, int y, int z, int w)
{
    printf("[\"i\", %d, %d, %d, %d, %d, %d]\n", (int)type, id, x, y, z, w);
}
static inline void C3D_BoolUnifSet(GPU_SHADER_TYPE type, int id, bool value)
{
    printf("[\"b\", %d, %d, %d]\n", (int)type, id, value);
}

/* Vertices. */
typedef enum { GPU_BYTE = 0, GPU_UNSIGNED_BYTE = 1, GPU_SHORT = 2, GPU_FLOAT = 3 } GPU_FORMATS;
typedef enum { GPU_TRIANGLES = 0x0000, GPU_TRIANGLE_STRIP = 0x0100, GPU_TRIANGLE_FAN = 0x0200 } GPU_Primitive_t;
typedef struct { u32 flags[2]; u64 permutation; int attrCount; int formats[12], counts[12]; } C3D_AttrInfo;
typedef struct { const void *data; ptrdiff_t stride; int count; u64 permutation; } C3D_BufInfo;
/* One for all files of a program. */
__attribute__((weak)) C3D_AttrInfo stub_attributes;
__attribute__((weak)) C3D_BufInfo stub_buffer;
static inline C3D_AttrInfo *C3D_GetAttrInfo(void) { return &stub_attributes; }
static inline C3D_BufInfo *C3D_GetBufInfo(void) { return &stub_buffer; }
static inline void AttrInfo_Init(C3D_AttrInfo *info) { memset(info, 0, sizeof *info); }
static inline int AttrInfo_AddLoader(C3D_AttrInfo *info, int reg, GPU_FORMATS format, int count)
{
    if (info->attrCount == 12)
        return -1;
    /* The library shifts an int: nothing comes of loaders from the ninth on, and the eighth spills a sign. */
    if (info->attrCount < 8)
        info->permutation |= (u64)(int64_t)(int32_t)((u32)reg << (info->attrCount * 4));
    info->formats[info->attrCount] = format;
    info->counts[info->attrCount] = count;
    return info->attrCount++;
}
static inline void BufInfo_Init(C3D_BufInfo *info) { memset(info, 0, sizeof *info); }
static inline int BufInfo_Add(C3D_BufInfo *info, const void *data, ptrdiff_t stride, int count, u64 permutation)
{
    const C3D_BufInfo given = {data, stride, count, permutation};
    if (!data)
        return -2;
    *info = given;
    return 0;
}
static inline void C3D_DrawArrays(GPU_Primitive_t primitive, int first, int size)
{
    const char *vertices = stub_buffer.data;
    printf("[\"attributes\", %llu", (unsigned long long)stub_attributes.permutation);
    for (int n = 0; n < stub_attributes.attrCount; n++)
        printf(", %d, %d", stub_attributes.formats[n], stub_attributes.counts[n]);
    printf("]\n[\"buffer\", %d, %d, %llu]\n", (int)stub_buffer.stride, stub_buffer.count,
           (unsigned long long)stub_buffer.permutation);
    stub_words("vertices", vertices + first * stub_buffer.stride, (size_t)size * (size_t)stub_buffer.stride);
    printf("[\"draw\", %d, %d]\n", (int)primitive, size);
}

/* Combiners, fog, raw registers. */
typedef struct { int number; } C3D_TexEnv;
typedef struct { u32 data[128]; } C3D_FogLut;
static C3D_TexEnv stub_stages[6] = {{0}, {1}, {2}, {3}, {4}, {5}};
static inline C3D_TexEnv *C3D_GetTexEnv(int id) { return &stub_stages[id]; }
static inline void FogLut_FromArray(C3D_FogLut *table, const float data[256])
{
    for (int i = 0; i < 128; i++) {
        int value = (int)(2048 * data[i]), difference = (int)(2048 * data[i + 128]);
        value = value < 0 ? 0 : value > 2047 ? 2047 : value;
        difference = difference < -4096 ? -4096 : difference > 4095 ? 4095 : difference;
        table->data[i] = (u32)value << 13 | ((u32)difference & 0x1FFF);
    }
}
static inline void C3D_FogLutBind(C3D_FogLut *table) { stub_words("fog", table->data, sizeof table->data); }
static inline void GPUCMD_AddMaskedWrite(u32 reg, u32 mask, u32 value)
{
    printf("[\"write\", %lu, %lu, %lu]\n", (unsigned long)reg, (unsigned long)mask, (unsigned long)value);
}
/* A burst: one command, of which the header counts up to 256 values. */
static inline void GPUCMD_AddWrites(u32 reg, const u32 *values, u32 count)
{
    if (count > 256)
        abort();
    for (u32 n = 0; n < count; n++)
        GPUCMD_AddMaskedWrite(reg, 0xF, values[n]);
}

/* Textures. */
typedef struct { void *data; u16 width, height; int filter, wrap; } C3D_Tex;
static inline bool C3D_TexInit(C3D_Tex *image, u16 width, u16 height, int format)
{
    image->data = format == GPU_RGBA8 ? malloc((size_t)width * height * 4) : NULL;
    image->width = width;
    image->height = height;
    image->wrap = GPU_CLAMP_TO_EDGE;
    return image->data != NULL;
}
static inline void C3D_TexSetFilter(C3D_Tex *image, int large, int small)
{
    image->filter = large == small ? large : -1;
}
static inline void C3D_TexSetWrap(C3D_Tex *image, int s, int t) { image->wrap = s == t ? s : -1; }
static inline void C3D_TexFlush(C3D_Tex *image) { (void)image; }
static inline void C3D_TexBind(int unit, C3D_Tex *image)
{
    printf("[\"image\", %d, %d, %d, %d", unit, image->width, image->height, image->filter);
    for (int n = 0; n < image->width * image->height; n++)
        printf(", %lu", (unsigned long)((u32 *)image->data)[n]);
    printf("]\n");
    if (image->wrap != GPU_CLAMP_TO_EDGE)
        printf("[\"wrap\", %d, %d]\n", unit, image->wrap);
}

#endif
