/* A square whose corners are placed by hand (NV shader state: the fragment program alone), and a triangle in front of it
 * (GL shader state: all three programs). */
#include "scene.h"

enum { SIZE = 32, ROOM = 4096, TILE_ROOM = 256 * 1024, STEP = 16 };

static const shader_vertex triangle[3] = {
    { { -0.8f, -0.7f }, { 1.0f, 0.3f, 0.2f } },
    { { 0.8f, -0.7f }, { 0.3f, 1.0f, 0.3f } },
    { { 0.0f, 0.9f }, { 0.2f, 0.4f, 1.0f } },
};
/* Sixteenths of a pixel from the centre, the first row on top; depth, 1/w; colour, place in the texture. */
static const shader_shaded square[4] = {
    { -140 * STEP, -105 * STEP, 0.5f, 1, { 0.3f, 0.3f, 0.4f }, { 0, 4 } },
    { -140 * STEP, 105 * STEP, 0.5f, 1, { 0.3f, 0.3f, 0.4f }, { 0, 0 } },
    { 140 * STEP, -105 * STEP, 0.5f, 1, { 0.5f, 0.4f, 0.3f }, { 5, 4 } },
    { 140 * STEP, 105 * STEP, 0.5f, 1, { 0.5f, 0.4f, 0.3f }, { 5, 0 } },
};
static const uint8_t corners[6] = { 0, 1, 2, 2, 1, 3 };
/* By columns: a turn by some 11 degrees, narrower as the picture is wide. */
static const float turn[16] = { 0.75f, 0.2f, 0, 0, -0.15f, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
static const float lights[6] = { 0.8f, 0.8f, 0.8f, 0.1f, 0.1f, 0.0f };

/* The program's data in memory that the chip sees. */
static int copied(vc4_device *device, const void *data, uint32_t bytes, vc4_place *place)
{
    vc4_buffer buffer;

    if (vc4_buffer_new(device, bytes, &buffer))
        return VC4_NO_ROOM;
    memcpy(buffer.memory, data, bytes);
    *place = buffer.place;
    return 0;
}

static int chequers(vc4_device *device, vc4_texture *texture)
{
    static uint8_t image[SIZE][SIZE][4];
    vc4_buffer buffer;

    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            for (int i = 0; i < 4; i++)
                image[y][x][i] = (x / 8 + y / 8) % 2 ? 255 : 160;
    memset(texture, 0, sizeof *texture);
    texture->width = texture->height = SIZE;
    texture->magnify = VC4_MAGNIFY_NEAREST;
    texture->minify = VC4_MINIFY_NEAREST;
    if (vc4_buffer_new(device, vc4_texture_bytes(texture), &buffer))
        return VC4_NO_ROOM;
    vc4_store_level((uint8_t *)buffer.memory, texture, 0, &image[0][0][0]);
    texture->place = buffer.place;
    return 0;
}

static int load(vc4_device *device, shader_program *program)
{
    vc4_texture texture;

    if (shader_load(program, device) || chequers(device, &texture))
        return VC4_NO_ROOM;
    shader_set_u_turn(program, turn);
    shader_set_u_lights(program, 0, 2, lights);
    shader_set_u_chequers(program, 0, &texture);
    return 0;
}

int draw_scene(vc4_device *device, const vc4_place *pixels, vc4_job *job)
{
    static shader_program program;
    vc4_viewport viewport = { 0, 0, WIDTH, HEIGHT, 0, 1, 1 };
    vc4_frame frame = { *pixels, WIDTH, HEIGHT, 0xff402818, 0xffffff };
    vc4_call call;

    if (load(device, &program) || vc4_job_begin(job, device, &frame, ROOM, TILE_ROOM))
        return VC4_NO_ROOM;

    memset(&call, 0, sizeof call);
    call.primitive = VC4_TRIANGLES;
    call.viewport = viewport;
    call.count = sizeof corners;
    call.index_bytes = 1;
    call.last_index = 3;
    if (copied(device, square, sizeof square, &call.vertices) ||
        copied(device, corners, sizeof corners, &call.indices) ||
        shader_draw_shaded(job, &program, &call) != VC4_DRAWN)
        return VC4_NO_ROOM;

    call.count = 3;
    call.index_bytes = 0;
    if (copied(device, triangle, sizeof triangle, &call.vertices) ||
        shader_draw(job, &program, &call) != VC4_DRAWN)
        return VC4_NO_ROOM;
    return vc4_job_finish(job);
}
