#version 450
// Moves the particles: many small steps each, so that the pass takes a while.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Particles { vec4 particles[]; };
layout(push_constant) uniform Frame { float time; uint count; uint steps; };

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= count)
        return;
    vec4 at = particles[index];
    for (uint step = 0; step < steps; step++) {
        vec2 pull = -at.xy * 0.02 + 0.01 * vec2(sin(at.y * 9.0 + time), cos(at.x * 7.0 - time));
        at.zw = at.zw * 0.98 + pull;
        at.xy += at.zw * 0.05;
    }
    particles[index] = at;
}
