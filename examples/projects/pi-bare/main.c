/* Draws once, and stops. The firmware starts this at `start` (boot.s), with caches and address translation off. */
#include "board.h"
#include "scene.h"

enum { MEMORY = 2 << 20 };

static uint8_t memory[MEMORY] __attribute__((aligned(4096)));

void board_main(void)
{
    vc4_device device = { { memory, 0, MEMORY, (uint32_t)(uintptr_t)memory | bus_alias } };
    vc4_place pixels = { board_start(WIDTH, HEIGHT), 0 };
    vc4_job job;

    if (!pixels.buffer || !vc4_is_on(board_3d()) || draw_scene(&device, &pixels, &job))
        return;
    vc4_job_run(&job, board_3d());
    while (!vc4_job_is_done(board_3d()))
        ;
}
