#include "machine.h"

enum { PIXELS = SELF_TEST_WIDTH * SELF_TEST_HEIGHT, VERTICES = SELF_TEST_CASES * SELF_TEST_CORNERS };

#define SIZE GX_BUFFER_DIM(SELF_TEST_WIDTH, SELF_TEST_HEIGHT)
#define TRANSFER \
    (GX_TRANSFER_FLIP_VERT(0) | GX_TRANSFER_OUT_TILED(0) | GX_TRANSFER_RAW_COPY(0) | \
     GX_TRANSFER_IN_FORMAT(GX_TRANSFER_FMT_RGBA8) | GX_TRANSFER_OUT_FORMAT(GX_TRANSFER_FMT_RGBA8) | \
     GX_TRANSFER_SCALING(GX_TRANSFER_SCALE_NO))

/* Also on the memory card, where the report can be taken from. */
static FILE *report;

void self_test_put(const char *text)
{
    fputs(text, stdout);
    if (report)
        fputs(text, report);
}

int self_test_begin(self_test_machine *machine)
{
    if (!C3D_FrameBegin(0))
        return 1;
    C3D_RenderTargetClear(machine->target, C3D_CLEAR_ALL, 0, 0);
    C3D_FrameDrawOn(machine->target);
    /* What is drawn stays as it is, whatever its alpha. */
    C3D_AlphaBlend(GPU_BLEND_ADD, GPU_BLEND_ADD, GPU_ONE, GPU_ZERO, GPU_ONE, GPU_ZERO);
    return 0;
}

int self_test_end(self_test_machine *machine, uint8_t row[SELF_TEST_WIDTH][4])
{
    const u32 *pixels = machine->pixels + SELF_TEST_HEIGHT / 2 * SELF_TEST_WIDTH;

    C3D_FrameEnd(0);
    C3D_SyncDisplayTransfer(machine->target->frameBuf.colorBuf, SIZE, machine->pixels, SIZE, TRANSFER);
    GSPGPU_InvalidateDataCache(machine->pixels, PIXELS * sizeof *machine->pixels);
    for (int x = 0; x < SELF_TEST_WIDTH; x++)
        for (int i = 0; i < 4; i++)
            row[x][i] = (uint8_t)(pixels[x] >> (24 - 8 * i));
    return 0;
}

static void put_vertices(float (*vertices)[2])
{
    static const float corners[SELF_TEST_CORNERS][2] = { { 0, -1 }, { 1, -1 }, { 1, 1 }, { 1, 1 }, { 0, 1 }, { 0, -1 } };

    for (int n = 0; n < VERTICES; n++) {
        const float *corner = corners[n % SELF_TEST_CORNERS];

        vertices[n][0] = (n / SELF_TEST_CORNERS + corner[0]) * (2.0f * SELF_TEST_COLUMN / SELF_TEST_WIDTH) - 1.0f;
        vertices[n][1] = corner[1];
    }
}

/* The picture is one block of 8 by 8 texels: the upper row first, and bits of column and row take turns. */
static bool make_texture(C3D_Tex *texture, int filter)
{
    if (!C3D_TexInit(texture, SELF_TEST_SIDE, SELF_TEST_SIDE, GPU_RGBA8))
        return false;
    for (u32 row = 0; row < SELF_TEST_SIDE; row++)
        for (u32 x = 0; x < SELF_TEST_SIDE; x++) {
            const uint8_t *texel = self_test_texels[SELF_TEST_SIDE - 1 - row][x];
            u32 place = 0;

            for (int bit = 2; bit >= 0; bit--)
                place = place << 2 | (row >> bit & 1) << 1 | (x >> bit & 1);
            ((u32 *)texture->data)[place] = (u32)texel[0] << 24 | texel[1] << 16 | texel[2] << 8 | texel[3];
        }
    C3D_TexSetFilter(texture, filter, filter);
    C3D_TexSetWrap(texture, GPU_REPEAT, GPU_REPEAT);
    C3D_TexFlush(texture);
    return true;
}

static bool prepare(self_test_machine *machine)
{
    machine->target = C3D_RenderTargetCreate(SELF_TEST_WIDTH, SELF_TEST_HEIGHT, GPU_RB_RGBA8, GPU_RB_DEPTH24_STENCIL8);
    machine->pixels = linearAlloc(PIXELS * sizeof *machine->pixels);
    machine->vertices = linearAlloc(VERTICES * sizeof *machine->vertices);
    if (!machine->target || !machine->pixels || !machine->vertices || !make_texture(&machine->nearest, GPU_NEAREST) ||
        !make_texture(&machine->linear, GPU_LINEAR))
        return false;
    put_vertices(machine->vertices);
    return true;
}

int main(void)
{
    static self_test_machine machine;

    gfxInitDefault();
    consoleInit(GFX_BOTTOM, NULL);
    C3D_Init(C3D_DEFAULT_CMDBUF_SIZE);
    report = fopen("sdmc:/self-test.txt", "w");
    if (prepare(&machine))
        self_test_run(&machine);
    else
        self_test_put("there is too little memory\n");
    if (report)
        fclose(report);
    printf("The report is in self-test.txt on the card. START ends.\n");
    while (aptMainLoop()) {
        gspWaitForVBlank();
        hidScanInput();
        if (hidKeysDown() & KEY_START)
            break;
    }
    C3D_Fini();
    gfxExit();
    return 0;
}
