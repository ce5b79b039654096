#include <base/options.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct found {
    const struct option_row *row;
    char *values;
};

static bool fail(struct options_parsed *parsed, const char *what, const char *about,
                 const char *rest)
{
    snprintf(parsed->problem, sizeof(parsed->problem), "%s %s%s", what, about, rest);
    return false;
}

static bool row_is(const struct option_row *row, const char *name, size_t len, char letter)
{
    if (letter)
        return row->letter == letter;
    return strlen(row->name) == len && memcmp(row->name, name, len) == 0;
}

static struct found find(const struct option_table *tables, size_t table_count, const char *name,
                         size_t len, char letter)
{
    for (size_t t = 0; t < table_count; t++) {
        for (const struct option_row *row = tables[t].rows; row && row->name; row++) {
            if (row_is(row, name, len, letter))
                return (struct found){row, tables[t].values};
        }
    }
    return (struct found){NULL, NULL};
}

static bool read_number(const struct option_row *row, const char *text, int64_t *number,
                        struct options_parsed *parsed)
{
    char *end, range[64];
    bool digits = *text == '-' ? text[1] >= '0' && text[1] <= '9' : *text >= '0' && *text <= '9';
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (!digits || *end != '\0' || errno || value < row->min || value > row->max) {
        snprintf(range, sizeof(range), " wants a number from %lld to %lld", (long long)row->min,
                 (long long)row->max);
        return fail(parsed, "option", row->name, range);
    }
    *number = value;
    return true;
}

static bool set_number(struct found found, const char *text, struct options_parsed *parsed)
{
    int64_t value;
    if (!read_number(found.row, text, &value, parsed))
        return false;
    memcpy(found.values + found.row->offset, &value, sizeof(value));
    return true;
}

static bool set_count(struct found found, const char *text, struct options_parsed *parsed)
{
    int64_t number;
    if (!read_number(found.row, text, &number, parsed))
        return false;
    unsigned value = (unsigned)number;
    memcpy(found.values + found.row->offset, &value, sizeof(value));
    return true;
}

static bool set_real(struct found found, const char *text, struct options_parsed *parsed)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value <= 0)
        return fail(parsed, "option", found.row->name, " wants a number above 0");
    memcpy(found.values + found.row->offset, &value, sizeof(value));
    return true;
}

static bool set_word(struct found found, const char *text, struct options_parsed *parsed)
{
    char words[160] = " wants one of";
    size_t len = strlen(words);
    for (const char *const *word = found.row->words; *word; word++) {
        if (strcmp(*word, text) == 0) {
            memcpy(found.values + found.row->offset, &text, sizeof(text));
            return true;
        }
        if (len < sizeof(words))
            len += (size_t)snprintf(words + len, sizeof(words) - len, " %s", *word);
    }
    return fail(parsed, "option", found.row->name, words);
}

static bool set(struct found found, const char *text, struct options_parsed *parsed)
{
    bool yes = true;
    switch (found.row->kind) {
    case OPTION_FLAG:
        memcpy(found.values + found.row->offset, &yes, sizeof(yes));
        return true;
    case OPTION_TEXT:
        memcpy(found.values + found.row->offset, &text, sizeof(text));
        return true;
    case OPTION_NUMBER:
        return set_number(found, text, parsed);
    case OPTION_COUNT:
        return set_count(found, text, parsed);
    case OPTION_REAL:
        return set_real(found, text, parsed);
    case OPTION_WORD:
        return set_word(found, text, parsed);
    }
    return false;
}

/* One argument that starts with a dash; `*at` moves over a value that stands behind it. */
static bool read_option(const struct option_table *tables, size_t table_count, int argc,
                        char **argv, int *at, struct options_parsed *parsed)
{
    const char *text = argv[*at];
    bool is_long = text[1] == '-';
    const char *name = text + (is_long ? 2 : 1), *equals = is_long ? strchr(name, '=') : NULL;
    size_t len = equals ? (size_t)(equals - name) : strlen(name);
    struct found found = find(tables, table_count, name, len, is_long ? '\0' : text[1]);
    const char *value = equals ? equals + 1 : !is_long && text[2] ? text + 2 : NULL;
    if (!found.row)
        return fail(parsed, "there is no option", text, "");
    if (found.row->kind == OPTION_FLAG && value)
        return fail(parsed, "option", found.row->name, " takes no value");
    if (found.row->kind != OPTION_FLAG && !value) {
        if (*at + 1 >= argc)
            return fail(parsed, "option", found.row->name, " wants a value");
        value = argv[++*at];
    }
    return set(found, value, parsed);
}

static void set_initial(const struct option_table *tables, size_t table_count)
{
    for (size_t t = 0; t < table_count; t++) {
        for (const struct option_row *row = tables[t].rows; row && row->name; row++) {
            char *value = (char *)tables[t].values + row->offset;
            unsigned count = (unsigned)row->initial;
            if (row->kind == OPTION_NUMBER)
                memcpy(value, &row->initial, sizeof(row->initial));
            else if (row->kind == OPTION_COUNT)
                memcpy(value, &count, sizeof(count));
        }
    }
}

/* Coordinates may begin with a minus, options never with a digit. */
static bool is_option(const char *text)
{
    return text[0] == '-' && text[1] != '\0' && !(text[1] >= '0' && text[1] <= '9');
}

enum option_outcome options_parse(const struct option_table *tables, size_t table_count, int argc,
                                  char **argv, struct options_parsed *parsed)
{
    bool only_operands = false;
    *parsed = (struct options_parsed){.operands = argv};
    set_initial(tables, table_count);
    for (int at = 0; at < argc; at++) {
        char *text = argv[at];
        if (only_operands || !is_option(text)) {
            argv[parsed->operand_count++] = text;
        } else if (strcmp(text, "--") == 0) {
            only_operands = true;
        } else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            return OPTIONS_HELP;
        } else if (!read_option(tables, table_count, argc, argv, &at, parsed)) {
            return OPTIONS_BAD;
        }
    }
    return OPTIONS_OK;
}

void option_rows_print(const struct option_row *rows, FILE *out)
{
    for (const struct option_row *row = rows; row && row->name; row++) {
        char left[64];
        int len = snprintf(left, sizeof(left), "--%s", row->name);
        if (row->letter)
            len = snprintf(left, sizeof(left), "-%c, --%s", row->letter, row->name);
        if (row->value)
            snprintf(left + len, sizeof(left) - (size_t)len, " %s", row->value);
        fprintf(out, "  %-24s %s", left, row->help);
        for (const char *const *word = row->words; word && *word; word++)
            fprintf(out, "%s%s", word == row->words ? ": " : ", ", *word);
        fputc('\n', out);
    }
}
