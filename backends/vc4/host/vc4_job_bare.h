/* Jobs for a VC4 without a kernel: both control lists in memory, with bus addresses in them, and the registers that start
 * them.
 *
 * Nothing here needs a library. The chip sees memory by bus addresses: those of ARM with an alias on top, 0xc0000000 for
 * memory that no cache of the chip's holds. Data caches of the ARM core must be off, or clean for this memory. */
#ifndef GLSLC_MULTI_VC4_JOB_H
#define GLSLC_MULTI_VC4_JOB_H

#include <stddef.h>

#include "vc4_lists.h"

/* What compilers call of themselves; the program has them. */
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *start, int value, size_t bytes);

/* Memory to take buffers from, as a list whose `used` grows; begins at a multiple of 4096. */
typedef struct vc4_device {
    vc4_list memory;
} vc4_device;

typedef struct vc4_job {
    vc4_frame frame;
    vc4_list binner, records, uniforms, renderer;
    uint32_t record_count;
    /* Of the binner: 48 bytes a tile of state, and the lists of the tiles. */
    uint32_t tile_state, tile_lists, tile_list_bytes;
    /* How much of the memory was taken before. */
    uint32_t mark;
} vc4_job;

enum { VC4_NO_ROOM = -1 };

/* ---- Buffers --------------------------------------------------------------------------------------------------- */

static inline int vc4_take(vc4_device *device, uint32_t bytes, uint32_t alignment, vc4_buffer *buffer)
{
    vc4_list *memory = &device->memory;
    uint32_t start = vc4_rounded(memory->used, alignment);

    if (start > memory->size || memory->size - start < bytes)
        return VC4_NO_ROOM;
    buffer->place.buffer = memory->bus + start;
    buffer->place.offset = 0;
    buffer->memory = memory->start + start;
    buffer->bytes = bytes;
    memory->used = start + bytes;
    return 0;
}

/* Memory begins at a multiple of 4096. */
static inline int vc4_buffer_new(vc4_device *device, uint32_t bytes, vc4_buffer *buffer)
{
    return vc4_take(device, bytes, 4096, buffer);
}

/* A program for the QPUs. */
static inline int vc4_code_new(vc4_device *device, const uint64_t *code, uint32_t bytes, vc4_place *place)
{
    vc4_buffer buffer;

    if (vc4_take(device, bytes, 16, &buffer))
        return VC4_NO_ROOM;
    for (uint32_t i = 0; i < bytes / 8; i++)
        ((uint64_t *)buffer.memory)[i] = code[i];
    *place = buffer.place;
    return 0;
}

/* ---- Addresses are known -------------------------------------------------------------------------------------------- */

static inline uint32_t vc4_handle(vc4_job *job, vc4_place place)
{
    (void)job;
    (void)place;
    return 0;
}

static inline uint32_t vc4_address(vc4_place place)
{
    return place.buffer + place.offset;
}

static inline void vc4_put_handle(vc4_list *list, uint32_t number)
{
    (void)list;
    (void)number;
}

static inline uint32_t vc4_list_bus(const vc4_list *list)
{
    return list->bus + list->used;
}

/* The lowest four bits of a record's address say how many arrays it has. */
static inline void vc4_align_record(vc4_list *list)
{
    vc4_align(list, 16);
}

static inline void vc4_put_index_handle(vc4_job *job, vc4_place indices)
{
    (void)job;
    (void)indices;
}

#include "vc4_draw.h"

/* ---- Shaded vertices (NV shader state): a fragment program alone ------------------------------------------------- */

/* Vertices that the program has transformed itself, in a structure of the shader's, 16-byte aligned, none outside of the
 * viewport's planes: x and y in sixteenths of a pixel from the viewport's centre, z from 0 to 1, 1/w, varyings. */
