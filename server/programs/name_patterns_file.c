#include "name_patterns_file.h"

#include <errno.h>
#include <protocol/name_patterns.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail_reading(char message[static OPTIONS_MESSAGE_MAX], const char *path,
                         const char *why)
{
    snprintf(message, OPTIONS_MESSAGE_MAX, "--name-patterns: %.200s: %.200s", path, why);
    return false;
}

static bool read_list(struct name_patterns *patterns, const char *text, size_t len,
                      const char *path, char message[static OPTIONS_MESSAGE_MAX])
{
    struct name_patterns *found = calloc(1, sizeof *found);
    char why[64] = "out of memory";
    size_t line;
    const bool good = found && name_patterns_read(found, text, len, &line);
    if (good)
        *patterns = *found;
    else if (found)
        snprintf(why, sizeof why, "line %zu is no word to be looked for", line);
    free(found);
    return good || fail_reading(message, path, why);
}

bool name_patterns_file_read(struct name_patterns *patterns, const char *path,
                             char message[static OPTIONS_MESSAGE_MAX])
{
    bool good = false;
    FILE *file = fopen(path, "re");
    if (!file)
        return fail_reading(message, path, strerror(errno));
    char *text = malloc(NAME_PATTERNS_FILE_MAX + 1);
    const size_t len = text ? fread(text, 1, NAME_PATTERNS_FILE_MAX + 1, file) : 0;
    if (!text)
        fail_reading(message, path, "out of memory");
    else if (ferror(file))
        fail_reading(message, path, strerror(errno));
    else if (len > NAME_PATTERNS_FILE_MAX)
        fail_reading(message, path, "it is too long");
    else
        good = read_list(patterns, text, len, path, message);
    free(text);
    (void)fclose(file);
    return good;
}
