#include <base/options.h>

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SPACE = 64 };

struct found {
    const struct option_row *row;
    char *values;
    bool from_environment;
    char said[NAME_SPACE]; /* as the user knows it: --rooms, -r, TALUVA_ROOMS */
};

__attribute__((format(printf, 2, 3))) static bool refuse_option(struct options_parsed *parsed,
                                                                const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(parsed->problem, sizeof parsed->problem, format, args);
    va_end(args);
    return false;
}

static char underscore_to_dash(char c)
{
    return c == '_' ? '-' : c;
}

static bool row_is(const struct option_row *row, const char *name, size_t len, char letter)
{
    if (letter)
        return row->letter == letter;
    for (size_t i = 0; i < len; i++) {
        if (row->name[i] == '\0' || underscore_to_dash(row->name[i]) != name[i])
            return false;
    }
    return row->name[len] == '\0';
}

static bool find_option(const struct option_table *tables, size_t table_count, const char *name,
                        size_t len, char letter, struct found *found)
{
    for (size_t t = 0; t < table_count; t++) {
        for (const struct option_row *row = tables[t].rows; row && row->name; row++) {
            if (row_is(row, name, len, letter)) {
                found->row = row;
                found->values = tables[t].values;
                return true;
            }
        }
    }
    return false;
}

/* ---- values */

static void *field_of(const struct found *found)
{
    return found->values + found->row->offset;
}

static bool set_text(const struct found *found, const char *text)
{
    memcpy(field_of(found), &text, sizeof text);
    return true;
}

static bool set_flag(const struct found *found, const char *text, struct options_parsed *parsed)
{
    bool yes = strcmp(text, "1") == 0;
    if (!yes && strcmp(text, "0") != 0)
        return refuse_option(parsed, "%s is 1 or 0, not %.100s", found->said, text);
    memcpy(field_of(found), &yes, sizeof yes);
    return true;
}

static bool read_number(const struct found *found, const char *text, int64_t *number,
                        struct options_parsed *parsed)
{
    char *end;
    const struct option_row *row = found->row;
    /* strtoll would take blanks and a plus too. */
    bool begins = *text == '-' || isdigit((unsigned char)*text);
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (!begins || *end != '\0' || errno || value < row->min || value > row->max)
        return refuse_option(parsed, "%s is a number from %lld to %lld, not %.100s", found->said,
                             (long long)row->min, (long long)row->max, text);
    *number = value;
    return true;
}

static bool set_number(const struct found *found, const char *text, struct options_parsed *parsed)
{
    int64_t value = 0;
    if (!read_number(found, text, &value, parsed))
        return false;
    memcpy(field_of(found), &value, sizeof value);
    return true;
}

static bool set_count(const struct found *found, const char *text, struct options_parsed *parsed)
{
    int64_t number = 0;
    if (!read_number(found, text, &number, parsed))
        return false;
    unsigned value = (unsigned)number;
    memcpy(field_of(found), &value, sizeof value);
    return true;
}

static bool set_real(const struct found *found, const char *text, struct options_parsed *parsed)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value <= 0)
        return refuse_option(parsed, "%s is a number above 0, not %.100s", found->said, text);
    memcpy(field_of(found), &value, sizeof value);
    return true;
}

static bool set_word(const struct found *found, const char *text, struct options_parsed *parsed)
{
    char list[128];
    size_t len = 0;
    for (const char *const *word = found->row->words; *word; word++) {
        const char *before = word == found->row->words ? "" : word[1] ? ", " : " or ";
        if (strcmp(*word, text) == 0)
            return set_text(found, text);
        if (len < sizeof list)
            len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", before, *word);
    }
    return refuse_option(parsed, "%s is %s, not %.60s", found->said, list, text);
}

static bool list_add(const struct found *found, const char *text, struct options_parsed *parsed)
{
    struct option_list *list = field_of(found);
    if (list->from_environment && !found->from_environment)
        list->count = 0;
    list->from_environment = found->from_environment;
    if (list->count == OPTION_LIST_MAX)
        return refuse_option(parsed, "%s: more than %d of them", found->said, OPTION_LIST_MAX);
    list->items[list->count++] = text;
    list->items[list->count] = NULL;
    return true;
}

static bool list_split(const struct found *found, const char *text, struct options_parsed *parsed)
{
    struct option_list *list = field_of(found);
    size_t len = strlen(text);
    if (len >= sizeof list->text)
        return refuse_option(parsed, "%s is longer than %zu bytes", found->said,
                             sizeof list->text - 1);
    memcpy(list->text, text, len + 1);
    for (char *rest = list->text, *item; (item = strtok_r(rest, ", \t", &rest)) != NULL;) {
        if (!list_add(found, item, parsed))
            return false;
    }
    return true;
}

static bool set_value(const struct found *found, const char *text, struct options_parsed *parsed)
{
    switch (found->row->kind) {
    case OPTION_FLAG:
        return set_flag(found, text, parsed);
    case OPTION_TEXT:
        return set_text(found, text);
    case OPTION_NAME:
        return *text ? set_text(found, text)
                     : refuse_option(parsed, "%s must not be empty", found->said);
    case OPTION_NUMBER:
        return set_number(found, text, parsed);
    case OPTION_COUNT:
        return set_count(found, text, parsed);
    case OPTION_REAL:
        return set_real(found, text, parsed);
    case OPTION_WORD:
        return set_word(found, text, parsed);
    case OPTION_LIST:
        return found->from_environment ? list_split(found, text, parsed)
                                       : list_add(found, text, parsed);
    }
    assert(false && "no such kind of option");
    return false;
}

