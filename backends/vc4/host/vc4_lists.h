/* What a VC4 reads of memory: control lists, shader records, streams of uniforms, textures.
 *
 * The same for both ways to the chip: with the kernel's driver (vc4_job_drm.h) and without (vc4_job_bare.h). Numbers
 * are little-endian, as both sides are. The formats are described in Broadcom's "VideoCore IV 3D Architecture Reference
 * Guide". */
#ifndef GLSLC_MULTI_VC4_LISTS_H
#define GLSLC_MULTI_VC4_LISTS_H

#include <stdint.h>

/* A part of a buffer: a GEM handle of the kernel's, or a bus address; and bytes from there. */
typedef struct vc4_place {
    uint32_t buffer;
    uint32_t offset;
} vc4_place;

/* Memory that the chip and this computer see. */
typedef struct vc4_buffer {
    vc4_place place;
    void *memory;
    uint32_t bytes;
} vc4_buffer;

/* What is drawn to: four bytes a pixel, red first, row by row; a multiple of 4 wide. */
typedef struct vc4_frame {
    vc4_place place;
    uint16_t width, height;
    /* Red in the lowest byte. */
    uint32_t clear_colour;
    /* 24 bits. */
    uint32_t clear_depth;
} vc4_frame;

/* ---- Lists ---------------------------------------------------------------------------------------------------- */

/* Bytes that are appended. What does not fit makes the list too long, and is not written. */
typedef struct vc4_list {
    uint8_t *start;
    uint32_t used, size;
    /* Where the chip finds the first byte. */
    uint32_t bus;
} vc4_list;

static inline int vc4_overflows(const vc4_list *list)
{
    return list->used > list->size;
}

static inline void vc4_put(vc4_list *list, uint32_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++, list->used++)
        if (list->used < list->size)
            list->start[list->used] = (uint8_t)(value >> 8 * i);
}

static inline void vc4_put8(vc4_list *list, uint32_t value)
{
    vc4_put(list, value, 1);
}

static inline void vc4_put16(vc4_list *list, uint32_t value)
{
    vc4_put(list, value, 2);
}

static inline void vc4_put32(vc4_list *list, uint32_t value)
{
    vc4_put(list, value, 4);
}

static inline void vc4_align(vc4_list *list, uint32_t bytes)
{
    while (list->used % bytes)
        vc4_put8(list, 0);
}

static inline uint32_t vc4_bits(float value)
{
    union {
        float number;
        uint32_t bits;
    } both = { value };
    return both.bits;
}

static inline void vc4_put_float(vc4_list *list, float value)
{
    vc4_put32(list, vc4_bits(value));
}

/* ---- Control lists -------------------------------------------------------------------------------------------- */

enum {
    VC4_FLUSH = 4,
    VC4_START_TILE_BINNING = 6,
    VC4_INCREMENT_SEMAPHORE = 7,
    VC4_WAIT_ON_SEMAPHORE = 8,
    VC4_BRANCH_TO_SUB_LIST = 17,
    VC4_STORE_COLOUR = 24,
    VC4_STORE_COLOUR_AND_END = 25,
    VC4_STORE_GENERAL = 28,
    VC4_INDEXED_PRIMITIVES = 32,
    VC4_ARRAY_PRIMITIVES = 33,
    VC4_PRIMITIVE_LIST_FORMAT = 56,
    VC4_GL_SHADER_STATE = 64,
    VC4_NV_SHADER_STATE = 65,
    VC4_CONFIGURATION_BITS = 96,
    VC4_FLAT_SHADE_FLAGS = 97,
    VC4_POINT_SIZE = 98,
    VC4_LINE_WIDTH = 99,
    VC4_CLIP_WINDOW = 102,
    VC4_VIEWPORT_OFFSET = 103,
    VC4_CLIPPER_XY_SCALING = 105,
    VC4_CLIPPER_Z_SCALING = 106,
    VC4_TILE_BINNING_MODE = 112,
    VC4_TILE_RENDERING_MODE = 113,
    VC4_CLEAR_COLOURS = 114,
    VC4_TILE_COORDINATES = 115
};

