/* Floats as words, and words as floats. */

#ifndef JUDGES_U_MATH_H
#define JUDGES_U_MATH_H

#include <string.h>

#include "util/macros.h"

static inline float uif(uint32_t word)
{
	float number;

	memcpy(&number, &word, sizeof(number));
	return number;
}

static inline uint32_t fui(float number)
{
	uint32_t word;

	memcpy(&word, &number, sizeof(word));
	return word;
}

#endif
