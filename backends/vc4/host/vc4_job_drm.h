/* Jobs for the Linux kernel's driver of the VC4: what one ioctl draws.
 *
 * The kernel copies the binner's list, the records and the streams, checks them, and puts addresses into them: until then
 * there are numbers of buffers in front of them (VC4_PACKET_GEM_HANDLES in the list). It writes the renderer's list
 * itself. Functions return 0, or a negative error number of the system's. */
#ifndef GLSLC_MULTI_VC4_JOB_H
#define GLSLC_MULTI_VC4_JOB_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

/* Distributions have the header with their kernel's, or with libdrm. */
#if __has_include(<drm/vc4_drm.h>)
#include <drm/vc4_drm.h>
#else
#include <libdrm/vc4_drm.h>
#endif

#include "vc4_lists.h"

typedef struct vc4_device {
    /* An open /dev/dri/renderD128, or card0. */
    int fd;
} vc4_device;

enum { VC4_MOST_BUFFERS = 256 };

typedef struct vc4_job {
    vc4_device device;
    vc4_frame frame;
    vc4_list binner, records, uniforms;
    uint32_t record_count;
    uint32_t handles[VC4_MOST_BUFFERS], handle_count;
} vc4_job;

/* ---- Buffers --------------------------------------------------------------------------------------------------- */

static inline int vc4_ioctl(int fd, unsigned long request, void *argument)
{
    int result;

    do
        result = ioctl(fd, request, argument);
    while (result == -1 && (errno == EINTR || errno == EAGAIN));
    return result == -1 ? -errno : 0;
}

static inline int vc4_buffer_free(vc4_device *device, vc4_buffer *buffer)
{
    struct drm_gem_close closing = { .handle = buffer->place.buffer };

    if (buffer->memory)
        munmap(buffer->memory, buffer->bytes);
    memset(buffer, 0, sizeof(*buffer));
    return vc4_ioctl(device->fd, DRM_IOCTL_GEM_CLOSE, &closing);
}

/* Memory begins at a multiple of 4096. */
static inline int vc4_buffer_new(vc4_device *device, uint32_t bytes, vc4_buffer *buffer)
{
    struct drm_vc4_create_bo made = { .size = vc4_rounded(bytes, 4096) };
    int error = vc4_ioctl(device->fd, DRM_IOCTL_VC4_CREATE_BO, &made);

    memset(buffer, 0, sizeof(*buffer));
    if (error)
        return error;
    buffer->place.buffer = made.handle;
    buffer->bytes = made.size;

    struct drm_vc4_mmap_bo mapped = { .handle = made.handle };

    error = vc4_ioctl(device->fd, DRM_IOCTL_VC4_MMAP_BO, &mapped);
    if (!error) {
        buffer->memory = mmap(NULL, made.size, PROT_READ | PROT_WRITE, MAP_SHARED, device->fd, (off_t)mapped.offset);
        if (buffer->memory != MAP_FAILED)
            return 0;
        error = -errno;
        buffer->memory = NULL;
    }
    vc4_buffer_free(device, buffer);
    return error;
}

/* A program for the QPUs, which the kernel checks here. */
static inline int vc4_code_new(vc4_device *device, const uint64_t *code, uint32_t bytes, vc4_place *place)
{
    struct drm_vc4_create_shader_bo made = { .size = bytes, .data = (uintptr_t)code };
    int error = vc4_ioctl(device->fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &made);

    place->buffer = made.handle;
    place->offset = 0;
    return error;
}

static inline int vc4_code_free(vc4_device *device, vc4_place *place)
{
    struct drm_gem_close closing = { .handle = place->buffer };

    return vc4_ioctl(device->fd, DRM_IOCTL_GEM_CLOSE, &closing);
}

/* ---- Addresses are of buffers that the kernel puts in ----------------------------------------------------------- */

static inline uint32_t vc4_handle(vc4_job *job, vc4_place place)
{
    uint32_t number = 0;

    while (number < job->handle_count && job->handles[number] != place.buffer)
        number++;
    if (number == job->handle_count) {
        if (number < VC4_MOST_BUFFERS)
            job->handles[number] = place.buffer;
        job->handle_count++;
    }
    return number;
}

static inline uint32_t vc4_address(vc4_place place)
{
    return place.offset;
}

static inline void vc4_put_handle(vc4_list *list, uint32_t number)
{
    vc4_put32(list, number);
}

