/* A program that links GPU timing, and has no device: a session of none is refused. */
#include <stdio.h>

#include <ludus/gpu.h>

int main(void)
{
    const struct ludus_gpu_setup setup = {0};

    if (ludus_gpu_session_create(&setup) != NULL || ludus_gpu_admission() != 0)
        return 1;
    puts("no device");
    return 0;
}
