#include "draw.h"

int main(void)
{
    static struct fd_ringbuffer ring;
    static uint32_t vertices[VERTEX_BYTES / 4];
    struct fd_bo memory = {0x20000};
    write_vertices(vertices);
    draw_triangle(&ring, &memory, 0.62831853f);
    for (unsigned i = 0; i < ring.count; i++)
        printf(" %08x", ring.words[i]);
    printf("\n");
    for (unsigned i = 0; i < VERTEX_BYTES / 4; i++)
        printf(" %08x", vertices[i]);
    printf("\n");
}