static inline uint32_t vc4_list_bus(const vc4_list *list)
{
    (void)list;
    return 0;
}

/* The kernel aligns records where it puts them. */
static inline void vc4_align_record(vc4_list *list)
{
    (void)list;
}

/* No packet of the chip's: the kernel's packet of two handles, of which it uses the first for indices. */
static inline void vc4_put_index_handle(vc4_job *job, vc4_place indices)
{
    vc4_put8(&job->binner, 254);
    vc4_put_handle(&job->binner, vc4_handle(job, indices));
    vc4_put_handle(&job->binner, 0);
}

#include "vc4_draw.h"

/* ---- Jobs ------------------------------------------------------------------------------------------------------- */

static inline int vc4_list_new(vc4_list *list, uint32_t bytes)
{
    list->start = (uint8_t *)malloc(bytes);
    list->used = list->bus = 0;
    list->size = list->start ? bytes : 0;
    return list->start ? 0 : -ENOMEM;
}

/* Begin a picture, with room for so many bytes in each list. */
static inline int vc4_job_begin(vc4_job *job, vc4_device *device, const vc4_frame *frame, uint32_t bytes)
{
    int error;

    memset(job, 0, sizeof(*job));
    job->device = *device;
    job->frame = *frame;
    error = vc4_list_new(&job->binner, bytes);
    error = vc4_list_new(&job->records, bytes) ? -ENOMEM : error;
    error = vc4_list_new(&job->uniforms, bytes) ? -ENOMEM : error;
    vc4_put_binning(&job->binner, frame->width, frame->height, 0, 0, 0, 0);
    return error;
}

static inline void vc4_job_free(vc4_job *job)
{
    free(job->binner.start);
    free(job->records.start);
    free(job->uniforms.start);
    memset(job, 0, sizeof(*job));
}

/* Give the picture to the kernel; `sequence` is what vc4_wait waits for. */
static inline int vc4_job_submit(vc4_job *job, uint64_t *sequence)
{
    static const struct drm_vc4_submit_rcl_surface no_surface = { .hindex = ~0u };
    struct drm_vc4_submit_cl call;
    int error;

    *sequence = 0;
    vc4_put_binning_end(&job->binner);
    memset(&call, 0, sizeof(call));
    /* Rows of RGBA8888. */
    call.color_write.hindex = vc4_handle(job, job->frame.place);
    call.color_write.offset = job->frame.place.offset;
    call.color_write.bits = 1 << 2;
    call.color_read = call.zs_read = call.zs_write = call.msaa_color_write = call.msaa_zs_write = no_surface;
    if (vc4_overflows(&job->binner) || vc4_overflows(&job->records) || vc4_overflows(&job->uniforms) ||
        job->handle_count > VC4_MOST_BUFFERS)
        return -ENOSPC;
    call.bin_cl = (uintptr_t)job->binner.start;
    call.bin_cl_size = job->binner.used;
    call.shader_rec = (uintptr_t)job->records.start;
    call.shader_rec_size = job->records.used;
    call.shader_rec_count = job->record_count;
    call.uniforms = (uintptr_t)job->uniforms.start;
    call.uniforms_size = job->uniforms.used;
    call.bo_handles = (uintptr_t)job->handles;
    call.bo_handle_count = job->handle_count;
    call.width = job->frame.width;
    call.height = job->frame.height;
    call.max_x_tile = (uint8_t)(vc4_tiles(job->frame.width) - 1);
    call.max_y_tile = (uint8_t)(vc4_tiles(job->frame.height) - 1);
    call.clear_color[0] = call.clear_color[1] = job->frame.clear_colour;
    call.clear_z = job->frame.clear_depth;
    call.flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR;
    error = vc4_ioctl(job->device.fd, DRM_IOCTL_VC4_SUBMIT_CL, &call);
    *sequence = call.seqno;
    return error;
}

/* Wait until a picture is complete: 0; -ETIME after so many nanoseconds. */
static inline int vc4_wait(vc4_device *device, uint64_t sequence, uint64_t nanoseconds)
{
    struct drm_vc4_wait_seqno waiting = { .seqno = sequence, .timeout_ns = nanoseconds };

    return vc4_ioctl(device->fd, DRM_IOCTL_VC4_WAIT_SEQNO, &waiting);
}

#endif
