/* @PREFIX@: see @PREFIX@.h. */
#include "@PREFIX@.h"

@CODE@
@TABLES@
@FUNCTIONS@
bool @PREFIX@_init(@PREFIX@_program *program)
{
    memset(program, 0, sizeof *program);
    @LOADING@
    @PREFIX@_set_defaults(program);
    return true;
}

void @PREFIX@_free(@PREFIX@_program *program)
{
    @FREEING@
    memset(program, 0, sizeof *program);
}

void @PREFIX@_bind(@PREFIX@_program *program)
{
    @BINDING@
    @PREFIX@_put_all(program);
    @PREFIX@_update(program);
}

void @PREFIX@_update(@PREFIX@_program *program)
{
    @UPDATING@
}
@BUFFERS@
