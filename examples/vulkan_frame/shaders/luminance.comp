#version 450
// Adds up how bright the picture is.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) buffer Luminance { uint sum; };
layout(set = 0, binding = 2, rgba8) uniform readonly image2D picture;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(picture))))
        return;
    vec3 colour = imageLoad(picture, at).rgb;
    atomicAdd(sum, uint(dot(colour, vec3(0.2126, 0.7152, 0.0722)) * 255.0));
}
