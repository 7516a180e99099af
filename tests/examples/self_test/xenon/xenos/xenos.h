#define VIDEO_MODE_AUTO 0
static inline void xenos_init(int mode) { (void)mode; }
