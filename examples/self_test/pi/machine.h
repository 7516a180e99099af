/* A Raspberry Pi: what is drawn with, by the kernel's driver (drm.c) or without a kernel (bare.c). */
#ifndef MACHINE_H
#define MACHINE_H

#include "self_test.h"
#if __has_include("vc4_job_bare.h")
#include "vc4_job_bare.h"
#else
#include "vc4_job_drm.h"
#endif

/* Bytes of each list; of a bare program's memory for all. */
enum { SELF_TEST_ROOM = 1 << 16, SELF_TEST_MEMORY = 2 << 20 };

typedef struct self_test_machine {
    vc4_device device;
    vc4_job job;
    vc4_buffer pixels, vertices, arrays, texels;
    /* One picture, with either filter. */
    vc4_texture nearest, linear;
} self_test_machine;

/* What all pictures share: 0, or an error. */
int self_test_prepare(self_test_machine *machine);

/* The frame, and the call that draws the column of a case. */
vc4_frame self_test_frame(const self_test_machine *machine);
vc4_call self_test_call(const self_test_machine *machine, uint32_t number);

/* The middle row of the picture. */
void self_test_read(const self_test_machine *machine, uint8_t row[SELF_TEST_WIDTH][4]);

#endif