static inline int vc4_draw_shaded(vc4_job *job, const vc4_shader *shader, const vc4_place *code, uint32_t *words,
                                  const vc4_texture *textures, const vc4_call *call)
{
    int missing = vc4_prepare(shader, words, textures, call);

    if (missing)
        return missing;
    vc4_put_state(job, shader, call);

    uint32_t stream = vc4_put_stream(job, &shader->stages[VC4_FRAGMENT], words, textures, &call->viewport,
                                     call->uniform_arrays);

    vc4_align_record(&job->records);

    uint32_t record = vc4_list_bus(&job->records);

    vc4_put8(&job->records, (shader->threads == 1) | (shader->shaded_has_size ? 2u : 0));
    vc4_put8(&job->records, shader->shaded_bytes);
    vc4_put8(&job->records, 0);
    vc4_put8(&job->records, shader->varyings);
    vc4_put32(&job->records, vc4_address(code[VC4_FRAGMENT]));
    vc4_put32(&job->records, stream);
    vc4_put32(&job->records, vc4_address(call->vertices));
    job->record_count++;
    vc4_put8(&job->binner, VC4_NV_SHADER_STATE);
    vc4_put32(&job->binner, record);
    vc4_put_primitives(job, call);
    return VC4_DRAWN;
}

/* ---- Jobs ------------------------------------------------------------------------------------------------------- */

/* Lists of tiles begin with blocks of 32 bytes and grow by 128; the state of tiles is cleared by the chip. */
enum { VC4_BINNING_FLAGS = 2 << 5 | 1 << 2, VC4_FIRST_BLOCK = 32 };

/* Begin a picture in lists and tile memory that the job has. */
static inline void vc4_job_start(vc4_job *job, const vc4_frame *frame)
{
    job->frame = *frame;
    job->record_count = 0;
    vc4_put_binning(&job->binner, frame->width, frame->height, job->tile_lists, job->tile_list_bytes, job->tile_state,
                    VC4_BINNING_FLAGS);
}

static inline int vc4_list_new(vc4_device *device, vc4_list *list, uint32_t bytes)
{
    vc4_buffer buffer;

    if (vc4_take(device, bytes, 16, &buffer))
        return VC4_NO_ROOM;
    list->start = (uint8_t *)buffer.memory;
    list->used = 0;
    list->size = bytes;
    list->bus = vc4_address(buffer.place);
    return 0;
}

/* Begin a picture, with room for so many bytes in each list and for the lists of tiles. */
static inline int vc4_job_begin(vc4_job *job, vc4_device *device, const vc4_frame *frame, uint32_t bytes,
                                uint32_t tile_bytes)
{
    uint32_t tiles = vc4_tiles(frame->width) * vc4_tiles(frame->height);
    vc4_buffer state, lists;

    job->mark = device->memory.used;
    if (vc4_take(device, 48 * tiles, 4096, &state) || vc4_take(device, tile_bytes, 4096, &lists) ||
        vc4_list_new(device, &job->binner, bytes) || vc4_list_new(device, &job->records, bytes) ||
        vc4_list_new(device, &job->uniforms, bytes) || vc4_list_new(device, &job->renderer, 64 + 9 * tiles)) {
        device->memory.used = job->mark;
        return VC4_NO_ROOM;
    }
    job->tile_state = vc4_address(state.place);
    job->tile_lists = vc4_address(lists.place);
    job->tile_list_bytes = tile_bytes;
    vc4_job_start(job, frame);
    return 0;
}

/* Give the job's memory back, once the picture is complete. */
static inline void vc4_job_free(vc4_job *job, vc4_device *device)
{
    device->memory.used = job->mark;
}

static inline void vc4_put_coordinates(vc4_list *list, uint32_t x, uint32_t y)
{
    vc4_put8(list, VC4_TILE_COORDINATES);
    vc4_put8(list, x);
    vc4_put8(list, y);
}

