/* The small mathematics that every part of the arena shares. Nothing here calls libm's
 * transcendental functions, whose last bit differs between processors: equal seeds must give equal
 * checksums everywhere. */
#ifndef ARENA_MATH_H
#define ARENA_MATH_H

#include <math.h>
#include <stdint.h>

static inline float arena_clamp(float value, float low, float high)
{
    return value < low ? low : (value > high ? high : value);
}

/* Rounds towards minus infinity; `value` must lie well inside the range of int32_t. */
static inline int32_t arena_floor(float value)
{
    int32_t whole = (int32_t)value;
    return (float)whole > value ? whole - 1 : whole;
}

/* A wave with the period 1 and the shape of a sine, made of two parabolas. */
static inline float arena_wave(float turns)
{
    float part = turns - (float)arena_floor(turns);
    float half = part < 0.5F ? part * 2.0F : part * 2.0F - 1.0F;
    float bow = 4.0F * half * (1.0F - half);
    return part < 0.5F ? bow : -bow;
}

/* Length of (x, y), and never 0, so that it can be divided by. */
static inline float arena_length(float x, float y)
{
    return sqrtf(x * x + y * y) + 1e-6F;
}

/* Scrambles all bits of `value`. */
static inline uint64_t arena_mix(uint64_t value)
{
    value = (value ^ (value >> 31)) * 0x9e6c63d0876a9a47U;
    value = (value ^ (value >> 29)) * 0xd3833e804f4c574bU;
    return value ^ (value >> 32);
}

/* Folds `value` into a running checksum; order matters. */
static inline uint64_t arena_fold(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * 0x9e6c63d0876a9a47U;
    return sum ^ (sum >> 29);
}

/* A stream of random numbers: equal seeds give equal streams. */
struct arena_random {
    uint64_t state;
};

static inline uint32_t arena_random_next(struct arena_random *random)
{
    random->state += 0x9e3779b97f4a7c15U;
    return (uint32_t)(arena_mix(random->state) >> 16);
}

/* A number below `limit`, which is not 0. */
static inline uint32_t arena_random_below(struct arena_random *random, uint32_t limit)
{
    return (uint32_t)(((uint64_t)arena_random_next(random) * limit) >> 32);
}

/* A number of [low, high). */
static inline float arena_random_between(struct arena_random *random, float low, float high)
{
    float unit = (float)(arena_random_next(random) >> 8) * (1.0F / 16777216.0F);
    return low + (high - low) * unit;
}

#endif
