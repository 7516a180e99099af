/* A cube that turns, with a texture, and with light at each pixel. START ends the program. */
#include <3ds.h>
#include <citro3d.h>
#include "cube.h"

enum { CORNERS = 36, SIDE = 64, CLEAR = 0x203048FF };

#define TRANSFER \
    (GX_TRANSFER_FLIP_VERT(0) | GX_TRANSFER_OUT_TILED(0) | GX_TRANSFER_RAW_COPY(0) | \
     GX_TRANSFER_IN_FORMAT(GX_TRANSFER_FMT_RGBA8) | GX_TRANSFER_OUT_FORMAT(GX_TRANSFER_FMT_RGB8) | \
     GX_TRANSFER_SCALING(GX_TRANSFER_SCALE_NO))

static cube_program program;
static cube_vertex *vertices;
static C3D_Tex texture;

/* Six faces, each of two triangles that go anticlockwise where they are seen from outside. */
static void fill_vertices(void)
{
    static const float corners[6][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 1, 1 }, { 0, 1 }, { 0, 0 } };

    for (int n = 0; n < CORNERS; n++) {
        const int face = n / 6, axis = face / 2;
        const float *corner = corners[n % 6], sign = face % 2 ? -1.0f : 1.0f;
        cube_vertex *vertex = &vertices[n];

        memset(vertex, 0, sizeof *vertex);
        vertex->a_normal[axis] = sign;
        vertex->a_position[axis] = 0.5f * sign;
        vertex->a_position[(axis + 1) % 3] = (corner[0] - 0.5f) * sign;
        vertex->a_position[(axis + 2) % 3] = corner[1] - 0.5f;
        vertex->a_texcoord[0] = corner[0];
        vertex->a_texcoord[1] = corner[1];
    }
}

/* Chequers with a rim, and a red field at the corner (0, 0). */
static u32 texel(u32 x, u32 y)
{
    const bool is_rim = x < 4 || y < 4 || x >= SIDE - 4 || y >= SIDE - 4;

    if (is_rim)
        return 0x604020FF;
    if (x < 20 && y < 20)
        return 0xE04830FF;
    return (x / 8 + y / 8) % 2 ? 0xF0E0B0FF : 0xB09060FF;
}

/* Texels lie in blocks of 8 by 8, the upper ones first, and in a block bits of column and row take turns. */
static bool make_texture(void)
{
    if (!C3D_TexInit(&texture, SIDE, SIDE, GPU_RGBA8))
        return false;
    for (u32 row = 0; row < SIDE; row++)
        for (u32 x = 0; x < SIDE; x++) {
            u32 place = row / 8 * (SIDE / 8) + x / 8;

            for (int bit = 2; bit >= 0; bit--)
                place = place << 2 | (row >> bit & 1) << 1 | (x >> bit & 1);
            ((u32 *)texture.data)[place] = texel(x, SIDE - 1 - row);
        }
    C3D_TexSetFilter(&texture, GPU_LINEAR, GPU_LINEAR);
    C3D_TexFlush(&texture);
    return true;
}

static bool load(void)
{
    vertices = linearAlloc(CORNERS * sizeof *vertices);
    if (!vertices || !cube_init(&program) || !make_texture())
        return false;
    fill_vertices();
    return true;
}

static void draw(float angle)
{
    float columns[16];
    C3D_Mtx matrix;

    /* In every frame, since what the lighting unit knows is lost when the HOME menu was open. */
    cube_bind(&program);
    cube_bind_vertices(vertices);
    C3D_TexBind(CUBE_u_texture_UNIT, &texture);

    Mtx_PerspTilt(&matrix, C3D_AngleFromDegrees(40.0f), C3D_AspectRatioTop, 0.1f, 10.0f, false);
    cube_columns(&matrix, columns);
    cube_set_u_projection(&program, columns);
    Mtx_Identity(&matrix);
    Mtx_Translate(&matrix, 0.0f, 0.0f, -2.6f, true);
    Mtx_RotateX(&matrix, 0.5f, true);
    Mtx_RotateY(&matrix, angle, true);
    cube_columns(&matrix, columns);
    cube_set_u_modelview(&program, columns);

    cube_set_u_light(&program, (const float[3]){ 0.4f, 0.6f, 1.0f });
    cube_set_u_ambient(&program, (const float[3]){ 0.2f, 0.2f, 0.25f });
    cube_set_u_diffuse(&program, (const float[3]){ 0.7f, 0.7f, 0.65f });
    cube_set_u_specular(&program, (const float[3]){ 0.3f, 0.3f, 0.3f });
    cube_set_u_shininess(&program, 16.0f);
    cube_update(&program);
    C3D_DrawArrays(GPU_TRIANGLES, 0, CORNERS);
}

int main(void)
{
    gfxInitDefault();
    C3D_Init(C3D_DEFAULT_CMDBUF_SIZE);
    C3D_RenderTarget *target = C3D_RenderTargetCreate(240, 400, GPU_RB_RGBA8, GPU_RB_DEPTH24_STENCIL8);
    C3D_RenderTargetSetOutput(target, GFX_TOP, GFX_LEFT, TRANSFER);
    const bool is_loaded = load();

    for (float angle = 0.6f; is_loaded && aptMainLoop(); angle += C3D_AngleFromDegrees(1.0f)) {
        hidScanInput();
        if (hidKeysDown() & KEY_START)
            break;
        C3D_FrameBegin(C3D_FRAME_SYNCDRAW);
        C3D_RenderTargetClear(target, C3D_CLEAR_ALL, CLEAR, 0);
        C3D_FrameDrawOn(target);
        draw(angle);
        C3D_FrameEnd(0);
    }

    cube_free(&program);
    C3D_TexDelete(&texture);
    linearFree(vertices);
    C3D_Fini();
    gfxExit();
    return 0;
}
