#include <xenos/xe.h>
static inline void edram_init(struct XenosDevice *xe) { (void)xe; }
