/* Files of the checkout, for tests that are built with -DSOURCE_ROOT. */
#ifndef SUPPORT_SOURCE_FILE_H
#define SUPPORT_SOURCE_FILE_H

#include <stddef.h>

void source_file_path(char *full, size_t size, const char *path);

/* The whole file with a 0 byte after it; the caller frees it. Fails the test if it cannot be read.
 */
char *read_source_file(const char *path, size_t *len);

/*
 * Compares with a golden file of the source tree. With TALUVA_UPDATE_GOLDEN set it is written anew
 * instead, to be looked at.
 */
void check_golden(const char *path, const char *bytes, size_t len);

#endif
