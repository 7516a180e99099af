/* VC4_IMAGE and VC4_PICTURE are names of files with a %u for the number of a job: the memory that the chip would read, in
 * the form of tests/backends/vc4/host/lists.py, and the pixels that it would draw. */
#include "board.h"

#include <stdio.h>
#include <stdlib.h>

#include "machine.h"

/* Where the address of the pixels stands in the renderer's list. */
enum { PIXELS_IN_LIST = 25 };

extern uint8_t self_test_memory[];
void board_main(void);

static uint32_t registers[1024];

void self_test_put(const char *text)
{
    fputs(text, stdout);
}

static FILE *open_numbered(const char *variable, unsigned number, const char *mode)
{
    char path[4096];

    if (!getenv(variable))
        return NULL;
    snprintf(path, sizeof path, getenv(variable), number);
    return fopen(path, mode);
}

static void draw(void)
{
    static unsigned number;
    const uint32_t bus = (uint32_t)(uintptr_t)self_test_memory;
    const uint32_t head[6] = { registers[VC4_BINNER_AT], registers[VC4_BINNER_END], registers[VC4_RENDERER_AT],
                               registers[VC4_RENDERER_END], bus, SELF_TEST_MEMORY };
    FILE *image = open_numbered("VC4_IMAGE", number, "wb"), *picture = open_numbered("VC4_PICTURE", number, "rb");
    uint32_t pixels;

    if (image) {
        fwrite(head, sizeof head, 1, image);
        fwrite(self_test_memory, SELF_TEST_MEMORY, 1, image);
        fclose(image);
    }
    if (picture) {
        memcpy(&pixels, self_test_memory + (head[2] - bus) + PIXELS_IN_LIST, sizeof pixels);
        if (!fread(self_test_memory + (pixels - bus), SELF_TEST_WIDTH * SELF_TEST_HEIGHT * 4, 1, picture))
            abort();
        fclose(picture);
    }
    number++;
}

volatile uint32_t *board_3d(void)
{
    if (registers[VC4_RENDERER_END])
        draw();
    registers[VC4_RENDERER_END] = 0;
    registers[VC4_IDENT0] = 0x443356;
    return registers;
}

uint32_t board_start(uint32_t width, uint32_t height)
{
    return width * height;
}

int main(void)
{
    board_main();
    return 0;
}
