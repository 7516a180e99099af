/* A program's words in; on the error output, as everything of these files, the text of each word, then, after a line
 * "rules", what the validator complains of; it ends the process at the first complaint. */

#include "vc4_qpu.c"
#include "vc4_qpu_disasm.c"
#include "vc4_qpu_validate.c"

#define LIMIT (1 << 20)

/* The validator looks at words before and after the one that it judges. */
static uint64_t words[4 + LIMIT + 4];

int main(void)
{
	uint64_t *program = words + 4;
	size_t count = fread(program, sizeof(*program), LIMIT, stdin);

	for (size_t i = 0; i < count; i++) {
		vc4_qpu_disasm(program + i, 1);
		fprintf(stderr, "\n");
	}
	fprintf(stderr, "rules\n");
	vc4_qpu_validate(program, count);
	return 0;
}
