/* A Nintendo 3DS with libctru and citro3d. */
#ifndef MACHINE_H
#define MACHINE_H

#include <3ds.h>
#include <citro3d.h>

#include <stdio.h>
#include <string.h>

#include "self_test.h"

/* A column is two triangles. */
enum { SELF_TEST_CORNERS = 6 };

typedef struct self_test_machine {
    C3D_RenderTarget *target;
    /* One picture, with either filter. */
    C3D_Tex nearest, linear;
    float (*vertices)[2];
    /* What of the target is copied to memory that this processor sees. */
    u32 *pixels;
} self_test_machine;

#endif
