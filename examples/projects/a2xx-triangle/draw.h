/* What of the triangle goes into a ring buffer of libdrm's freedreno. */
#ifndef DRAW_H
#define DRAW_H

#include <freedreno_drmif.h>
#include <freedreno_ringbuffer.h>

enum { VERTEX_BYTES = 3 * 20 };

/* The vertices, VERTEX_BYTES of them. */
void write_vertices(void *memory);

/* The triangle, turned by an angle. Render target, viewport and the rest of the state are there already. */
void draw_triangle(struct fd_ringbuffer *ring, struct fd_bo *vertices, float angle);

#endif
