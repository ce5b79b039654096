#include <base/library.h>

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void forget_functions(const struct library_function *functions)
{
    void *const nothing = NULL;
    for (; functions->name; functions++)
        memcpy(functions->pointer, &nothing, sizeof nothing);
}

bool library_load(const char *file, const struct library_function *functions, char *message,
                  size_t size)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(message, size, "%s", dlerror());
        return false;
    }
    for (const struct library_function *function = functions; function->name; function++) {
        void *address = dlsym(library, function->name);
        static_assert(sizeof address == sizeof(void (*)(void)), "as POSIX has it");
        memcpy(function->pointer, &address, sizeof address);
        if (address)
            continue;
        snprintf(message, size, "%s", dlerror());
        forget_functions(functions);
        dlclose(library);
        return false;
    }
    return true;
}
