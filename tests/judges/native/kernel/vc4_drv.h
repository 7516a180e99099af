/* What the kernel's shader validator needs of the kernel, for a program of this computer. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t u32;

#define GFP_KERNEL 0
#define kcalloc(count, size, flags) calloc(count, size)
#define krealloc(old, size, flags) realloc(old, size)
#define krealloc_array(old, count, size, flags) realloc(old, (count) * (size))
#define kfree free

#define WARN_ON_ONCE(condition) (condition)
#define DRM_DEBUG(...) fprintf(stderr, __VA_ARGS__)
#define max(a, b) ((a) > (b) ? (a) : (b))

#define BITS_PER_LONG (8 * sizeof(long))
#define BITS_TO_LONGS(count) (((count) + BITS_PER_LONG - 1) / BITS_PER_LONG)

static inline void set_bit(unsigned number, unsigned long *bits)
{
	bits[number / BITS_PER_LONG] |= 1UL << number % BITS_PER_LONG;
}

static inline bool test_bit(unsigned number, const unsigned long *bits)
{
	return bits[number / BITS_PER_LONG] >> number % BITS_PER_LONG & 1;
}

/* Of the driver's own structures, the members that the validator uses. */

struct vc4_dev {
	bool is_vc5;
};

struct drm_gem_object {
	struct vc4_dev *dev;
	size_t size;
};

struct drm_gem_dma_object {
	struct drm_gem_object base;
	void *vaddr;
};

#define to_vc4_dev(device) (device)

struct vc4_texture_sample_info {
	bool is_direct;
	uint32_t p_offset[4];
};

struct vc4_validated_shader_info {
	uint32_t uniforms_size, uniforms_src_size;
	uint32_t num_texture_samples;
	struct vc4_texture_sample_info *texture_samples;
	uint32_t num_uniform_addr_offsets;
	uint32_t *uniform_addr_offsets;
	bool is_threaded;
};
