/* Draws with a compiled shader: a shader record, streams of uniforms, and the control list that names them.
 *
 * Included by the job of a way to the chip, which says what an address is there (vc4_job_drm.h, vc4_job_bare.h):
 *
 *     vc4_handle(job, place)      the number of the place's buffer among those of the job; bare: none
 *     vc4_address(place)          the address as it is written to a list
 *     vc4_put_handle(list, n)     writes such a number; bare: nothing
 *     vc4_list_bus(list)          where the chip finds the next byte of a list, if that is known here
 *     vc4_align_record(list)      before a shader record
 *     vc4_put_index_handle(...)   before a control list's address of indices */

/* Where this comes first, its job includes it once more, at its place. */
#ifndef GLSLC_MULTI_VC4_JOB_H
#if __has_include("vc4_job_drm.h")
#include "vc4_job_drm.h"
#else
#include "vc4_job_bare.h"
#endif
#endif

#ifndef GLSLC_MULTI_VC4_DRAW_H
#define GLSLC_MULTI_VC4_DRAW_H

enum { VC4_FRAGMENT, VC4_VERTEX, VC4_COORDINATE, VC4_STAGES };

/* No word of a stream. */
enum { VC4_NO_WORD = 0xffff };

enum { VC4_X_SCALE, VC4_Y_SCALE, VC4_Z_SCALE, VC4_Z_OFFSET, VC4_STREAM_ADDRESS };

/* A word of the stream that a draw call fills in. */
typedef struct vc4_own_word {
    uint16_t word, kind;
} vc4_own_word;

/* A lookup, or a load from the arrays that are read at variable indices: its parameters in the stream. */
typedef struct vc4_request {
    /* Of a lookup: which texture; of a load: at which word of the arrays. */
    uint32_t source;
    uint16_t words[4];
    uint8_t is_load, has_level;
} vc4_request;

/* A program of a shader. */
typedef struct vc4_stage {
    const uint64_t *code;
    uint32_t code_bytes;
    /* Where its stream, and its arrays, begin in the words of the uniforms. */
    uint32_t stream, stream_words, arrays, array_words;
    const vc4_own_word *own;
    uint32_t own_count;
    /* In the order in which the program submits them: that of the kernel's handles. */
    const vc4_request *requests;
    uint32_t request_count;
    /* Of a vertex or coordinate program: which arrays of attributes it reads, and how many bytes of a vertex. */
    uint8_t attributes, attribute_bytes;
} vc4_stage;

/* An array of attributes: bytes of a vertex, and where they go for each program. */
typedef struct vc4_attribute {
    uint8_t offset, bytes, vertex_offset, coordinate_offset;
} vc4_attribute;

typedef struct vc4_shader {
    vc4_stage stages[VC4_STAGES];
    vc4_attribute attributes[8];
    uint8_t attribute_count, vertex_bytes;
    uint8_t varyings, threads, has_point_size, writes_depth;
    uint32_t flat_varyings;
    /* Of a vertex that the program has shaded itself: see vc4_draw_shaded. */
    uint8_t shaded_bytes, shaded_has_size;
} vc4_shader;

/* Where the vertices of one array of attributes are, where they are not all in one buffer. */
typedef struct vc4_array {
    vc4_place place;
    uint8_t stride;
} vc4_array;

/* All that a draw call has beside the shader and its uniforms. */
typedef struct vc4_call {
    /* VC4_TRIANGLES and the like. */
    uint32_t primitive;
    /* Without indices: numbers of vertices; else of indices. */
    uint32_t first, count;
    /* Vertices as the shader's own structure has them; or each array of its own. */
    vc4_place vertices;
    const vc4_array *arrays;
    /* Indices of 1 or 2 bytes; none where that is 0. `last_index` is the largest of them. */
    vc4_place indices;
    uint32_t index_bytes, last_index;
    vc4_viewport viewport;
    int cull;
    /* Only of shaders that write a depth (option --depth). */
    uint32_t depth_test;
    int writes_depth;
    float point_size, line_width;
    /* Uniform arrays that are read at variable indices: memory of `VC4_ARRAY_BYTES(shader)` that nobody changes until
     * the picture is complete; and where this computer sees it. */
    vc4_place uniform_arrays;
    uint32_t *uniform_array_memory;
} vc4_call;

