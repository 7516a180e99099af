/* What the kernel's validators need of the kernel, for a program of this computer. */
#ifndef VC4_DRV_H
#define VC4_DRV_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define GFP_KERNEL 0
#define kcalloc(count, size, flags) calloc(count, size)
#define krealloc(old, size, flags) realloc(old, size)
#define krealloc_array(old, count, size, flags) realloc(old, (count) * (size))
#define kvmalloc_array(count, size, flags) calloc(count, size)
#define kfree free
#define kvfree free

#define WARN_ON(condition) (condition)
#define WARN_ON_ONCE WARN_ON
#define BUG_ON(condition) ((condition) ? abort() : (void)0)
#define DRM_DEBUG(...) fprintf(stderr, __VA_ARGS__)
#define DRM_INFO DRM_DEBUG
#define DRM_ERROR DRM_DEBUG
#define max(a, b) ((a) > (b) ? (a) : (b))
#define roundup(value, multiple) (((value) + (multiple) - 1) / (multiple) * (multiple))
#define round_up roundup
#define DIV_ROUND_UP(value, divisor) (((value) + (divisor) - 1) / (divisor))
#define ARRAY_SIZE(array) (sizeof(array) / sizeof(*(array)))
#define ERESTARTSYS 512
#define IS_ERR(pointer) (!(pointer))
#define PTR_ERR(pointer) (-ENOMEM)

#ifndef BIT
#define BIT(number) (1u << (number))
#endif
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

#define u64_to_user_ptr(address) ((void *)(uintptr_t)(address))

static inline unsigned long copy_from_user(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return 0;
}

/* Of the driver's own structures, the members that the validators use. */

struct vc4_bo;

struct vc4_dev {
	bool is_vc5;
	struct vc4_bo *bin_bo;
	uint32_t bin_alloc_size;
};

#define drm_device vc4_dev
#define to_vc4_dev(device) (device)

struct drm_gem_object {
	struct vc4_dev *dev;
	size_t size;
};

struct drm_gem_dma_object {
	struct drm_gem_object base;
	void *vaddr;
	uint32_t dma_addr;
};

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

struct list_head {
	int unused;
};

#define list_add_tail(item, list) ((void)(item), (void)(list))

struct vc4_bo {
	struct drm_gem_dma_object base;
	uint64_t write_seqno;
	struct list_head unref_head;
	struct vc4_validated_shader_info *validated_shader;
};

#define to_vc4_bo(object) ((struct vc4_bo *)(object))

struct vc4_shader_state {
	uint32_t addr, max_index;
};

struct vc4_exec_info {
	struct vc4_dev *dev;
	struct drm_vc4_submit_cl *args;
	struct drm_gem_dma_object **bo, *rcl_write_bo[4], *exec_bo;
	uint32_t bo_count, rcl_write_bo_count, bo_index[2];
	struct list_head unref_list;
	struct vc4_shader_state *shader_state;
	uint32_t shader_state_size, shader_state_count;
	bool found_tile_binning_mode_config_packet, found_start_tile_binning_packet;
	bool found_increment_semaphore_packet, found_flush, bin_bo_used;
	uint8_t bin_tiles_x, bin_tiles_y;
	uint32_t tile_alloc_offset, bin_slots, ct0ca, ct0ea, ct1ca, ct1ea;
	uint64_t bin_dep_seqno;
	void *bin_u, *shader_rec_u, *shader_rec_v, *uniforms_u, *uniforms_v;
	uint32_t shader_rec_p, shader_rec_size, uniforms_p, uniforms_size;
};

enum { VC4_BO_TYPE_BCL, VC4_BO_TYPE_RCL };

struct vc4_bo *vc4_bo_create(struct drm_device *device, size_t size, bool zeroed, int type);
int vc4_v3d_get_bin_slot(struct vc4_dev *device);
int vc4_v3d_bin_bo_get(struct vc4_dev *device, bool *used);
int vc4_wait_for_seqno(struct drm_device *device, uint64_t sequence, uint64_t timeout, bool interruptible);
int vc4_validate_bin_cl(struct drm_device *device, void *validated, void *unvalidated, struct vc4_exec_info *exec);
int vc4_validate_shader_recs(struct drm_device *device, struct vc4_exec_info *exec);

#endif
