/* Runs the scene of pi-bare on this computer, as far as the registers: the memory that the chip would read goes to a file,
 * in the form that tests/backends/vc4/host/lists.py reads. */
#include "scene.h"

#include <stdio.h>

enum { MEMORY = 2 << 20, BUS = 0x40000000 };

static uint8_t memory[MEMORY];

static void put32(FILE *file, uint32_t word)
{
    fwrite(&word, sizeof word, 1, file);
}

int main(int count, char **arguments)
{
    static uint32_t registers[1024];
    vc4_device device = { { memory, 0, MEMORY, BUS } };
    vc4_buffer pixels;
    vc4_job job;
    FILE *file;

    if (count < 2 || vc4_buffer_new(&device, WIDTH * HEIGHT * 4, &pixels) ||
        draw_scene(&device, &pixels.place, &job))
        return 1;
    vc4_job_run(&job, registers);
    file = fopen(arguments[1], "wb");
    put32(file, registers[VC4_BINNER_AT]);
    put32(file, registers[VC4_BINNER_END]);
    put32(file, registers[VC4_RENDERER_AT]);
    put32(file, registers[VC4_RENDERER_END]);
    put32(file, BUS);
    put32(file, MEMORY);
    fwrite(memory, MEMORY, 1, file);
    return fclose(file);
}
