/* Draws a triangle with the kernel's driver, and writes the picture as a .ppm file to the standard output. */
#include "shader.h"

#include <fcntl.h>
#include <stdio.h>

enum { WIDTH = 320, HEIGHT = 240, SIZE = 32, ROOM = 4096 };

static const shader_vertex vertices[3] = {
    { { -0.8f, -0.7f }, { 1.0f, 0.3f, 0.2f } },
    { { 0.8f, -0.7f }, { 0.3f, 1.0f, 0.3f } },
    { { 0.0f, 0.9f }, { 0.2f, 0.4f, 1.0f } },
};
/* By columns: a turn by some 11 degrees, narrower as the picture is wide. */
static const float turn[16] = { 0.75f, 0.2f, 0, 0, -0.15f, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
static const float lights[6] = { 0.8f, 0.8f, 0.8f, 0.1f, 0.1f, 0.0f };

static void expect(int error, const char *what)
{
    if (error) {
        fprintf(stderr, "%s: error %d\n", what, error);
        exit(1);
    }
}

static vc4_texture chequers(vc4_device *device)
{
    static uint8_t image[SIZE][SIZE][4];
    vc4_texture texture;
    vc4_buffer buffer;

    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            for (int i = 0; i < 4; i++)
                image[y][x][i] = (x / 8 + y / 8) % 2 ? 255 : 160;
    memset(&texture, 0, sizeof texture);
    texture.width = texture.height = SIZE;
    texture.magnify = VC4_MAGNIFY_NEAREST;
    texture.minify = VC4_MINIFY_NEAREST;
    expect(vc4_buffer_new(device, vc4_texture_bytes(&texture), &buffer), "texture");
    vc4_store_level(buffer.memory, &texture, 0, &image[0][0][0]);
    texture.place = buffer.place;
    return texture;
}

static void draw(vc4_device *device, shader_program *program, const vc4_buffer *pixels)
{
    vc4_frame frame = { .place = pixels->place, .width = WIDTH, .height = HEIGHT, .clear_colour = 0xff402818 };
    vc4_call call = { .primitive = VC4_TRIANGLES, .count = 3 };
    vc4_buffer data;
    vc4_job job;
    uint64_t sequence;

    expect(vc4_buffer_new(device, sizeof vertices, &data), "vertices");
    memcpy(data.memory, vertices, sizeof vertices);
    call.vertices = data.place;
    call.viewport = (vc4_viewport){ .width = WIDTH, .height = HEIGHT, .far_depth = 1, .top_first = 1 };
    expect(vc4_job_begin(&job, device, &frame, ROOM), "job");
    expect(shader_draw(&job, program, &call), "draw");
    expect(vc4_job_submit(&job, &sequence), "submission");
    expect(vc4_wait(device, sequence, 1000000000), "picture");
    vc4_job_free(&job);
    vc4_buffer_free(device, &data);
}

int main(int count, char **arguments)
{
    static shader_program program;
    vc4_device device = { open(count > 1 ? arguments[1] : "/dev/dri/renderD128", O_RDWR) };
    vc4_texture texture;
    vc4_buffer pixels;

    expect(device.fd < 0, "device");
    expect(shader_load(&program, &device), "code");
    shader_set_u_turn(&program, turn);
    shader_set_u_lights(&program, 0, 2, lights);
    texture = chequers(&device);
    shader_set_u_chequers(&program, 0, &texture);
    expect(vc4_buffer_new(&device, WIDTH * HEIGHT * 4, &pixels), "pixels");
    draw(&device, &program, &pixels);

    printf("P6 %d %d 255\n", WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        fwrite((const uint8_t *)pixels.memory + 4 * i, 3, 1, stdout);
    return 0;
}
