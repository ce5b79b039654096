#include "libcurl.h"

#include <base/library.h>

struct libcurl libcurl;

bool libcurl_load(char *message, size_t size)
{
#define LIBCURL_PLACE(name) {#name, &libcurl.name},
    static const struct library_function functions[] = {
        LIBCURL_FUNCTIONS(LIBCURL_PLACE){NULL, NULL}};
#undef LIBCURL_PLACE
    return library_load("libcurl.so.4", functions, message, size);
}
