/* A program's words in, its text out; the argument is "vertex" or "fragment". */

#include "disasm-a2xx.c"

#define LIMIT (1 << 20)

static uint32_t words[LIMIT];

int main(int count, char **arguments)
{
	int stage = count > 1 && !strcmp(arguments[1], "vertex") ? MESA_SHADER_VERTEX : MESA_SHADER_FRAGMENT;

	disasm_a2xx(words, (int)fread(words, sizeof(*words), LIMIT, stdin), 0, stage);
	return 0;
}
