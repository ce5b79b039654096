/* Where a test's files go, so that they are removed however it ends: support/contained.py. */
#ifndef SUPPORT_SCRATCH_PATH_H
#define SUPPORT_SCRATCH_PATH_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SCRATCH_BYTES = 64 };

/* For mkdtemp or mkstemp: in a folder on the disk, or one that is in memory if there is such a
 * place. If the folder's own path is too long, in /tmp. */
static inline char *scratch_path(char path[static SCRATCH_BYTES], const char *name, bool in_memory)
{
    const char *folder = getenv(in_memory ? "TALUVA_TEST_MEMORY" : "TMPDIR");
    if (!folder)
        folder = in_memory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    if (snprintf(path, SCRATCH_BYTES, "%s/%s-XXXXXX", folder, name) >= SCRATCH_BYTES)
        (void)snprintf(path, SCRATCH_BYTES, "/tmp/%s-XXXXXX", name);
    return path;
}

#endif
