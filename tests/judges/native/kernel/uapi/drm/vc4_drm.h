/* The kernel's header, which is fetched. */
#include <vc4_drm.h>
