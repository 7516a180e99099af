/* @PREFIX@: @STAGES@ for the Xbox 360 with libxenon, made by glslc-multi */
#ifndef @GUARD@
#define @GUARD@

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <xenos/xe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of all uniforms, as OpenGL takes them: matrices by columns. */
@TYPES@

@VERTEX@
typedef struct @PREFIX@_program {
    struct XenosDevice *xe;
    @MEMBERS@
    @STATE@
} @PREFIX@_program;

/* Loads the shaders. Uniforms have the values of their initializers, or 0. */
@INIT_COMMENT@
void @PREFIX@_init(@PREFIX@_program *program, struct XenosDevice *xe@FORMAT_ARGUMENT@);

/* Makes this the program that draws: shaders, all uniforms and textures. Call it after another program has drawn. */
void @PREFIX@_bind(@PREFIX@_program *program);

/* Before drawing: what -fpreamble computes of uniforms that have changed. */
void @PREFIX@_update(@PREFIX@_program *program);

/* Uniforms and textures of the bound program. */
@PROTOTYPES@
@TEXTURE_PROTOTYPES@

#ifdef __cplusplus
}
#endif

#endif
