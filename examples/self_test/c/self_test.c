#include "self_test.h"

static void put_number(uint32_t number)
{
    char text[11];
    int at = sizeof text - 1;

    text[at] = 0;
    do
        text[--at] = (char)('0' + number % 10);
    while (number /= 10);
    self_test_put(text + at);
}

static void put_bytes(const uint8_t bytes[4])
{
    static const char digits[] = "0123456789abcdef";
    char text[9];

    for (int i = 0; i < 8; i++)
        text[i] = digits[bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
    text[8] = 0;
    self_test_put(text);
}

static uint32_t distance(uint32_t first, uint32_t second)
{
    return first > second ? first - second : second - first;
}

static uint32_t number_of(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
}

/* How far a case is from what is expected; another sign is as far as can be. */
static uint32_t difference(const self_test_program *program, const uint8_t expected[4], const uint8_t found[4])
{
    uint32_t largest = 0;

    if (program->is_number)
        return distance(expected[3], found[3]) > 1 ? 0xffffff : distance(number_of(expected), number_of(found));
    for (int i = 0; i < 4; i++)
        if (distance(expected[i], found[i]) > largest)
            largest = distance(expected[i], found[i]);
    return largest;
}

static void run(struct self_test_machine *machine, const self_test_program *program, self_test_result *made)
{
    uint8_t row[SELF_TEST_WIDTH][4];

    made->largest = made->wrong = 0;
    made->error = self_test_begin(machine);
    if (!made->error) {
        /* Completed even if a draw fails, so that the next picture can begin. */
        int drawing = program->draw(machine, program), ending = self_test_end(machine, row);

        made->error = drawing ? drawing : ending;
    }
    if (made->error)
        return;
    for (uint32_t n = 0; n < program->count; n++) {
        uint32_t apart;

        for (int i = 0; i < 4; i++)
            made->found[n][i] = row[n * SELF_TEST_COLUMN + SELF_TEST_COLUMN / 2][i];
        apart = difference(program, program->cases[n].expected, made->found[n]);
        made->wrong += apart > program->tolerance;
        if (apart > made->largest)
            made->largest = apart;
    }
}

static void put_verdict(const self_test_program *program, const self_test_result *made)
{
    self_test_put(program->name);
    if (made->error) {
        self_test_put(": ERROR ");
        put_number((uint32_t)(made->error < 0 ? -made->error : made->error));
    } else if (made->wrong) {
        self_test_put(": DIFFERS in ");
        put_number(made->wrong);
        self_test_put(" of ");
        put_number(program->count);
        self_test_put(" cases");
    } else
        self_test_put(": agrees");
    if (!made->error && program->tolerance) {
        self_test_put(", largest difference ");
        put_number(made->largest);
        self_test_put(" (allowed ");
        put_number(program->tolerance);
        self_test_put(")");
    }
    self_test_put("\n");
}

static void put_cases(const self_test_program *program, const self_test_result *made)
{
    for (uint32_t n = 0; n < program->count; n++) {
        if (difference(program, program->cases[n].expected, made->found[n]) <= program->tolerance)
            continue;
        self_test_put("    case ");
        put_number(n);
        self_test_put(": expected ");
        put_bytes(program->cases[n].expected);
        self_test_put(", found ");
        put_bytes(made->found[n]);
        self_test_put("\n");
    }
}

uint32_t self_test_run(struct self_test_machine *machine)
{
    uint32_t failed = 0;

    for (uint32_t n = 0; n < self_test_count; n++) {
        self_test_result *made = &self_test_results[n];

        run(machine, &self_test_programs[n], made);
        put_verdict(&self_test_programs[n], made);
        failed += made->error || made->wrong;
    }
    self_test_put("\n---- copy from here into a report ----\n");
    self_test_put(self_test_title);
    self_test_put("\n");
    put_number(self_test_count - failed);
    self_test_put(" of ");
    put_number(self_test_count);
    self_test_put(" programs agree\n");
    for (uint32_t n = 0; n < self_test_count; n++) {
        const self_test_result *made = &self_test_results[n];

        /* Approximations are told even where they are near enough. */
        if (made->error || made->largest)
            put_verdict(&self_test_programs[n], made);
        if (!made->error)
            put_cases(&self_test_programs[n], made);
    }
    self_test_put("---- to here ----\n");
    return failed;
}