enum { VC4_DRAWN, VC4_NO_TEXTURE, VC4_NO_ARRAY_MEMORY };

static inline uint32_t vc4_array_bytes(const vc4_shader *shader)
{
    uint32_t words = 0;

    for (int s = 0; s < VC4_STAGES; s++)
        words += shader->stages[s].array_words;
    return 4 * words;
}

static inline uint32_t vc4_own_value(uint32_t kind, const vc4_viewport *viewport, uint32_t stream_address)
{
    switch (kind) {
    case VC4_X_SCALE:
        return vc4_bits(vc4_x_scale(viewport));
    case VC4_Y_SCALE:
        return vc4_bits(vc4_y_scale(viewport));
    case VC4_Z_SCALE:
        return vc4_bits(vc4_z_scale(viewport));
    case VC4_Z_OFFSET:
        return vc4_bits(vc4_z_offset(viewport));
    default:
        return stream_address;
    }
}

/* The parameters of a request, in the words of the stream; its place. */
static inline vc4_place vc4_fill_request(uint32_t *stream, const vc4_request *request, const vc4_texture *textures,
                                         vc4_place arrays)
{
    vc4_place place = arrays;

    if (request->is_load) {
        place.offset += 4 * request->source;
        stream[request->words[0]] = vc4_address(place);
        return place;
    }

    const vc4_texture *texture = &textures[request->source];

    for (uint32_t p = 0; p < 4; p++)
        if (request->words[p] != VC4_NO_WORD)
            stream[request->words[p]] = vc4_texture_word(texture, p, vc4_address(texture->place), request->has_level);
    return texture->place;
}

/* Append the stream of a program: with the kernel, behind the buffers of its requests. */
static inline uint32_t vc4_put_stream(vc4_job *job, const vc4_stage *stage, uint32_t *words,
                                      const vc4_texture *textures, const vc4_viewport *viewport, vc4_place arrays)
{
    uint32_t *stream = words + stage->stream;

    for (uint32_t r = 0; r < stage->request_count; r++) {
        vc4_place place = vc4_fill_request(stream, &stage->requests[r], textures, arrays);

        vc4_put_handle(&job->uniforms, vc4_handle(job, place));
    }

    uint32_t address = vc4_list_bus(&job->uniforms);

    for (uint32_t i = 0; i < stage->own_count; i++)
        stream[stage->own[i].word] = vc4_own_value(stage->own[i].kind, viewport, address);
    for (uint32_t i = 0; i < stage->stream_words; i++)
        vc4_put32(&job->uniforms, stream[i]);
    return address;
}

static inline vc4_array vc4_array_of(const vc4_job *job, const vc4_shader *shader, const vc4_call *call, uint32_t number)
{
    vc4_array array;

    if (call->arrays)
        return call->arrays[number];
    /* A shader without attributes has an array all the same: any memory. */
    array.place = shader->vertex_bytes ? call->vertices : job->frame.place;
    array.place.offset += shader->attributes[number].offset;
    array.stride = shader->vertex_bytes;
    return array;
}