/* Pixels of a tile, in both directions. */
enum { VC4_TILE = 64 };

static inline uint32_t vc4_tiles(uint32_t pixels)
{
    return (pixels + VC4_TILE - 1) / VC4_TILE;
}

/* What is drawn: the names and order of OpenGL. */
enum {
    VC4_POINTS,
    VC4_LINES,
    VC4_LINE_LOOP,
    VC4_LINE_STRIP,
    VC4_TRIANGLES,
    VC4_TRIANGLE_STRIP,
    VC4_TRIANGLE_FAN
};

enum { VC4_NEVER, VC4_LESS, VC4_EQUAL, VC4_LESS_EQUAL, VC4_GREATER, VC4_NOT_EQUAL, VC4_GREATER_EQUAL, VC4_ALWAYS };

enum { VC4_CULL_NOTHING, VC4_CULL_FRONT, VC4_CULL_BACK };

/* The part of the frame that is drawn to. */
typedef struct vc4_viewport {
    uint16_t x, y, width, height;
    /* Depths of the nearest and the farthest, from 0 to 1. */
    float near_depth, far_depth;
    /* Nonzero: row 0 of the frame is at the top, as on a screen; else at the bottom, as in OpenGL. */
    int top_first;
} vc4_viewport;

static inline float vc4_x_scale(const vc4_viewport *viewport)
{
    return viewport->width * 8.0f;
}

static inline float vc4_y_scale(const vc4_viewport *viewport)
{
    return viewport->top_first ? viewport->height * -8.0f : viewport->height * 8.0f;
}

static inline float vc4_z_scale(const vc4_viewport *viewport)
{
    return (viewport->far_depth - viewport->near_depth) * 0.5f;
}

static inline float vc4_z_offset(const vc4_viewport *viewport)
{
    return (viewport->far_depth + viewport->near_depth) * 0.5f;
}

static inline void vc4_put_viewport(vc4_list *list, const vc4_viewport *viewport)
{
    vc4_put8(list, VC4_CLIP_WINDOW);
    vc4_put16(list, viewport->x);
    vc4_put16(list, viewport->y);
    vc4_put16(list, viewport->width);
    vc4_put16(list, viewport->height);
    /* Sixteenths of a pixel. */
    vc4_put8(list, VC4_VIEWPORT_OFFSET);
    vc4_put16(list, viewport->x * 16u + viewport->width * 8u);
    vc4_put16(list, viewport->y * 16u + viewport->height * 8u);
    vc4_put8(list, VC4_CLIPPER_XY_SCALING);
    vc4_put_float(list, vc4_x_scale(viewport));
    vc4_put_float(list, vc4_y_scale(viewport));
    vc4_put8(list, VC4_CLIPPER_Z_SCALING);
    vc4_put_float(list, vc4_z_scale(viewport));
    vc4_put_float(list, vc4_z_offset(viewport));
}

/* Faces whose corners are anticlockwise in OpenGL's window are front faces. In memory, rows that begin at the bottom
 * turn them round. */
static inline void vc4_put_configuration(vc4_list *list, int cull, int top_first, uint32_t depth_test, int writes_depth)
{
    uint32_t faces = (cull != VC4_CULL_FRONT) | (cull != VC4_CULL_BACK) << 1 | (top_first ? 0 : 1 << 2);

    vc4_put8(list, VC4_CONFIGURATION_BITS);
    vc4_put8(list, faces);
    vc4_put8(list, (writes_depth ? 1u << 7 : 0) | depth_test << 4);
    vc4_put8(list, 0);
}

static inline void vc4_put_sizes(vc4_list *list, float point_size, float line_width, uint32_t flat_varyings)
{
    vc4_put8(list, VC4_POINT_SIZE);
    vc4_put_float(list, point_size);
    vc4_put8(list, VC4_LINE_WIDTH);
    vc4_put_float(list, line_width);
    vc4_put8(list, VC4_FLAT_SHADE_FLAGS);
    vc4_put32(list, flat_varyings);
}

