/* What a count says of how likely something is. */
#include "binomial_bounds.h"

#include <math.h>

/* How likely at most `count` of `of` are, each with a part of `part`; 0 < part < 1. */
static double at_most(uint32_t count, uint32_t of, double part)
{
    double sum = 0.0;

    for (uint32_t i = 0; i <= count; i++)
        sum += exp(lgamma(of + 1.0) - lgamma(i + 1.0) - lgamma(of - i + 1.0) + i * log(part) +
                   (of - i) * log1p(-part));
    return sum;
}

double binomial_upper(uint32_t count, uint32_t of)
{
    double low = 0.0, high = 1.0;

    if (count == of)
        return 1.0;
    for (uint32_t i = 0; i < 50; i++) {
        double middle = (low + high) / 2.0;
        if (at_most(count, of, middle) > 0.05)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double binomial_lower(uint32_t count, uint32_t of)
{
    return 1.0 - binomial_upper(of - count, of);
}
