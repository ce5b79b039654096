#include "source_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

void source_file_path(char *full, size_t size, const char *path)
{
    int len = snprintf(full, size, "%s/%s", SOURCE_ROOT, path);
    ck_assert_int_lt(len, (int)size);
}

char *read_source_file(const char *path, size_t *len)
{
    enum { MOST = 4 << 20 };
    char full[1024];
    source_file_path(full, sizeof full, path);
    FILE *file = fopen(full, "rb");
    ck_assert_msg(file, "cannot open %s", full);
    char *bytes = malloc(MOST);
    ck_assert_ptr_nonnull(bytes);
    *len = fread(bytes, 1, MOST - 1, file);
    ck_assert_msg(*len < MOST - 1, "%s is too long", full);
    bytes[*len] = '\0';
    (void)fclose(file);
    return bytes;
}
