/* What whole programs call of libctru and citro3d beside library.h: the console, memory, frames, matrices.  Declarations
   follow the libraries' documentation; a program sees as many frames as STUB_FRAMES in the environment says. */
#include <math.h>

/* The console. */
enum { GFX_TOP, GFX_BOTTOM };
enum { GFX_LEFT, GFX_RIGHT };
enum { KEY_START = 1 << 3 };
static inline void gfxInitDefault(void) {}
static inline void gfxExit(void) {}
static inline void consoleInit(int screen, void *console) { (void)screen, (void)console; }
static inline void gspWaitForVBlank(void) {}
static inline void hidScanInput(void) {}
static inline u32 hidKeysDown(void) { return 0; }
static inline bool aptMainLoop(void)
{
    static int frames;
    const char *wanted = getenv("STUB_FRAMES");
    return frames++ < (wanted ? atoi(wanted) : 1);
}
static inline void *linearAlloc(size_t size) { return malloc(size); }
static inline void linearFree(void *memory) { free(memory); }

/* Transfers to the screen. */
enum { GX_TRANSFER_FMT_RGBA8, GX_TRANSFER_FMT_RGB8 };
enum { GX_TRANSFER_SCALE_NO };
#define GX_TRANSFER_FLIP_VERT(x) ((x) << 0)
#define GX_TRANSFER_OUT_TILED(x) ((x) << 1)
#define GX_TRANSFER_RAW_COPY(x) ((x) << 3)
#define GX_TRANSFER_IN_FORMAT(x) ((x) << 8)
#define GX_TRANSFER_OUT_FORMAT(x) ((x) << 12)
#define GX_TRANSFER_SCALING(x) ((x) << 24)

/* Frames. */
typedef struct { int width, height; struct { void *colorBuf; } frameBuf; } C3D_RenderTarget;
enum { C3D_DEFAULT_CMDBUF_SIZE = 0x40000, C3D_FRAME_SYNCDRAW = 1, C3D_CLEAR_ALL = 3 };
enum { GPU_RB_RGBA8 = 0, GPU_RB_DEPTH24_STENCIL8 = 3 };
static inline bool C3D_Init(size_t size) { return size != 0; }
static inline void C3D_Fini(void) {}
static inline C3D_RenderTarget *C3D_RenderTargetCreate(int width, int height, int colour, int depth)
{
    static C3D_RenderTarget target;
    (void)colour, (void)depth;
    target.width = width;
    target.height = height;
    return &target;
}
static inline void C3D_RenderTargetSetOutput(C3D_RenderTarget *target, int screen, int side, u32 flags)
{
    (void)target, (void)screen, (void)side, (void)flags;
}
static inline bool C3D_FrameBegin(u8 flags) { (void)flags; printf("[\"C3D_FrameBegin\"]\n"); return true; }
static inline void C3D_RenderTargetClear(C3D_RenderTarget *target, int bits, u32 colour, u32 depth)
{
    (void)target;
    printf("[\"clear\", %d, %lu, %lu]\n", bits, (unsigned long)colour, (unsigned long)depth);
}
static inline bool C3D_FrameDrawOn(C3D_RenderTarget *target)
{
    printf("[\"target\", %d, %d]\n", target->width, target->height);
    return true;
}
static inline void C3D_FrameEnd(u8 flags) { (void)flags; }
/* What was drawn, as the file says that STUB_PICTURES in the environment names: one picture after another. */
#define GX_BUFFER_DIM(width, height) ((u32)(height) << 16 | (u32)(width))
static inline void GSPGPU_InvalidateDataCache(void *memory, u32 size) { (void)memory, (void)size; }
static inline void C3D_SyncDisplayTransfer(u32 *from, u32 size, u32 *to, u32 new_size, u32 flags)
{
    static FILE *pictures;
    const char *name = getenv("STUB_PICTURES");
    const size_t pixels = (size_t)(new_size >> 16) * (new_size & 0xFFFF);
    (void)from, (void)flags;
    if (size != new_size)
        abort();
    memset(to, 0, pixels * sizeof *to);
    if (name && !pictures)
        pictures = fopen(name, "rb");
    if (pictures && fread(to, sizeof *to, pixels, pictures) != pixels)
        abort();
}
static inline void C3D_TexDelete(C3D_Tex *image) { free(image->data); }

/* Matrices, by rows; a vector has its w first.  The last argument of functions that change one says that the change is
   multiplied from the right. */
typedef union { __extension__ struct { float w, z, y, x; }; float c[4]; } C3D_FVec;
typedef union { C3D_FVec r[4]; float m[16]; } C3D_Mtx;
#define C3D_AspectRatioTop (400.0f / 240.0f)
#define C3D_AngleFromDegrees(angle) ((angle) * 6.28318530717958647692f / 360.0f)

static inline float *stub_at(C3D_Mtx *matrix, int row, int column) { return &matrix->r[row].c[3 - column]; }
static inline void Mtx_Identity(C3D_Mtx *matrix)
{
    for (int n = 0; n < 16; n++)
        *stub_at(matrix, n / 4, n % 4) = n / 4 == n % 4;
}
static inline void stub_times(C3D_Mtx *left, C3D_Mtx *right, bool from_right)
{
    C3D_Mtx product, *first = from_right ? left : right, *second = from_right ? right : left;
    for (int n = 0; n < 16; n++) {
        float sum = 0.0f;
        for (int k = 0; k < 4; k++)
            sum += *stub_at(first, n / 4, k) * *stub_at(second, k, n % 4);
        *stub_at(&product, n / 4, n % 4) = sum;
    }
    *left = product;
}
static inline void Mtx_Translate(C3D_Mtx *matrix, float x, float y, float z, bool from_right)
{
    C3D_Mtx way;
    Mtx_Identity(&way);
    *stub_at(&way, 0, 3) = x;
    *stub_at(&way, 1, 3) = y;
    *stub_at(&way, 2, 3) = z;
    stub_times(matrix, &way, from_right);
}
/* From one axis towards another. */
static inline void stub_rotate(C3D_Mtx *matrix, int from, int to, float angle, bool from_right)
{
    C3D_Mtx turn;
    Mtx_Identity(&turn);
    *stub_at(&turn, from, from) = *stub_at(&turn, to, to) = cosf(angle);
    *stub_at(&turn, to, from) = sinf(angle);
    *stub_at(&turn, from, to) = -sinf(angle);
    stub_times(matrix, &turn, from_right);
}
static inline void Mtx_RotateX(C3D_Mtx *matrix, float angle, bool from_right) { stub_rotate(matrix, 1, 2, angle, from_right); }
static inline void Mtx_RotateY(C3D_Mtx *matrix, float angle, bool from_right) { stub_rotate(matrix, 2, 0, angle, from_right); }
/* For a screen that stands on its side: what is up is to the right.  Depth is -1 at `near` and 0 at `far`. */
static inline void Mtx_PerspTilt(C3D_Mtx *matrix, float fov, float aspect, float near, float far, bool is_left_handed)
{
    const float scale = 1.0f / tanf(fov / 2.0f), ahead = is_left_handed ? 1.0f : -1.0f;
    memset(matrix, 0, sizeof *matrix);
    *stub_at(matrix, 0, 1) = scale;
    *stub_at(matrix, 1, 0) = -scale / aspect;
    *stub_at(matrix, 2, 2) = ahead * near / (far - near);
    *stub_at(matrix, 2, 3) = far * near / (near - far);
    *stub_at(matrix, 3, 2) = ahead;
}
