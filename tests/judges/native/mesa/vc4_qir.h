/* Of the driver's compiler, what the writer of words touches; nothing here calls it. */

#include "util/u_math.h"

struct vc4_compile {
	uint64_t *qpu_insts;
	uint32_t qpu_inst_count, qpu_inst_size;
};
