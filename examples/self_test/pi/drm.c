/* With the kernel's driver: `self-test /dev/dri/renderD128`. */
#include "machine.h"

#include <fcntl.h>
#include <stdio.h>

void self_test_put(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

int self_test_begin(self_test_machine *machine)
{
    vc4_frame frame = self_test_frame(machine);

    return vc4_job_begin(&machine->job, &machine->device, &frame, SELF_TEST_ROOM);
}

int self_test_end(self_test_machine *machine, uint8_t row[SELF_TEST_WIDTH][4])
{
    uint64_t sequence;
    int error = vc4_job_submit(&machine->job, &sequence);

    if (!error)
        error = vc4_wait(&machine->device, sequence, 2000000000);
    if (!error)
        self_test_read(machine, row);
    vc4_job_free(&machine->job);
    return error;
}

int main(int count, char **arguments)
{
    static self_test_machine machine;
    int error;

    machine.device.fd = open(count > 1 ? arguments[1] : "/dev/dri/renderD128", O_RDWR);
    error = machine.device.fd < 0 ? -errno : self_test_prepare(&machine);
    if (error) {
        fprintf(stderr, "device: error %d\n", -error);
        return 2;
    }
    return self_test_run(&machine) != 0;
}
