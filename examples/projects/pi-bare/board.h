/* The board: its firmware, and where its 3D core is. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#if BOARD == 1
enum { PERIPHERALS = 0x20000000 };
/* The chip's cache lies between, which the ARM core uses too. */
static const uint32_t bus_alias = 0x40000000;
#else
enum { PERIPHERALS = 0x3f000000 };
static const uint32_t bus_alias = 0xc0000000;
#endif

static inline volatile uint32_t *board_3d(void)
{
    return (volatile uint32_t *)(PERIPHERALS + 0xc00000);
}

/* Switches the 3D core on, and sets the screen up with rows of four bytes a pixel, red first: the bus address of the
 * pixels, or 0. */
uint32_t board_start(uint32_t width, uint32_t height);

#endif
