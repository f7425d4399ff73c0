#version 450
// The picture, as bright as its mean allows.
layout(set = 0, binding = 1) readonly buffer Luminance { uint sum; };
layout(set = 0, binding = 2, rgba8) uniform readonly image2D picture;
layout(location = 0) out vec4 shown;

void main()
{
    ivec2 size = imageSize(picture);
    float mean = float(sum) / 255.0 / float(size.x * size.y);
    vec3 colour = imageLoad(picture, ivec2(gl_FragCoord.xy)).rgb;
    shown = vec4(colour / (colour + vec3(mean + 0.2)), 1.0);
}
