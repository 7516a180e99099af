/* What the disassembler is asked for. */

#include <stdint.h>

enum debug_t {
	PRINT_RAW = 1,
};

typedef enum {
	MESA_SHADER_VERTEX,
	MESA_SHADER_FRAGMENT,
} gl_shader_stage;

int disasm_a2xx(uint32_t *dwords, int sizedwords, int level, gl_shader_stage type);
void disasm_a2xx_set_debug(enum debug_t debug);
