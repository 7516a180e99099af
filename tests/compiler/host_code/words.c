/* A machine whose registers are arrays of words: sets uniforms, and prints what is where. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct lit_program lit_program;
@TYPES@

struct lit_program {
    @STATE@
    @SPACES@
};

@PROTOTYPES@

static inline uint32_t bits(float number)
{
    uint32_t word;
    memcpy(&word, &number, 4);
    return word;
}

static inline void print(const void *words)
{
    for (int i = 0; i < 4096; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, 4);
        printf("%08x ", (unsigned)word);
    }
}

@FUNCTIONS@

int main(void)
{
    /* Of its own, so that a sanitizer sees what is written beside it. */
    lit_program *program = calloc(1, sizeof *program);
    lit_set_defaults(program);
    lit_put_all(program);
    @CALLS@
    lit_compute(program);
    printf("%d\n", lit_compute(program));
    @PRINTS@
    free(program);
    return 0;
}
