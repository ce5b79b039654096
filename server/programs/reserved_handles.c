#include "reserved_handles.h"

#include <errno.h>
#include <protocol/account.h>
#include <stdlib.h>
#include <string.h>

static char *fail_reading(FILE *file, char *text, char message[static OPTIONS_MESSAGE_MAX],
                          const char *path, const char *why)
{
    snprintf(message, OPTIONS_MESSAGE_MAX, "--reserved-handles: %.200s: %.200s", path, why);
    free(text);
    if (file)
        (void)fclose(file);
    return NULL;
}

/* The first word that is no handle; NULL: all are. */
static const char *find_bad(const char *text, int *len)
{
    static const char blanks[] = " \t\r\n";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        *len = (int)strcspn(text, blanks);
        if (!handle_valid(text, (size_t)*len))
            return text;
        text += *len;
    }
    return NULL;
}

char *reserved_handles_read(const char *path, char message[static OPTIONS_MESSAGE_MAX])
{
    char why[128];
    FILE *file = fopen(path, "re");
    if (!file)
        return fail_reading(NULL, NULL, message, path, strerror(errno));
    char *text = calloc(1, RESERVED_HANDLES_BYTES_MAX + 2);
    if (!text)
        return fail_reading(file, NULL, message, path, "out of memory");
    const size_t len = fread(text, 1, RESERVED_HANDLES_BYTES_MAX + 1, file);
    if (ferror(file))
        return fail_reading(file, text, message, path, strerror(errno));
    if (len > RESERVED_HANDLES_BYTES_MAX || memchr(text, 0, len))
        return fail_reading(file, text, message, path, "it is too long, or no text");
    int bad_len;
    const char *bad = find_bad(text, &bad_len);
    if (bad) {
        snprintf(why, sizeof why, "%.*s is no handle", bad_len < 64 ? bad_len : 64, bad);
        return fail_reading(file, text, message, path, why);
    }
    (void)fclose(file);
    return text;
}
