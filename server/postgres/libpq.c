#include "libpq.h"

#include <base/library.h>
#include <pthread.h>

struct libpq libpq;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool loaded;
static char trouble[256];

static void load(void)
{
#define LIBPQ_PLACE(name) {#name, &libpq.name},
    static const struct library_function functions[] = {LIBPQ_FUNCTIONS(LIBPQ_PLACE){NULL, NULL}};
#undef LIBPQ_PLACE
    loaded = library_load("libpq.so.5", functions, trouble, sizeof trouble);
}

bool libpq_load(void)
{
    pthread_once(&once, load);
    return loaded;
}

const char *libpq_trouble(void)
{
    return trouble;
}
