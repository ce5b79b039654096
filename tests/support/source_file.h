/* Files of the checkout, for tests that are built with -DSOURCE_ROOT. */
#ifndef SUPPORT_SOURCE_FILE_H
#define SUPPORT_SOURCE_FILE_H

#include <stddef.h>

void source_file_path(char *full, size_t size, const char *path);

/* The whole file, and a byte 0 behind it; to be freed. The test fails if there is none. */
char *read_source_file(const char *path, size_t *len);

#endif