/* The renderer's list: clear, then every tile by its own list, which the binner has written. */
static inline void vc4_put_renderer(vc4_job *job)
{
    vc4_list *list = &job->renderer;
    uint32_t across = vc4_tiles(job->frame.width), tiles = across * vc4_tiles(job->frame.height);

    vc4_put8(list, VC4_CLEAR_COLOURS);
    vc4_put32(list, job->frame.clear_colour);
    vc4_put32(list, job->frame.clear_colour);
    vc4_put32(list, job->frame.clear_depth);
    vc4_put8(list, 0);
    /* A store of nothing, which clears the tile buffer. */
    vc4_put_coordinates(list, 0, 0);
    vc4_put8(list, VC4_STORE_GENERAL);
    vc4_put16(list, 0);
    vc4_put32(list, 0);
    vc4_put8(list, VC4_TILE_RENDERING_MODE);
    vc4_put32(list, vc4_address(job->frame.place));
    vc4_put16(list, job->frame.width);
    vc4_put16(list, job->frame.height);
    /* Rows of RGBA8888. */
    vc4_put16(list, 1 << 2);
    for (uint32_t tile = 0; tile < tiles; tile++) {
        vc4_put_coordinates(list, tile % across, tile / across);
        if (tile == 0)
            vc4_put8(list, VC4_WAIT_ON_SEMAPHORE);
        vc4_put8(list, VC4_BRANCH_TO_SUB_LIST);
        vc4_put32(list, job->tile_lists + tile * VC4_FIRST_BLOCK);
        vc4_put8(list, tile == tiles - 1 ? VC4_STORE_COLOUR_AND_END : VC4_STORE_COLOUR);
    }
}

/* Finish the lists: 0, or VC4_NO_ROOM. */
static inline int vc4_job_finish(vc4_job *job)
{
    vc4_put_binning_end(&job->binner);
    vc4_put_renderer(job);
    return vc4_overflows(&job->binner) || vc4_overflows(&job->records) || vc4_overflows(&job->uniforms) ||
                   vc4_overflows(&job->renderer)
               ? VC4_NO_ROOM
               : 0;
}

/* ---- Registers, as numbers of words from 0x20c00000 (Raspberry Pi 1, Zero) or 0x3fc00000 (2, 3) ----------------------- */

enum {
    VC4_IDENT0 = 0x000 / 4,
    VC4_L2_CACHE = 0x020 / 4,
    VC4_SLICE_CACHES = 0x024 / 4,
    VC4_BINNER_END = 0x108 / 4,
    VC4_RENDERER_END = 0x10c / 4,
    VC4_BINNER_AT = 0x110 / 4,
    VC4_RENDERER_AT = 0x114 / 4,
    VC4_FLUSH_COUNT = 0x134 / 4,
    VC4_FRAME_COUNT = 0x138 / 4
};

/* Whether the 3D core is there: it reads as "V3D" only when its power is on. */
static inline int vc4_is_on(const volatile uint32_t *registers)
{
    return (registers[VC4_IDENT0] & 0xffffff) == 0x443356;
}

/* Start both lists; the renderer's waits for the binner's. */
static inline void vc4_job_run(const vc4_job *job, volatile uint32_t *registers)
{
    registers[VC4_L2_CACHE] = 4;
    registers[VC4_SLICE_CACHES] = 0x0f0f0f0f;
    registers[VC4_FLUSH_COUNT] = 1;
    registers[VC4_FRAME_COUNT] = 1;
    registers[VC4_BINNER_AT] = job->binner.bus;
    registers[VC4_BINNER_END] = job->binner.bus + job->binner.used;
    registers[VC4_RENDERER_AT] = job->renderer.bus;
    registers[VC4_RENDERER_END] = job->renderer.bus + job->renderer.used;
}

/* Whether the picture is complete. */
static inline int vc4_job_is_done(const volatile uint32_t *registers)
{
    return (registers[VC4_FRAME_COUNT] & 0xff) != 0;
}

#endif
