/* libdrm's freedreno interface as its headers describe it, as far as generated code uses it: a ring that records words, and
   memory with addresses. */
#ifndef FREEDRENO_STUB_H
#define FREEDRENO_STUB_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fd_bo { uint32_t address; };
struct fd_ringbuffer { uint32_t words[1 << 16]; unsigned count; };
struct fd_reloc {
    struct fd_bo *bo;
#define FD_RELOC_READ 0x0001
#define FD_RELOC_WRITE 0x0002
    uint32_t flags, offset, or;
    int32_t shift;
    uint32_t orhi;
};

static inline void fd_ringbuffer_emit(struct fd_ringbuffer *ring, uint32_t word)
{
    if (ring->count == sizeof ring->words / 4)
        abort();
    ring->words[ring->count++] = word;
}

static inline void fd_ringbuffer_reloc2(struct fd_ringbuffer *ring, const struct fd_reloc *reloc)
{
    if (reloc->flags != FD_RELOC_READ || reloc->shift)
        abort();
    fd_ringbuffer_emit(ring, (reloc->bo->address + reloc->offset) | reloc->or);
}

#endif
