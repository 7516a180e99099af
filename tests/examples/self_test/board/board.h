/* In the place of a Raspberry Pi: registers whose jobs go to files, and pictures that come from files. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

static const uint32_t bus_alias = 0;

volatile uint32_t *board_3d(void);
uint32_t board_start(uint32_t width, uint32_t height);

#endif
