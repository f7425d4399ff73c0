/* A program that knows nothing of a recorder and loads the library that has one, in a thread that
 * ends when the library is unloaded: plugin_host LIBRARY CAPTURE. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *library_path;
static const char *capture_path;

static void *use_library(void *unused)
{
    int (*work)(const char *path) = NULL;
    void *library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "plugin_work") : NULL;

    if (symbol == NULL) {
        puts(dlerror());
        return &library_path;
    }
    memcpy(&work, &symbol, sizeof work);
    return work(capture_path) == 0 && dlclose(library) == 0 ? unused : &library_path;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *fault = NULL;

    if (argc != 3)
        return 2;
    library_path = argv[1];
    capture_path = argv[2];
    if (pthread_create(&thread, NULL, use_library, NULL) != 0 || pthread_join(thread, &fault) != 0)
        return 1;
    return fault != NULL;
}
