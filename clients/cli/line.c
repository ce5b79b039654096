#include <cli/line.h>

#include <cli/command.h>
#include <stdlib.h>
#include <string.h>

static bool join(struct file *line, int count, char *const *words)
{
    size_t len = 1;
    for (int i = 0; i < count; i++)
        len += strlen(words[i]) + 1;
    *line = (struct file){.bytes = malloc(len)};
    if (!line->bytes)
        return false;
    for (int i = 0; i < count; i++) {
        if (i > 0)
            line->bytes[line->len++] = ' ';
        size_t word = strlen(words[i]);
        memcpy(line->bytes + line->len, words[i], word);
        line->len += word;
    }
    line->bytes[line->len] = '\0';
    return true;
}

int line_read(struct file *line, int count, char *const *words)
{
    if (count != 1 || strcmp(words[0], "-") != 0)
        return join(line, count, words) ? EXIT_OK : EXIT_MEMORY;
    if (!file_read(line, "-"))
        return EXIT_FILE;
    while (line->len > 0 && strchr("\r\n", line->bytes[line->len - 1]))
        line->len--;
    return EXIT_OK;
}

void line_explain(const struct file *line, size_t offset, const char *what)
{
    enum { AROUND = 30 };
    size_t from = offset > AROUND ? offset - AROUND : 0;
    size_t len = line->len - from > 2 * AROUND ? 2 * AROUND : line->len - from;
    fprintf(stderr, "taluva: this position cannot be read: %s\n  %.*s\n  %*s\n", what, (int)len,
            line->bytes + from, (int)(offset - from) + 1, "^");
}
