#include "web_folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How much of `executable` is before `bindir` and its name; -1 if it lies somewhere else. */
static int prefix_of(const char *executable, const char *bindir)
{
    const char *const name = strrchr(executable, '/');
    const size_t len = strlen(bindir);
    if (!name || (size_t)(name - executable) < len + 1)
        return -1;
    const char *const folder = name - len;
    return folder[-1] == '/' && memcmp(folder, bindir, len) == 0 ? (int)(folder - 1 - executable)
                                                                 : -1;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *web_folder_of(const char *executable, const char *bindir, const char *datadir,
                          char *path, size_t size)
{
    const int prefix = prefix_of(executable, bindir);
    if (prefix < 0)
        return NULL;
    const int len = *datadir == '/'
                        ? snprintf(path, size, "%s/taluva/web", datadir)
                        : snprintf(path, size, "%.*s/%s/taluva/web", prefix, executable, datadir);
    return len > 0 && (size_t)len < size && is_folder(path) ? path : NULL;
}

const char *web_folder(char *path, size_t size)
{
    char executable[4096];
    const ssize_t len = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (len <= 0)
        return NULL;
    executable[len] = 0;
    return web_folder_of(executable, TALUVA_BINDIR, TALUVA_DATADIR, path, size);
}
