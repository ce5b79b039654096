#include "source_file.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void update_golden(const char *path, const char *bytes, size_t len)
{
    char full[1024];
    source_file_path(full, sizeof full, path);
    FILE *file = fopen(full, "wb");
    ck_assert_msg(file, "cannot write %s", full);
    ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
    (void)fclose(file);
}

void check_golden(const char *path, const char *bytes, size_t len)
{
    size_t golden_len;
    if (getenv("TALUVA_UPDATE_GOLDEN")) {
        update_golden(path, bytes, len);
        return;
    }
    char *golden = read_source_file(path, &golden_len);
    size_t at = 0, line = 0; /* the first line that differs */
    for (size_t i = 0; i < len && i < golden_len && golden[i] == bytes[i]; i++) {
        if (bytes[i] == '\n') {
            at = i + 1;
            line++;
        }
    }
    bool same = golden_len == len && memcmp(golden, bytes, len) == 0;
    size_t rest = len - at < 3000 ? len - at : 3000; /* Check takes no more than 8 KiB */
    ck_assert_msg(same, "%s differs; from line %zu on it is now:\n%.*s", path, line + 1, (int)rest,
                  bytes + at);
    free(golden);
}
