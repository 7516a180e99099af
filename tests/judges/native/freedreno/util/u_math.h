/* The words of instructions need nothing of Mesa's mathematics. */

#include <assert.h>
#include <stdint.h>
