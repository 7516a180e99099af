#include <math.h>
#include <string.h>
#include "draw.h"
#include "triangle.h"

static const triangle_vertex corners[3] = {
    {{0.0f, 0.9f}, {1.0f, 0.1f, 0.1f}}, {{-0.8f, -0.6f}, {0.1f, 1.0f, 0.1f}}, {{0.8f, -0.6f}, {0.1f, 0.1f, 1.0f}}};

/* Registers behind 0x2000, packets and fields as the open driver has them. */
enum { CP_DRAW_INDX = 0x22, CP_SET_CONSTANT = 0x2d, REGISTERS = 4 << 16, VGT_INDX_OFFSET = 0x102 };
enum { TRIANGLE_LIST = 4, AUTO_INDEX = 2 << 6, PRE_FETCH_CULL_ENABLE = 1 << 14 };

void write_vertices(void *memory)
{
    memcpy(memory, corners, sizeof corners);
}

static void emit(struct fd_ringbuffer *ring, uint32_t operation, uint32_t first, uint32_t second)
{
    fd_ringbuffer_emit(ring, 3u << 30 | 1u << 16 | operation << 8);
    fd_ringbuffer_emit(ring, first);
    fd_ringbuffer_emit(ring, second);
}

void draw_triangle(struct fd_ringbuffer *ring, struct fd_bo *vertices, float angle)
{
    triangle_program program;
    triangle_init(&program);
    triangle_set_u_turn(&program, (const float[2]){cosf(angle), sinf(angle)});
    triangle_set_u_bands(&program, 6.0f);
    triangle_vertices(&program, (triangle_buffer){vertices, 0, VERTEX_BYTES});
    triangle_emit(&program, ring);

    emit(ring, CP_SET_CONSTANT, REGISTERS | VGT_INDX_OFFSET, 0);
    fd_ringbuffer_emit(ring, 3u << 30 | 2u << 16 | CP_DRAW_INDX << 8);
    fd_ringbuffer_emit(ring, 0);
    fd_ringbuffer_emit(ring, TRIANGLE_LIST | AUTO_INDEX | PRE_FETCH_CULL_ENABLE);
    fd_ringbuffer_emit(ring, 3);
}