/* Append the shader record (GL form) and what it names; the word that a control list names it by. */
static inline uint32_t vc4_put_record(vc4_job *job, const vc4_shader *shader, const vc4_place *code, uint32_t *words,
                                      const vc4_texture *textures, const vc4_call *call)
{
    vc4_list *list = &job->records;
    uint32_t streams[VC4_STAGES], count = shader->attribute_count;
    vc4_place arrays = call->uniform_arrays;

    for (int s = 0; s < VC4_STAGES; s++)
        vc4_put_handle(list, vc4_handle(job, code[s]));
    for (uint32_t i = 0; i < count; i++)
        vc4_put_handle(list, vc4_handle(job, vc4_array_of(job, shader, call, i).place));
    for (int s = 0; s < VC4_STAGES; s++) {
        streams[s] = vc4_put_stream(job, &shader->stages[s], words, textures, &call->viewport, arrays);
        arrays.offset += 4 * shader->stages[s].array_words;
    }
    vc4_align_record(list);

    uint32_t record = vc4_list_bus(list);

    /* Clipping on; the kernel reads the first two bytes as one number. */
    vc4_put16(list, (shader->threads == 1) | (shader->has_point_size ? 2u : 0) | 4);
    vc4_put8(list, 0);
    vc4_put8(list, shader->varyings);
    vc4_put32(list, vc4_address(code[VC4_FRAGMENT]));
    vc4_put32(list, streams[VC4_FRAGMENT]);
    for (int s = VC4_VERTEX; s <= VC4_COORDINATE; s++) {
        vc4_put16(list, 0);
        vc4_put8(list, shader->stages[s].attributes);
        vc4_put8(list, shader->stages[s].attribute_bytes);
        vc4_put32(list, vc4_address(code[s]));
        vc4_put32(list, streams[s]);
    }
    for (uint32_t i = 0; i < count; i++) {
        vc4_array array = vc4_array_of(job, shader, call, i);

        vc4_put32(list, vc4_address(array.place));
        vc4_put8(list, shader->attributes[i].bytes - 1u);
        vc4_put8(list, array.stride);
        vc4_put8(list, shader->attributes[i].vertex_offset);
        vc4_put8(list, shader->attributes[i].coordinate_offset);
    }
    job->record_count++;
    return record | (count & 7);
}

static inline void vc4_put_primitives(vc4_job *job, const vc4_call *call)
{
    vc4_list *list = &job->binner;

    if (call->index_bytes == 0) {
        vc4_put8(list, VC4_ARRAY_PRIMITIVES);
        vc4_put8(list, call->primitive);
        vc4_put32(list, call->count);
        vc4_put32(list, call->first);
        return;
    }

    vc4_place indices = call->indices;

    indices.offset += call->first * call->index_bytes;
    vc4_put_index_handle(job, indices);
    vc4_put8(list, VC4_INDEXED_PRIMITIVES);
    vc4_put8(list, call->primitive | (call->index_bytes == 2 ? 1u << 4 : 0));
    vc4_put32(list, call->count);
    vc4_put32(list, vc4_address(indices));
    vc4_put32(list, call->last_index);
}

/* State that comes before the shader. */
static inline void vc4_put_state(vc4_job *job, const vc4_shader *shader, const vc4_call *call)
{
    int has_depth = shader->writes_depth;
    float point = call->point_size > 0 ? call->point_size : 1, line = call->line_width > 0 ? call->line_width : 1;

    vc4_put_viewport(&job->binner, &call->viewport);
    vc4_put_configuration(&job->binner, call->cull, call->viewport.top_first,
                          has_depth ? call->depth_test : VC4_ALWAYS, has_depth && call->writes_depth);
    vc4_put_sizes(&job->binner, point, line, shader->flat_varyings);
}

/* Whether everything is there that the programs read; and the arrays, to where the chip finds them. */
static inline int vc4_prepare(const vc4_shader *shader, const uint32_t *words, const vc4_texture *textures,
                              const vc4_call *call)
{
    uint32_t *memory = call->uniform_array_memory;

    for (int s = 0; s < VC4_STAGES; s++) {
        const vc4_stage *stage = &shader->stages[s];

        for (uint32_t r = 0; r < stage->request_count; r++)
            if (!stage->requests[r].is_load && textures[stage->requests[r].source].width == 0)
                return VC4_NO_TEXTURE;
        if (stage->array_words && !memory)
            return VC4_NO_ARRAY_MEMORY;
        for (uint32_t i = 0; i < stage->array_words; i++)
            *memory++ = words[stage->arrays + i];
    }
    return VC4_DRAWN;
}

/* Append a draw call to a job: VC4_DRAWN, or what is missing. */
static inline int vc4_draw(vc4_job *job, const vc4_shader *shader, const vc4_place *code, uint32_t *words,
                           const vc4_texture *textures, const vc4_call *call)
{
    int missing = vc4_prepare(shader, words, textures, call);

    if (missing)
        return missing;
    vc4_put_state(job, shader, call);

    uint32_t record = vc4_put_record(job, shader, code, words, textures, call);

    vc4_put8(&job->binner, VC4_GL_SHADER_STATE);
    vc4_put32(&job->binner, record);
    vc4_put_primitives(job, call);
    return VC4_DRAWN;
}

#endif
