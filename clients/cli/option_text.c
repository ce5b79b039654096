#include "option_text.h"

#include <cli/encoding.h>
#include <string.h>

enum { CONVERTED_MAX = 64, CONVERTED_BYTES = 1024 };

static char converted[CONVERTED_MAX][CONVERTED_BYTES];
static size_t converted_count;

static bool read_text(const struct invocation *invocation, const char **text, const char *what)
{
    const char *read = NULL;
    if (converted_count < CONVERTED_MAX)
        read = encoding_read(converted[converted_count], CONVERTED_BYTES, *text);
    if (!read) {
        command_complain(invocation, "%s is not UTF-8, nor text of the locale's encoding, %s", what,
                         encoding_of_locale());
        return false;
    }
    converted_count += read != *text;
    *text = read;
    return true;
}

static bool is_file(const struct option_row *row)
{
    return row->value && (strcmp(row->value, "FILE") == 0 || strcmp(row->value, "DIR") == 0);
}

static bool read_option(const struct invocation *invocation, const struct option_row *row,
                        void *values)
{
    char what[64];
    void *const value = (unsigned char *)values + row->offset;
    snprintf(what, sizeof what, "--%.50s", row->name);
    if (row->kind == OPTION_TEXT || row->kind == OPTION_NAME)
        return read_text(invocation, value, what);
    struct option_list *const list = value;
    for (size_t i = 0; row->kind == OPTION_LIST && i < list->count; i++) {
        if (!read_text(invocation, &list->items[i], what))
            return false;
    }
    return true;
}

static bool read_options(const struct invocation *invocation)
{
    for (size_t i = 0; i < invocation->table_count; i++) {
        const struct option_table *table = &invocation->tables[i];
        for (const struct option_row *row = table->rows; row->name; row++) {
            if (options_given(invocation->parsed, row->name) && !is_file(row) &&
                !read_option(invocation, row, table->values))
                return false;
        }
    }
    return true;
}

bool option_texts_read(struct invocation *invocation)
{
    const bool files = strstr(invocation->command->operands, "FILE") != NULL;
    if (!read_options(invocation))
        return false;
    for (int i = 0; !files && i < invocation->operand_count; i++) {
        const char *text = invocation->operands[i];
        if (!read_text(invocation, &text, "what is behind the command"))
            return false;
        if (text != invocation->operands[i])
            invocation->operands[i] = converted[converted_count - 1];
    }
    return true;
}
