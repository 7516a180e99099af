#include <stddef.h>
#include "@PREFIX@.h"

static void print(const void *data, size_t count)
{
    const uint32_t *words = data;
    for (size_t i = 0; i < count; i++)
        printf(" %08x", words[i]);
    printf("\n");
}

int main(void)
{
    static struct XenosDevice device;
    static @PREFIX@_program stored;
    @PREFIX@_program *program = &stored;
    static struct XenosSurface surfaces[32];
    (void)surfaces;
    memset(device.constants, 0xAA, sizeof device.constants);
    @PREFIX@_init(program, &device@FORMAT@);
    @BEFORE@
    @PREFIX@_bind(program);
    @CALLS@
    @PREFIX@_update(program);
    print(device.constants, 2048);
    for (int type = 0; type < 2; type++)
        if (device.shaders[type])
            printf("%d %p\n", type, device.shaders[type]->file ? (void *)(uintptr_t)1 : (void *)0);
    for (int unit = 0; unit < 32; unit++)
        if (device.textures[unit])
            printf(" %d:%d:%u", unit, (int)(device.textures[unit] - surfaces), device.uploaded >> unit & 1);
    printf("\n");
    @VERTEX@
}
