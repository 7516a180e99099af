/* The console under citro3d and the GPU part of libctru, whose own sources are built with this: memory that has its
   addresses for the GPU, frames that are over at once, and a file `gpu` of what the GPU is handed. */
#include <3ds.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MEMORY = 8 << 20, FIRST = 0x20000000, FRAMES = 3 };

static u32 used;

/* Kind, size and data. */
static void hand_over(u32 kind, u32 size, const void *data)
{
    static FILE *file;
    if (!file)
        file = fopen("gpu", "wb");
    fwrite(&kind, 4, 1, file);
    fwrite(&size, 4, 1, file);
    fwrite(data, 1, size, file);
    fflush(file);
}

void *linearAlloc(size_t size)
{
    if (!used)
        mmap((void *)FIRST, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    void *found = (u8 *)FIRST + used;
    used += (size + 127) & ~127;
    return used <= MEMORY ? found : NULL;
}
void linearFree(void *memory) {}
void *vramAlloc(size_t size) { return linearAlloc(size); }
void *vramAllocAt(size_t size, vramAllocPos place) { return linearAlloc(size); }
void vramFree(void *memory) {}
u32 osConvertVirtToPhys(const void *address) { return (u32)address; }
u32 __ctru_linear_heap, __ctru_linear_heap_size;
Result GSPGPU_FlushDataCache(const void *address, u32 size) { return 0; }

Result GX_ProcessCommandList(u32 *list, u32 size, u8 flags)
{
    hand_over('L', size, list);
    hand_over('M', used, (void *)FIRST);
    return 0;
}
Result GX_MemoryFill(u32 *first, u32 value, u32 *end, u16 control, u32 *first2, u32 value2, u32 *end2, u16 control2)
{
    hand_over('F', 4, &value);
    return 0;
}
Result GX_DisplayTransfer(u32 *from, u32 size, u32 *to, u32 size2, u32 flags) { return 0; }
Result GX_TextureCopy(u32 *from, u32 size, u32 *to, u32 size2, u32 bytes, u32 flags) { return 0; }
void GX_BindQueue(gxCmdQueue_s *queue) {}
void gxCmdQueueClear(gxCmdQueue_s *queue) {}
void gxCmdQueueRun(gxCmdQueue_s *queue) {}
void gxCmdQueueStop(gxCmdQueue_s *queue) {}
bool gxCmdQueueWait(gxCmdQueue_s *queue, s64 time) { return true; }

/* Whoever waits for an event gets all of them. */
static ThreadFunc handlers[8];
void gspSetEventCallback(GSPGPU_Event event, ThreadFunc handler, void *data, bool once) { handlers[event] = handler; }
GSPGPU_Event gspWaitForAnyEvent(void)
{
    for (int n = 0; n < 8; n++)
        if (handlers[n])
            handlers[n](NULL);
    return 0;
}
void gspWaitForEvent(GSPGPU_Event event, bool is_next) {}

void gfxInitDefault(void) {}
void gfxExit(void) {}
u8 *gfxGetFramebuffer(gfxScreen_t screen, gfx3dSide_t side, u16 *width, u16 *height) { return NULL; }
void gfxScreenSwapBuffers(gfxScreen_t screen, bool is_stereo) {}
void aptHook(aptHookCookie *cookie, aptHookFn function, void *data) {}
void aptUnhook(aptHookCookie *cookie) {}
bool aptMainLoop(void)
{
    static int frames;
    return frames++ < FRAMES;
}
void hidScanInput(void) {}
u32 hidKeysDown(void) { return 0; }
double osTickCounterRead(const TickCounter *counter) { return 0; }
u64 svcGetSystemTick(void) { return 0; }
void svcBreak(UserBreakType reason) { abort(); }
