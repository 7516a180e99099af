/* The firmware, by its mailbox of properties; and what compilers call. */
#include "board.h"

#include <stddef.h>

enum { READ = 0xb880 / 4, STATUS = 0xb898 / 4, WRITE = 0xb8a0 / 4, PROPERTIES = 8 };
enum { IS_EMPTY = 1u << 30, IS_DONE = 0x80000000u };

void *memcpy(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

void *memset(void *start, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile uint8_t *)start)[i] = (uint8_t)value;
    return start;
}

/* What a division by 0 calls, with tools that are made for Linux. */
int raise(int signal)
{
    (void)signal;
    for (;;)
        ;
}

static int asked(volatile uint32_t *message)
{
    volatile uint32_t *box = (volatile uint32_t *)PERIPHERALS;
    uint32_t address = ((uint32_t)(uintptr_t)message | bus_alias) + PROPERTIES;

    while (box[STATUS] & IS_DONE)
        ;
    box[WRITE] = address;
    do
        while (box[STATUS] & IS_EMPTY)
            ;
    while (box[READ] != address);
    return message[1] == IS_DONE;
}

uint32_t board_start(uint32_t width, uint32_t height)
{
    /* Properties: number, bytes of the value, 0, value. */
    static volatile uint32_t message[40] __attribute__((aligned(16)));
    const uint32_t wanted[] = {
        0, 0,
        0x30012, 4, 0, 1,                /* 3D core on */
        0x48003, 8, 0, width, height,    /* size of the screen */
        0x48004, 8, 0, width, height,    /* of what is in memory */
        0x48005, 4, 0, 32,               /* bits of a pixel */
        0x48006, 4, 0, 1,                /* red first */
        0x40001, 8, 0, 4096, 0,          /* where it is; aligned */
        0,
    };
    enum { COUNT = sizeof wanted / sizeof *wanted, PIXELS = COUNT - 3 };

    for (uint32_t i = 0; i < COUNT; i++)
        message[i] = wanted[i];
    message[0] = sizeof wanted;
    return asked(message) ? message[PIXELS] : 0;
}
