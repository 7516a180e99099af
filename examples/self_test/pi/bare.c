/* Without a kernel: the firmware starts this at `start` (boot.s), with caches and address translation off. */
#include "board.h"
#include "machine.h"

enum { TILE_ROOM = 256 * 1024, POLLS = 100000000 };

uint8_t self_test_memory[SELF_TEST_MEMORY] __attribute__((aligned(4096)));

int self_test_begin(self_test_machine *machine)
{
    vc4_frame frame = self_test_frame(machine);

    return vc4_job_begin(&machine->job, &machine->device, &frame, SELF_TEST_ROOM, TILE_ROOM);
}

int self_test_end(self_test_machine *machine, uint8_t row[SELF_TEST_WIDTH][4])
{
    int error = vc4_job_finish(&machine->job);

    if (!error) {
        vc4_job_run(&machine->job, board_3d());
        error = 1;
        for (int poll = 0; error && poll < POLLS; poll++)
            error = !vc4_job_is_done(board_3d());
    }
    if (!error)
        self_test_read(machine, row);
    vc4_job_free(&machine->job, &machine->device);
    return error;
}

void board_main(void)
{
    static self_test_machine machine;
    const vc4_list memory = { self_test_memory, 0, SELF_TEST_MEMORY,
                              (uint32_t)(uintptr_t)self_test_memory | bus_alias };

    machine.device.memory = memory;
    if (!board_start(SELF_TEST_WIDTH, SELF_TEST_HEIGHT) || !vc4_is_on(board_3d()))
        self_test_put("the 3D core is off\n");
    else if (self_test_prepare(&machine))
        self_test_put("there is too little memory\n");
    else
        self_test_run(&machine);
}
