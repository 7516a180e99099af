/* @PREFIX@: @STAGES@ for the Xbox 360 with libxenon, made by glslc-multi */
#include "@PREFIX@.h"

/* libxenon reads the files where they are, as words, and takes them for its own. */
@CODE@

@FORMAT@
@FUNCTIONS@
@TEXTURE_FUNCTIONS@
void @PREFIX@_init(@PREFIX@_program *program, struct XenosDevice *xe@FORMAT_ARGUMENT@)
{
    memset(program, 0, sizeof *program);
    program->xe = xe;
    @LOADING@
    @PREFIX@_set_defaults(program);
}

void @PREFIX@_bind(@PREFIX@_program *program)
{
    @BINDING@
    @PREFIX@_put_all(program);
    @PREFIX@_compute(program);
}

void @PREFIX@_update(@PREFIX@_program *program)
{
    @PREFIX@_compute(program);
}
