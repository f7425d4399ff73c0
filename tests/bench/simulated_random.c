/* Numbers at random. */
#include "simulated_random.h"

#include <math.h>

uint64_t simulated_draw(struct simulated_random *random)
{
    uint64_t mixed = random->state += 0x9E3779B97F4A7C15u;

    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

double simulated_uniform(struct simulated_random *random)
{
    return ((double)(simulated_draw(random) >> 12) + 0.5) * 0x1p-52;
}

uint32_t simulated_below(struct simulated_random *random, uint32_t bound)
{
    return (uint32_t)(((simulated_draw(random) >> 32) * bound) >> 32);
}

double simulated_normal(struct simulated_random *random)
{
    double size = sqrt(-2.0 * log(simulated_uniform(random)));

    return size * cos(6.283185307179586 * simulated_uniform(random));
}

double simulated_quick_normal(struct simulated_random *random)
{
    uint64_t bits = simulated_draw(random);
    int64_t sum =
        (int64_t)((bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)) -
        131070;

    return (double)sum * (1.7320508075688772 / 65536.0);
}

double simulated_heavy_normal(struct simulated_random *random)
{
    double squares = 0.0;

    for (uint32_t i = 0; i < 3; i++)
        squares += pow(simulated_normal(random), 2.0);
    return simulated_normal(random) / sqrt(squares / 3.0) / sqrt(3.0);
}

uint32_t simulated_count(struct simulated_random *random, double mean)
{
    double least = exp(-mean);
    uint32_t count = 0;

    for (double product = simulated_uniform(random); product > least; count++)
        product *= simulated_uniform(random);
    return count;
}
