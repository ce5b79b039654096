#include <base/library.h>

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool library_load(const char *file, const struct library_function *functions, char *message,
                  size_t size)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    bool found = library;
    for (; found && functions->name; functions++) {
        void *address = dlsym(library, functions->name);
        static_assert(sizeof address == sizeof(void (*)(void)), "as POSIX has it");
        memcpy(functions->pointer, &address, sizeof address);
        found = address;
    }
    if (!found)
        snprintf(message, size, "%s", dlerror());
    if (!found && library)
        dlclose(library);
    return found;
}
