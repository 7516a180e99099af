/* The same for all machines: draws each program, compares with what the simulator computed, and says what differs.
 *
 * Cases are columns of a picture, as high as it is: a picture that is upside down is no other. */
#ifndef SELF_TEST_H
#define SELF_TEST_H

#include <stdint.h>

enum { SELF_TEST_WIDTH = 128, SELF_TEST_HEIGHT = 64, SELF_TEST_COLUMN = 8, SELF_TEST_CASES = 16, SELF_TEST_SIDE = 8 };

typedef struct self_test_case {
    /* The array of uniforms u_in, as the bits of floats. */
    uint32_t inputs[16];
    /* Red first. */
    uint8_t expected[4];
} self_test_case;

/* What a program is drawn to; machine.h says what it is. */
struct self_test_machine;

typedef struct self_test_program {
    const char *name;
    /* 1: three bytes of a number, the highest first, and its sign; 0: a colour. */
    int is_number;
    /* The largest difference of the number, or of each channel. */
    uint32_t tolerance;
    uint32_t count;
    const self_test_case *cases;
    /* Draws all cases: 0, or a number of the machine's that says what failed. */
    int (*draw)(struct self_test_machine *machine, const struct self_test_program *program);
} self_test_program;

/* What came of a program: an error, or the largest difference, how many cases differ, and what was found. */
typedef struct self_test_result {
    int error;
    uint32_t largest, wrong;
    uint8_t found[SELF_TEST_CASES][4];
} self_test_result;

/* Generated. */
extern const char *const self_test_title;
extern const self_test_program self_test_programs[];
extern self_test_result self_test_results[];
extern const uint32_t self_test_count;
/* Rows of texels, the lowest first, red first. */
extern const uint8_t self_test_texels[SELF_TEST_SIDE][SELF_TEST_SIDE][4];

/* The machine's: write text; begin a picture; complete it, and copy a row of it (red first) to memory. */
void self_test_put(const char *text);
int self_test_begin(struct self_test_machine *machine);
int self_test_end(struct self_test_machine *machine, uint8_t row[SELF_TEST_WIDTH][4]);

/* Run all programs: how many do not agree with the simulator. */
uint32_t self_test_run(struct self_test_machine *machine);

#endif
