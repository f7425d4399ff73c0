// The macros of scopes in C++: they end also when an exception passes. Exit code 0 when so.
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <ludus/gpu_scope.h>

static int depth;
static int begins;
static const char *last_label;

static uint64_t begin(const ludus_gpu_commands *, ludus_site *site)
{
    depth++;
    last_label = site->label;
    return static_cast<uint64_t>(++begins);
}

static void end(const ludus_gpu_commands *, uint64_t)
{
    depth--;
}

static const ludus_gpu_scope_calls calls = {begin, end};

static ludus_gpu_commands commands()
{
    return {&calls, nullptr, 1, LUDUS_GPU_RENDER, 1};
}

static void render(int pass)
{
    LUDUS_PROFILE_GPU_SCOPE(commands(), Opaque, LUDUS_PROFILE_CAT(Render));
    if (pass == 1)
        throw std::runtime_error("no such pass");
    LUDUS_PROFILE_GPU_BEGIN(inner, commands(), Inner);
    LUDUS_PROFILE_GPU_END(inner);
}

int main()
{
    int caught = 0;
    for (int pass = 0; pass < 3; pass++) {
        try {
            render(pass);
        } catch (const std::runtime_error &) {
            caught++;
        }
        if (depth != 0)
            return std::printf("pass %d: %d scopes are open\n", pass, depth), 1;
    }
    return caught == 1 && begins == 5 && std::strcmp(last_label, "Inner") == 0 ? 0 : 1;
}
