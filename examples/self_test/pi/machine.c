#include "machine.h"

/* Of each case: memory for arrays that are read at variable indices. */
enum { ARRAY_BYTES = 256, CORNERS = 6 };

static void put_vertices(float (*vertices)[2])
{
    static const float corners[CORNERS][2] = { { 0, -1 }, { 1, -1 }, { 1, 1 }, { 1, 1 }, { 0, 1 }, { 0, -1 } };

    for (int n = 0; n < SELF_TEST_CASES * CORNERS; n++) {
        const float *corner = corners[n % CORNERS];

        vertices[n][0] = (float)(n / CORNERS + corner[0]) * (2.0f * SELF_TEST_COLUMN / SELF_TEST_WIDTH) - 1.0f;
        vertices[n][1] = corner[1];
    }
}

int self_test_prepare(self_test_machine *machine)
{
    vc4_device *device = &machine->device;
    vc4_texture *texture = &machine->nearest;
    int error = 0;

    memset(texture, 0, sizeof *texture);
    texture->width = texture->height = SELF_TEST_SIDE;
    texture->magnify = VC4_MAGNIFY_NEAREST;
    texture->minify = VC4_MINIFY_NEAREST;
    error = error ? error : vc4_buffer_new(device, SELF_TEST_WIDTH * SELF_TEST_HEIGHT * 4, &machine->pixels);
    error = error ? error : vc4_buffer_new(device, SELF_TEST_CASES * CORNERS * 8, &machine->vertices);
    error = error ? error : vc4_buffer_new(device, SELF_TEST_CASES * ARRAY_BYTES, &machine->arrays);
    error = error ? error : vc4_buffer_new(device, vc4_texture_bytes(texture), &machine->texels);
    if (error)
        return error;
    put_vertices((float (*)[2])machine->vertices.memory);
    vc4_store_level((uint8_t *)machine->texels.memory, texture, 0, &self_test_texels[0][0][0]);
    texture->place = machine->texels.place;
    machine->linear = *texture;
    machine->linear.magnify = VC4_MAGNIFY_LINEAR;
    machine->linear.minify = VC4_MINIFY_LINEAR;
    return 0;
}

vc4_frame self_test_frame(const self_test_machine *machine)
{
    vc4_frame frame;

    memset(&frame, 0, sizeof frame);
    frame.place = machine->pixels.place;
    frame.width = SELF_TEST_WIDTH;
    frame.height = SELF_TEST_HEIGHT;
    return frame;
}

vc4_call self_test_call(const self_test_machine *machine, uint32_t number)
{
    vc4_call call;

    memset(&call, 0, sizeof call);
    call.primitive = VC4_TRIANGLES;
    call.first = number * CORNERS;
    call.count = CORNERS;
    call.vertices = machine->vertices.place;
    call.viewport.width = SELF_TEST_WIDTH;
    call.viewport.height = SELF_TEST_HEIGHT;
    call.viewport.far_depth = 1;
    call.uniform_arrays = machine->arrays.place;
    call.uniform_arrays.offset += number * ARRAY_BYTES;
    call.uniform_array_memory = (uint32_t *)machine->arrays.memory + number * ARRAY_BYTES / 4;
    return call;
}

void self_test_read(const self_test_machine *machine, uint8_t row[SELF_TEST_WIDTH][4])
{
    memcpy(row, (const uint8_t *)machine->pixels.memory + SELF_TEST_HEIGHT / 2 * SELF_TEST_WIDTH * 4, SELF_TEST_WIDTH * 4);
}