/* The beginning of the binner's list. The kernel puts in the memory, of which a bare program has its own. */
static inline void vc4_put_binning(vc4_list *list, uint32_t width, uint32_t height, uint32_t memory,
                                   uint32_t memory_size, uint32_t tile_state, uint32_t flags)
{
    vc4_put8(list, VC4_TILE_BINNING_MODE);
    vc4_put32(list, memory);
    vc4_put32(list, memory_size);
    vc4_put32(list, tile_state);
    vc4_put8(list, vc4_tiles(width));
    vc4_put8(list, vc4_tiles(height));
    vc4_put8(list, flags);
    vc4_put8(list, VC4_START_TILE_BINNING);
    /* Lists of tiles begin with 16-bit indices of triangles. */
    vc4_put8(list, VC4_PRIMITIVE_LIST_FORMAT);
    vc4_put8(list, 0x12);
}

static inline void vc4_put_binning_end(vc4_list *list)
{
    vc4_put8(list, VC4_INCREMENT_SEMAPHORE);
    vc4_put8(list, VC4_FLUSH);
}

/* ---- Textures ------------------------------------------------------------------------------------------------- */

/* Types of texels; the chip swizzles all into four bytes, red in the lowest. */
enum {
    VC4_RGBA8888 = 0,
    VC4_RGBX8888 = 1,
    VC4_RGBA4444 = 2,
    VC4_RGBA5551 = 3,
    VC4_RGB565 = 4,
    VC4_LUMINANCE = 5,
    VC4_ALPHA = 6,
    VC4_LUMINANCE_ALPHA = 7
};

enum { VC4_REPEAT, VC4_CLAMP, VC4_MIRROR, VC4_BORDER };

enum { VC4_MAGNIFY_LINEAR, VC4_MAGNIFY_NEAREST };

enum {
    VC4_MINIFY_LINEAR,
    VC4_MINIFY_NEAREST,
    VC4_MINIFY_NEAREST_MIP_NEAREST,
    VC4_MINIFY_NEAREST_MIP_LINEAR,
    VC4_MINIFY_LINEAR_MIP_NEAREST,
    VC4_MINIFY_LINEAR_MIP_LINEAR
};

typedef struct vc4_texture {
    /* Of level 0; a multiple of 4096. */
    vc4_place place;
    uint16_t width, height;
    /* Levels of detail: 0 and 1 are one. Those after level 0 are in front of it. */
    uint8_t levels;
    uint8_t type;
    uint8_t magnify, minify, wrap_s, wrap_t;
    /* Bytes from one face of a cube map to the next, a multiple of 4096; 0 for flat textures. */
    uint32_t cube_stride;
} vc4_texture;

/* Parameters 0 to 3 of a lookup, as the words of the stream. `address` is that of level 0; with `has_level` the shader
 * says the level itself. */
static inline uint32_t vc4_texture_word(const vc4_texture *texture, uint32_t parameter, uint32_t address, int has_level)
{
    switch (parameter) {
    case 0:
        return address | (texture->cube_stride ? 1u << 9 : 0) | (texture->type & 15u) << 4 |
               (texture->levels ? texture->levels - 1u : 0);
    case 1:
        return (uint32_t)(texture->type >> 4) << 31 | (texture->height & 2047u) << 20 | (texture->width & 2047u) << 8 |
               (uint32_t)texture->magnify << 7 | (uint32_t)texture->minify << 4 | (uint32_t)texture->wrap_t << 2 |
               texture->wrap_s;
    case 2:
        return (texture->cube_stride ? 1u << 30 | texture->cube_stride : 0) | (has_level ? 1 : 0);
    default:
        return 0;
    }
}

static inline uint32_t vc4_texel_bytes(uint32_t type)
{
    return type <= VC4_RGBX8888 ? 4 : type == VC4_LUMINANCE || type == VC4_ALPHA ? 1 : 2;
}

/* Texels lie in blocks of 64 bytes. */
static inline uint32_t vc4_block_width(uint32_t texel_bytes)
{
    return texel_bytes == 4 ? 4 : 8;
}

