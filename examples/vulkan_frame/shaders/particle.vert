#version 450
// A small triangle for each particle.
layout(set = 0, binding = 0) readonly buffer Particles { vec4 particles[]; };
layout(location = 0) out vec3 colour;

void main()
{
    vec4 at = particles[gl_InstanceIndex];
    float angle = float(gl_VertexIndex) * 2.0943951;
    gl_Position = vec4(at.xy + 0.02 * vec2(cos(angle), sin(angle)), 0.5 + 0.4 * at.x, 1.0);
    colour = 0.5 + 0.5 * vec3(at.zw * 20.0, sin(float(gl_InstanceIndex)));
}
