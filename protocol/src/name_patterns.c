#include <protocol/name_patterns.h>

#include <ctype.h>
#include <protocol/text.h>
#include <string.h>

/* ---- skeletons */

/* 0: it is left out. */
static char fold_byte(char c)
{
    static const char from[] = "01i!|34@5$7", into[] = "olllleaasst";
    const char lower = (char)tolower((unsigned char)c);
    const char *at = lower ? strchr(from, lower) : NULL;
    if (at)
        return into[at - from];
    return (unsigned char)c >= 0x80 || isalnum((unsigned char)c) ? lower : '\0';
}

char name_merge_letters(char before, char c)
{
    if (before == 'r' && c == 'n')
        return 'm';
    return before == 'v' && c == 'v' ? 'w' : '\0';
}

void name_skeleton(const char *name, char skeleton[static NAME_SKELETON_BYTES + 1])
{
    size_t len = 0;
    bool may_merge = false; /* what was merged is no part of another pair */
    for (; *name && len < NAME_SKELETON_BYTES; name++) {
        const char c = fold_byte(*name);
        if (!c)
            continue;
        const char both = may_merge ? name_merge_letters(skeleton[len - 1], c) : '\0';
        if (both)
            skeleton[len - 1] = both;
        else
            skeleton[len++] = c;
        may_merge = !both;
    }
    skeleton[len] = '\0';
}

/* ---- the list */

/* Without what is behind "#", and blanks. */
static void trim_line(const char **line, size_t *len)
{
    const char *note = memchr(*line, '#', *len);
    *len = note ? (size_t)(note - *line) : *len;
    while (*len > 0 && isspace((unsigned char)(*line)[*len - 1]))
        --*len;
    while (*len > 0 && isspace((unsigned char)**line)) {
        ++*line;
        --*len;
    }
}

static bool read_pattern(struct name_pattern *pattern, const char *line, size_t len)
{
    char word[NAME_SKELETON_BYTES + 1], skeleton[NAME_SKELETON_BYTES + 1];
    pattern->whole = *line == '=';
    line += pattern->whole;
    len -= pattern->whole;
    if (len > NAME_SKELETON_BYTES || memchr(line, 0, len) || !utf8_valid(line, len))
        return false;
    memcpy(word, line, len);
    word[len] = '\0';
    name_skeleton(word, skeleton);
    const size_t bytes = strlen(skeleton);
    if (bytes < NAME_PATTERN_BYTES_MIN || bytes > NAME_PATTERN_BYTES)
        return false;
    memcpy(pattern->skeleton, skeleton, bytes + 1);
    return true;
}

bool name_patterns_read(struct name_patterns *patterns, const char *text, size_t len,
                        size_t *bad_line)
{
    static const char mark[] = "\xef\xbb\xbf"; /* as some editors begin a file in UTF-8 */
    const char *end = text + len;
    patterns->count = 0;
    if (len >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0)
        text += sizeof mark - 1;
    for (*bad_line = 1; text < end; ++*bad_line) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const char *line = text;
        size_t line_len = (size_t)((stop ? stop : end) - text);
        text = stop ? stop + 1 : end;
        trim_line(&line, &line_len);
        if (line_len == 0)
            continue;
        if (patterns->count == NAME_PATTERNS_MAX ||
            !read_pattern(&patterns->list[patterns->count], line, line_len))
            return false;
        patterns->count++;
    }
    return true;
}

bool name_patterns_forbid(const struct name_patterns *patterns, const char *name)
{
    char skeleton[NAME_SKELETON_BYTES + 1];
    if (patterns->count == 0)
        return false;
    name_skeleton(name, skeleton);
    for (size_t at = 0; at < patterns->count; at++) {
        const struct name_pattern *pattern = &patterns->list[at];
        if (pattern->whole ? strcmp(skeleton, pattern->skeleton) == 0
                           : strstr(skeleton, pattern->skeleton) != NULL)
            return true;
    }
    return false;
}
