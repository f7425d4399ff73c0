/* One function that uses every macro, for the test that reads the code which is left of it. Each
 * use stands on lines of its own: the test takes those lines out for the comparison. */
#include <ludus/gpu_scope.h>
#include <ludus/profile.h>

const char *counted_name(void);
int work_on(int value);
struct ludus_gpu_commands commands_of(int value);

int instrumented(int value);

int instrumented(int value)
{
    int sum = 0;
    LUDUS_PROFILE_FUNCTION();
    LUDUS_PROFILE_THREAD(counted_name());
    LUDUS_PROFILE_FIBER_SWITCH(LUDUS_PROFILE_FIBER_CREATE(counted_name()));
    LUDUS_PROFILE_FIBER_DESTROY(LUDUS_PROFILE_FIBER_CREATE(counted_name()));
    LUDUS_PROFILE_FRAME();
    LUDUS_PROFILE_FRAME(Render);
    LUDUS_PROFILE_COUNT(Draw/Calls, value + work_on(value));
    LUDUS_PROFILE_COUNT(Draws, value, LUDUS_PROFILE_CAT(Render));
    LUDUS_PROFILE_GAUGE(Heap/MiB, work_on(value) / 2.0);
    LUDUS_PROFILE_GAUGE(Temperature, value, LUDUS_PROFILE_CAT(Machine));
    for (int i = 0; i < value; i++) {
        LUDUS_PROFILE_SCOPE(Loop/Body, LUDUS_PROFILE_CAT(Test));
        LUDUS_PROFILE_MARK(Here, LUDUS_PROFILE_CAT(Test));
        LUDUS_PROFILE_SCOPE_NAMED(counted_name());
        LUDUS_PROFILE_SCOPE_NAMED(counted_name(), "Test");
        LUDUS_PROFILE_GPU_SCOPE(commands_of(work_on(i)), Shadows, LUDUS_PROFILE_CAT(Render));
        sum += work_on(i);
        if (sum > 1000)
            return sum;
    }
    LUDUS_PROFILE_FLOW_IN(LUDUS_PROFILE_FLOW_OUT(Job, LUDUS_PROFILE_CAT(Test)));
    LUDUS_PROFILE_BEGIN(pair, Explicit);
    sum += work_on(sum);
    LUDUS_PROFILE_END(pair);
    LUDUS_PROFILE_GPU_BEGIN(gpu_pair, commands_of(value), Copies);
    LUDUS_PROFILE_GPU_END(gpu_pair);
    return sum;
}
