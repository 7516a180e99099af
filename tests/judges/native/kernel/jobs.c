/* The driver's ioctl calls for a program that is linked with this: the kernel's own code checks programs, control lists,
 * records and streams, and writes the renderer's list.
 *
 * Link with --wrap=ioctl --wrap=mmap --wrap=munmap. A submission writes the memory that the chip would read to the file
 * that the environment names with VC4_IMAGE, in which a %u is its number: the two lists (first byte and end of each), then
 * regions, each an address, a size, and its bytes. What it would draw is then read from the file of VC4_PICTURE, if there
 * is one. */

#include <stdarg.h>

#include "vc4_drv.h"
#include "vc4_validate_shaders.c"
#include "vc4_validate.c"
#include "vc4_render_cl.c"
/* vc4_get_bcl of vc4_gem.c. */
#include "vc4_get_bcl.c"

enum { MOST = 1024, BIN_BYTES = 512 * 1024 };

static struct vc4_bo *buffers[MOST];
static int is_closed[MOST];
static uint32_t count;
static struct vc4_dev device;

/* Buffers of programs have handles from 1; those of the driver are in the same list, so that they are written, too. */
struct vc4_bo *vc4_bo_create(struct drm_device *unused, size_t size, bool zeroed, int type)
{
	static uint32_t next = 0x01000000;
	struct vc4_bo *bo = calloc(1, sizeof(*bo));

	if (count + 1 >= MOST)
		abort();
	bo->base.base.dev = &device;
	bo->base.base.size = roundup(size, 4096);
	bo->base.vaddr = calloc(1, bo->base.base.size);
	bo->base.dma_addr = next;
	next += bo->base.base.size;
	buffers[++count] = bo;
	return bo;
}

int vc4_v3d_get_bin_slot(struct vc4_dev *device)
{
	return 0;
}

int vc4_v3d_bin_bo_get(struct vc4_dev *device, bool *used)
{
	*used = true;
	return 0;
}

int vc4_wait_for_seqno(struct drm_device *device, uint64_t sequence, uint64_t timeout, bool interruptible)
{
	return 0;
}

static void put32(FILE *file, uint32_t word)
{
	fwrite(&word, sizeof(word), 1, file);
}

/* The file that the environment names for a submission, or NULL. */
static FILE *open_numbered(const char *variable, uint32_t number, const char *mode)
{
	const char *name = getenv(variable);
	char path[4096];

	if (!name)
		return NULL;
	snprintf(path, sizeof(path), name, number);
	return fopen(path, mode);
}

static void read_picture(const struct vc4_exec_info *exec, uint32_t number)
{
	FILE *file = open_numbered("VC4_PICTURE", number, "rb");
	const struct drm_gem_dma_object *pixels = exec->bo[exec->args->color_write.hindex];

	if (!file)
		return;
	if (fread(pixels->vaddr, 1, pixels->base.size, file) == 0)
		abort();
	fclose(file);
}

static void write_image(const struct vc4_exec_info *exec, uint32_t number)
{
	FILE *file = open_numbered("VC4_IMAGE", number, "wb");

	if (!file)
		return;
	put32(file, exec->ct0ca);
	put32(file, exec->ct0ea);
	put32(file, exec->ct1ca);
	put32(file, exec->ct1ea);
	for (uint32_t i = 1; i <= count; i++) {
		put32(file, buffers[i]->base.dma_addr);
		put32(file, buffers[i]->base.base.size);
		fwrite(buffers[i]->base.vaddr, buffers[i]->base.base.size, 1, file);
	}
	fclose(file);
}

static int look_up(struct vc4_exec_info *exec)
{
	const uint32_t *handles = u64_to_user_ptr(exec->args->bo_handles);

	exec->bo_count = exec->args->bo_handle_count;
	exec->bo = calloc(exec->bo_count + 1, sizeof(*exec->bo));
	for (uint32_t i = 0; i < exec->bo_count; i++) {
		if (handles[i] == 0 || handles[i] > count || is_closed[handles[i]]) {
			DRM_DEBUG("no buffer has the handle %u\n", handles[i]);
			return -EINVAL;
		}
		exec->bo[i] = &buffers[handles[i]]->base;
	}
	return exec->bo_count ? 0 : -EINVAL;
}

static int submit(struct drm_vc4_submit_cl *call)
{
	static uint32_t number;
	struct vc4_exec_info *exec = calloc(1, sizeof(*exec));
	int error;

	exec->dev = &device;
	exec->args = call;
	if (!device.bin_bo) {
		device.bin_alloc_size = BIN_BYTES;
		device.bin_bo = vc4_bo_create(&device, BIN_BYTES, true, VC4_BO_TYPE_BCL);
	}
	if (call->flags & ~15u || call->pad2)
		return -EINVAL;
	error = look_up(exec);
	if (!error)
		error = vc4_get_bcl(&device, exec);
	if (!error)
		error = vc4_get_rcl(&device, exec);
	if (!error) {
		call->seqno = 1;
		write_image(exec, number);
		read_picture(exec, number++);
	}
	return error;
}

static int create_shader(struct drm_vc4_create_shader_bo *made)
{
	struct vc4_bo *bo;

	if (made->size == 0 || made->size % 8 || made->flags || made->pad)
		return -EINVAL;
	bo = vc4_bo_create(&device, made->size, true, VC4_BO_TYPE_BCL);
	memcpy(bo->base.vaddr, u64_to_user_ptr(made->data), made->size);
	bo->validated_shader = vc4_validate_shader(&bo->base);
	made->handle = count;
	return bo->validated_shader ? 0 : -EINVAL;
}

static int create(struct drm_vc4_create_bo *made)
{
	if (made->flags || made->pad)
		return -EINVAL;
	made->size = vc4_bo_create(&device, made->size, true, VC4_BO_TYPE_BCL)->base.base.size;
	made->handle = count;
	return 0;
}

static int call(unsigned long request, void *argument)
{
	switch (request) {
	case DRM_IOCTL_VC4_CREATE_BO:
		return create(argument);
	case DRM_IOCTL_VC4_CREATE_SHADER_BO:
		return create_shader(argument);
	case DRM_IOCTL_VC4_MMAP_BO: {
		struct drm_vc4_mmap_bo *mapped = argument;

		mapped->offset = (uint64_t)mapped->handle << 12;
		return mapped->handle && mapped->handle <= count ? 0 : -EINVAL;
	}
	case DRM_IOCTL_VC4_SUBMIT_CL:
		return submit(argument);
	case DRM_IOCTL_VC4_WAIT_SEQNO:
		return ((struct drm_vc4_wait_seqno *)argument)->seqno <= 1 ? 0 : -ETIME;
	case DRM_IOCTL_GEM_CLOSE: {
		uint32_t handle = ((struct drm_gem_close *)argument)->handle;

		if (handle == 0 || handle > count || is_closed[handle])
			return -EINVAL;
		is_closed[handle] = 1;
		return 0;
	}
	default:
		return -ENOTTY;
	}
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	int error;

	va_start(arguments, request);
	error = call(request, va_arg(arguments, void *));
	va_end(arguments);
	errno = -error;
	return error ? -1 : 0;
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd, int64_t offset)
{
	return buffers[offset >> 12]->base.vaddr;
}

int __wrap_munmap(void *address, size_t size)
{
	return 0;
}