/* ---- the environment */

static void name_variable(struct found *found, const char *prefix)
{
    size_t len = (size_t)snprintf(found->said, sizeof found->said, "%s", prefix);
    for (const char *at = found->row->name; *at && len < sizeof found->said - 1; at++)
        found->said[len++] = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
    found->said[len] = '\0';
}

static bool read_environment(const struct option_table *tables, size_t table_count,
                             const struct option_environment *environment,
                             struct options_parsed *parsed)
{
    for (size_t t = 0; t < table_count; t++) {
        for (const struct option_row *row = tables[t].rows; row && row->name; row++) {
            struct found found = {row, tables[t].values, true, ""};
            name_variable(&found, environment->prefix);
            const char *value = environment->get(found.said);
            if (value && !set_value(&found, value, parsed))
                return false;
        }
    }
    return true;
}

/* ---- the command line */

/* One argument that starts with a dash; `*at` moves over a value that stands behind it. */
static bool read_option(const struct option_table *tables, size_t table_count, int argc,
                        char **argv, int *at, struct options_parsed *parsed)
{
    const char *text = argv[*at];
    bool is_long = text[1] == '-';
    const char *name = text + 2, *equals = is_long ? strchr(name, '=') : NULL;
    size_t len = equals ? (size_t)(equals - name) : strlen(name);
    struct found found = {0};
    const char *value = equals ? equals + 1 : !is_long && text[2] ? text + 2 : NULL;
    if (!find_option(tables, table_count, name, len, is_long ? '\0' : text[1], &found))
        return refuse_option(parsed, "%.100s: there is no such option", text);
    snprintf(found.said, sizeof found.said, "%.*s", is_long ? (int)len + 2 : 2, text);
    if (parsed->given_count < OPTIONS_GIVEN_MAX)
        parsed->given[parsed->given_count++] = found.row;
    if (found.row->kind == OPTION_FLAG)
        return value ? refuse_option(parsed, "%s takes no value", found.said)
                     : set_value(&found, "1", parsed);
    if (!value) {
        if (*at + 1 >= argc)
            return refuse_option(parsed, "%s needs a value", found.said);
        value = argv[++*at];
    }
    return set_value(&found, value, parsed);
}

static void set_initial(const struct option_table *tables, size_t table_count)
{
    for (size_t t = 0; t < table_count; t++) {
        for (const struct option_row *row = tables[t].rows; row && row->name; row++) {
            char *value = (char *)tables[t].values + row->offset;
            unsigned count = (unsigned)row->initial;
            if (row->kind == OPTION_NUMBER)
                memcpy(value, &row->initial, sizeof row->initial);
            else if (row->kind == OPTION_COUNT)
                memcpy(value, &count, sizeof count);
        }
    }
}

/* Coordinates may begin with a minus, options never with a digit. */
static bool is_option(const char *text)
{
    return text[0] == '-' && text[1] != '\0' && !(text[1] >= '0' && text[1] <= '9');
}

enum option_outcome options_parse(const struct option_table *tables, size_t table_count,
                                  const struct option_environment *environment, int argc,
                                  char **argv, struct options_parsed *parsed)
{
    bool only_operands = false;
    *parsed = (struct options_parsed){.operands = argv};
    set_initial(tables, table_count);
    if (environment && !read_environment(tables, table_count, environment, parsed))
        return OPTIONS_BAD;
    for (int at = 0; at < argc; at++) {
        char *text = argv[at];
        if (only_operands || !is_option(text))
            argv[parsed->operand_count++] = text;
        else if (strcmp(text, "--") == 0)
            only_operands = true;
        else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)
            return OPTIONS_HELP;
        else if (strcmp(text, "--version") == 0 || strcmp(text, "-V") == 0)
            return OPTIONS_VERSION;
        else if (!read_option(tables, table_count, argc, argv, &at, parsed))
            return OPTIONS_BAD;
    }
    return OPTIONS_OK;
}

bool options_given(const struct options_parsed *parsed, const char *name)
{
    for (size_t i = 0; i < parsed->given_count; i++) {
        if (strcmp(parsed->given[i]->name, name) == 0)
            return true;
    }
    return false;
}

/* ---- help */

static void print_left(const struct option_row *row, FILE *out)
{
    enum { COLUMN = 24 };
    char left[NAME_SPACE];
    size_t len = 0;
    if (row->letter)
        len = (size_t)snprintf(left, sizeof left, "-%c, ", row->letter);
    len += (size_t)snprintf(left + len, sizeof left - len, "--%s", row->name);
    for (char *at = left; *at; at++)
        *at = underscore_to_dash(*at);
    if (row->value && len < sizeof left)
        len += (size_t)snprintf(left + len, sizeof left - len, " %s", row->value);
    if (len > COLUMN)
        fprintf(out, "  %s\n  %-*s ", left, COLUMN, "");
    else
        fprintf(out, "  %-*s ", COLUMN, left);
}

void option_rows_print(const struct option_row *rows, FILE *out)
{
    for (const struct option_row *row = rows; row && row->name; row++) {
        print_left(row, out);
        fputs(row->help, out);
        for (const char *const *word = row->words; word && *word; word++)
            fprintf(out, "%s%s", word == row->words ? ": " : ", ", *word);
        fputc('\n', out);
    }
}
