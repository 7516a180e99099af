/* Mesa's macros that the files of the QPU use. */

#ifndef JUDGES_MACROS_H
#define JUDGES_MACROS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define ARRAY_SIZE(array) ((int)(sizeof(array) / sizeof(*(array))))
#define ATTRIBUTE_CONST
#define unreachable(why) abort()
#define MAX2(a, b) ((a) > (b) ? (a) : (b))

#endif
