/* A machine whose registers are arrays of words: sets uniforms, and prints what is where. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
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

static inline void print(uint32_t words[1024][4])
{
    for (int i = 0; i < 4096; i++)
        printf("%08x ", (unsigned)words[i / 4][i % 4]);
}

@FUNCTIONS@

static lit_program lit;

int main(void)
{
    lit_program *program = &lit;
    lit_set_defaults(program);
    lit_put_all(program);
    @CALLS@
    lit_compute(program);
    printf("%d\n", lit_compute(program));
    @PRINTS@
    return 0;
}
