/* @PREFIX@: @STAGES@ for the Nintendo 3DS with libctru and citro3d, made by glslc-multi.

   @PREFIX@_init            once, before anything else; @PREFIX@_free at the end
   @PREFIX@_bind            within a frame, when another program was in use: makes this one draw, with all its uniforms
   @PREFIX@_set_...         a uniform by its name in GLSL, while this program is bound
   @PREFIX@_update          before each drawing call: what is computed of uniforms */
#ifndef @GUARD@
#define @GUARD@

#include <3ds.h>
#include <citro3d.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

@UNITS@

typedef struct @PREFIX@_program @PREFIX@_program;

@TYPES@

struct @PREFIX@_program {
    @STATE@
};

/* Whether there was memory for everything. */
bool @PREFIX@_init(@PREFIX@_program *program);
void @PREFIX@_free(@PREFIX@_program *program);
void @PREFIX@_bind(@PREFIX@_program *program);
void @PREFIX@_update(@PREFIX@_program *program);
@VERTICES@

/* A matrix of citro3d as setters take it: by columns. */
static inline void @PREFIX@_columns(const C3D_Mtx *matrix, float value[16])
{
    for (int n = 0; n < 16; n++)
        value[n] = matrix->r[n % 4].c[3 - n / 4];
}

@PROTOTYPES@

#ifdef __cplusplus
}
#endif

#endif /* @GUARD@ */
