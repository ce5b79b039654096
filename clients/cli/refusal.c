#include "refusal.h"

#include <cli/state.h>
#include <stdarg.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void add_text(char *text, size_t size,
                                                           const char *format, ...)
{
    size_t len = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    if (len < size)
        vsnprintf(text + len, size - len, format, arguments);
    va_end(arguments);
}

static bool has_code(const json_t *error, const char *code)
{
    return strcmp(state_text(error, "code"), code) == 0;
}

/* Only these say nothing without the field: the others name in words what is to blame. */
static bool is_about_a_field(const json_t *error)
{
    return has_code(error, "bad_field") || has_code(error, "unknown_field") ||
           has_code(error, "missing_field") || has_code(error, "bad_options");
}

/* Without the full stop. */
static void begin_text(char *text, size_t size, const json_t *error)
{
    const char *message = state_text(error, "message"), *code = state_text(error, "code");
    const json_t *number = json_object_get(error, "number");
    size_t len = strlen(message);
    if (len > 0 && message[len - 1] == '.')
        len--;
    if (len > 0)
        snprintf(text, size, "%.*s", (int)len, message);
    else
        snprintf(text, size, "%s", *code ? code : "The server refused");
    if (*state_text(error, "at"))
        add_text(text, size, " (%s)", state_text(error, "at"));
    if (json_is_integer(number))
        add_text(text, size, " (%d)", (int)json_integer_value(number));
}

void refusal_text(char *text, size_t size, const json_t *error)
{
    const char *field = state_text(error, "field");
    begin_text(text, size, error);
    if (*field && is_about_a_field(error))
        add_text(text, size, " (%s)", field);
    add_text(text, size, ".");
}

/* ---- options */

/* "clock.move_s" is --move and "options.two_hex" is --two-hex: what the option is called. */
static void option_name(char name[32], const char *field)
{
    const char *dot = strchr(field, '.');
    snprintf(name, 32, "%s", dot ? dot + 1 : field);
    size_t len = strlen(name);
    if (dot && len > 2 && strcmp(name + len - 2, "_s") == 0)
        name[len - 2] = '\0';
    for (char *at = name; *at; at++)
        *at = *at == '_' ? '-' : *at;
}

static const struct option_row *find_option(const struct invocation *invocation, const char *name)
{
    for (size_t i = 0; i < invocation->table_count; i++) {
        for (const struct option_row *row = invocation->tables[i].rows; row && row->name; row++) {
            if (strcmp(row->name, name) == 0)
                return row;
        }
    }
    return NULL;
}

/* "; a, b or c" or "; 2 to 5": the values that an option can have. */
static void add_values(char *text, size_t size, const struct option_row *row)
{
    if (row->kind == OPTION_NUMBER)
        add_text(text, size, "; %lld to %lld", (long long)row->min, (long long)row->max);
    for (const char *const *word = row->words; word && *word; word++)
        add_text(text, size, "%s%s", word == row->words ? "; " : word[1] ? ", " : " or ", *word);
}

void refusal_of_command(char *text, size_t size, const json_t *error,
                        const struct invocation *invocation)
{
    char name[32];
    const char *field = state_text(error, "field");
    option_name(name, field);
    const struct option_row *row = *field ? find_option(invocation, name) : NULL;
    if (!row) {
        refusal_text(text, size, error);
        return;
    }
    if (has_code(error, "bad_field"))
        snprintf(text, size, "This value is not possible");
    else
        begin_text(text, size, error);
    add_text(text, size, ": --%s (%s", row->name, row->help);
    add_values(text, size, row);
    add_text(text, size, ").");
}