static inline uint32_t vc4_block_height(uint32_t texel_bytes)
{
    return texel_bytes == 1 ? 8 : 4;
}

/* Whether blocks of an image lie row by row ("LT"): where it is at most four of them wide or high. */
static inline int vc4_is_small(uint32_t width, uint32_t height, uint32_t texel_bytes)
{
    return width <= 4 * vc4_block_width(texel_bytes) || height <= 4 * vc4_block_height(texel_bytes);
}

static inline uint32_t vc4_rounded(uint32_t value, uint32_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static inline uint32_t vc4_image_bytes(uint32_t width, uint32_t height, uint32_t texel_bytes)
{
    uint32_t across = vc4_block_width(texel_bytes), down = vc4_block_height(texel_bytes);

    if (!vc4_is_small(width, height, texel_bytes)) {
        across *= 8;
        down *= 8;
    }
    return vc4_rounded(width, across) * vc4_rounded(height, down) * texel_bytes;
}

static inline uint32_t vc4_level_size(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

/* How far in front of level 0 a level begins. */
static inline uint32_t vc4_level_distance(const vc4_texture *texture, uint32_t level)
{
    uint32_t bytes = vc4_texel_bytes(texture->type), distance = 0;

    for (uint32_t i = 1; i <= level; i++)
        distance += vc4_image_bytes(vc4_level_size(texture->width, i), vc4_level_size(texture->height, i), bytes);
    return distance;
}

/* Bytes before level 0 of the first face, and of a face with its levels; a face begins at a multiple of 4096. */
static inline uint32_t vc4_texture_lead(const vc4_texture *texture)
{
    return vc4_rounded(vc4_level_distance(texture, texture->levels ? texture->levels - 1u : 0), 4096);
}

static inline uint32_t vc4_texture_bytes(const vc4_texture *texture)
{
    uint32_t image = vc4_image_bytes(texture->width, texture->height, vc4_texel_bytes(texture->type));

    return vc4_texture_lead(texture) + vc4_rounded(image, 4096);
}

/* The byte of a texel in a level. Images that are not small consist of tiles of 4096 bytes, 8 x 8 blocks; rows of tiles
 * run to and fro, and quarters of a tile are in this order: in even rows 0 3 / 1 2, in odd rows 2 1 / 3 0. */
static inline uint32_t vc4_texel_offset(uint32_t width, uint32_t height, uint32_t texel_bytes, uint32_t x, uint32_t y)
{
    static const uint8_t quarters[2][4] = { { 0, 3, 1, 2 }, { 2, 1, 3, 0 } };
    uint32_t across = vc4_block_width(texel_bytes), down = vc4_block_height(texel_bytes);
    uint32_t inside = (y % down * across + x % across) * texel_bytes;

    x /= across;
    y /= down;
    if (vc4_is_small(width, height, texel_bytes))
        return (y * (vc4_rounded(width, across) / across) + x) * 64 + inside;

    uint32_t tiles = vc4_rounded(width, 8 * across) / (8 * across), odd = y / 8 % 2;
    uint32_t column = odd ? tiles - 1 - x / 8 : x / 8;

    return (y / 8 * tiles + column) * 4096 + quarters[odd][y / 4 % 2 * 2 + x / 4 % 2] * 1024u +
           (y % 4 * 4 + x % 4) * 64 + inside;
}

/* Put an image, rows from the first of the texture, into a level. `level_0` is where level 0 of the face is. */
static inline void vc4_store_level(uint8_t *level_0, const vc4_texture *texture, uint32_t level, const uint8_t *image)
{
    uint32_t bytes = vc4_texel_bytes(texture->type);
    uint32_t width = vc4_level_size(texture->width, level), height = vc4_level_size(texture->height, level);
    uint8_t *start = level_0 - vc4_level_distance(texture, level);

    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t i = 0; i < bytes; i++)
                start[vc4_texel_offset(width, height, bytes, x, y) + i] = *image++;
}

#endif
