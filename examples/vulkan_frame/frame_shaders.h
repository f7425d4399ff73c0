/* The shaders as words, made from shaders/ when the example is built. */
#ifndef FRAME_SHADERS_H
#define FRAME_SHADERS_H

#include <stdint.h>

#include <composite_frag.spv.h>
#include <composite_vert.spv.h>
#include <luminance_comp.spv.h>
#include <particle_frag.spv.h>
#include <particle_vert.spv.h>
#include <particles_comp.spv.h>

#endif
