/* An Xbox 360 with libxenon. */
#ifndef MACHINE_H
#define MACHINE_H

#include <string.h>
#include <xenos/xe.h>

#include "self_test.h"

/* A column is two triangles. */
enum { SELF_TEST_CORNERS = 6 };

typedef struct self_test_machine {
    struct XenosDevice device;
    struct XenosSurface *target;
    /* One picture, with either filter. */
    struct XenosSurface *nearest, *linear;
    struct XenosVertexBuffer *vertices;
} self_test_machine;

#endif
