#include "machine.h"

#include <console/console.h>
#include <stdio.h>
#include <xenos/edram.h>
#include <xenos/xenos.h>

enum { VERTICES = SELF_TEST_CASES * SELF_TEST_CORNERS };
/* In memory: blue, green, red, alpha. */
enum { FORMAT = XE_FMT_8888 | XE_FMT_BGRA };

void self_test_put(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

int self_test_begin(self_test_machine *machine)
{
    struct XenosDevice *xe = &machine->device;

    Xe_InvalidateState(xe);
    Xe_SetCullMode(xe, XE_CULL_NONE);
    Xe_SetZEnable(xe, 0);
    /* What is drawn stays as it is, whatever its alpha. */
    Xe_SetBlendControl(xe, XE_BLEND_ONE, XE_BLENDOP_ADD, XE_BLEND_ZERO, XE_BLEND_ONE, XE_BLENDOP_ADD, XE_BLEND_ZERO);
    Xe_SetStreamSource(xe, 0, machine->vertices, 0, sizeof(float[2]));
    return 0;
}

/* Where a pixel of the middle row is: a picture consists of tiles of 32 by 32 pixels, and of the first row of a tile four
 * pixels at a time are together. */
static int place_of(int x)
{
    return SELF_TEST_HEIGHT / 2 * SELF_TEST_WIDTH + x / 32 * 1024 + x % 32 / 4 * 8 + x % 4;
}

int self_test_end(self_test_machine *machine, uint8_t row[SELF_TEST_WIDTH][4])
{
    struct XenosDevice *xe = &machine->device;
    const uint8_t *pixels;

    Xe_Resolve(xe);
    Xe_Sync(xe);
    /* libxenon looks at the flags of the lock before, and fetches only then what the GPU has written. */
    machine->target->lock.flags = XE_LOCK_READ;
    pixels = Xe_Surface_LockRect(xe, machine->target, 0, 0, 0, 0, XE_LOCK_READ);
    for (int x = 0; x < SELF_TEST_WIDTH; x++) {
        const uint8_t *pixel = pixels + 4 * place_of(x);
        const uint8_t bytes[4] = { pixel[2], pixel[1], pixel[0], pixel[3] };

        memcpy(row[x], bytes, sizeof bytes);
    }
    Xe_Surface_Unlock(xe, machine->target);
    return 0;
}

static void make_vertices(self_test_machine *machine)
{
    static const float corners[SELF_TEST_CORNERS][2] = { { 0, -1 }, { 1, -1 }, { 1, 1 }, { 1, 1 }, { 0, 1 }, { 0, -1 } };
    const int bytes = VERTICES * sizeof(float[2]);
    float(*vertices)[2];

    machine->vertices = Xe_CreateVertexBuffer(&machine->device, bytes);
    vertices = Xe_VB_Lock(&machine->device, machine->vertices, 0, bytes, XE_LOCK_WRITE);
    for (int n = 0; n < VERTICES; n++) {
        const float *corner = corners[n % SELF_TEST_CORNERS];

        vertices[n][0] = (n / SELF_TEST_CORNERS + corner[0]) * (2.0f * SELF_TEST_COLUMN / SELF_TEST_WIDTH) - 1.0f;
        vertices[n][1] = corner[1];
    }
    Xe_VB_Unlock(&machine->device, machine->vertices);
}

static struct XenosSurface *new_texture(struct XenosDevice *xe, int is_linear)
{
    struct XenosSurface *texture = Xe_CreateTexture(xe, SELF_TEST_SIDE, SELF_TEST_SIDE, 0, FORMAT, 0);
    uint8_t *texels = Xe_Surface_LockRect(xe, texture, 0, 0, 0, 0, XE_LOCK_WRITE);

    for (int y = 0; y < SELF_TEST_SIDE; y++)
        for (int x = 0; x < SELF_TEST_SIDE; x++) {
            const uint8_t *texel = self_test_texels[y][x];
            const uint8_t bytes[4] = { texel[2], texel[1], texel[0], texel[3] };

            memcpy(texels + y * texture->wpitch + 4 * x, bytes, sizeof bytes);
        }
    Xe_Surface_Unlock(xe, texture);
    texture->use_filtering = is_linear;
    return texture;
}

int main(void)
{
    static self_test_machine machine;
    struct XenosDevice *xe = &machine.device;

    xenos_init(VIDEO_MODE_AUTO);
    console_init();
    Xe_Init(xe);
    machine.target = Xe_CreateTexture(xe, SELF_TEST_WIDTH, SELF_TEST_HEIGHT, 0, FORMAT, 1);
    Xe_SetRenderTarget(xe, machine.target);
    edram_init(xe);
    make_vertices(&machine);
    machine.nearest = new_texture(xe, 0);
    machine.linear = new_texture(xe, 1);
    self_test_run(&machine);
    return 0;
}
