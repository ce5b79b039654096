#include "row_ops.h"

#include <check.h>
#include <identity/credential_table.h>
#include <inttypes.h>
#include <notify/browser_table.h>
#include <stdalign.h>
#include <stddef.h>
#include <string.h>

const struct store_table *const store_test_tables[] = {&credential_table,   &browser_table,
                                                       &game_table,         &store_document_table,
                                                       &store_letter_table, NULL};

struct kept {
    alignas(max_align_t) unsigned char row[STORE_ROW_SIZE_MAX];
    char borrowed[STORE_TEXT_MAX + 256];
};

static struct kept *next_place(void)
{
    static struct kept places[ROW_OPS_KEPT];
    static size_t next;
    return &places[next++ % ROW_OPS_KEPT];
}

struct store_op op_put_row(const struct store_table *table, const void *row)
{
    struct kept *kept = next_place();
    ck_assert_uint_le(store_row_borrows(table, row), sizeof kept->borrowed);
    store_row_copy(table, kept->row, row, kept->borrowed);
    return (struct store_op){.kind = STORE_PUT_ROW, .u.row = {.table = table, .row = kept->row}};
}

struct store_op op_drop_row(const struct store_table *table, const void *row)
{
    struct kept *kept = next_place();
    memcpy(kept->row, row, table->size);
    return (struct store_op){.kind = STORE_DROP_ROW, .u.row = {.table = table, .row = kept->row}};
}

struct store_op op_put_game(const struct game_row *row, uint32_t keep)
{
    struct store_op op = op_put_row(&game_table, row);
    op.u.row.keep = keep;
    return op;
}

struct store_query games_page(uint64_t session, const char *after)
{
    struct game_row from = {.session = session, .text = ""};
    struct store_query page = {.table = &game_table,
                               .index = &game_table.indexes[GAMES_NEWEST],
                               .limit = GAMES_PAGE,
                               .behind = after[0] != 0,
                               .behind_by = GAME_ROOM};
    snprintf(from.room, sizeof from.room, "%s", after);
    memcpy(page.from, &from, sizeof from);
    return page;
}

void *op_row(const struct store_op *op)
{
    return (void *)(uintptr_t)op->u.row.row;
}

static void dump_value(FILE *out, const struct store_column *column, const void *row)
{
    size_t len;
    if (column->type == STORE_NUMBER) {
        fprintf(out, " %" PRId64, store_number(column, row));
        return;
    }
    const uint8_t *bytes = store_bytes(column, row, &len);
    fputs(column->type == STORE_BYTES ? " " : " '", out);
    for (size_t at = 0; at < len; at++)
        fprintf(out, column->type == STORE_BYTES ? "%02x" : "%c", bytes[at]);
    fputs(column->type == STORE_BYTES ? "" : "'", out);
}

void dump_row(FILE *out, const struct store_table *table, const void *row)
{
    fputs(table->name, out);
    for (size_t at = 0; at < table->count; at++)
        dump_value(out, &table->columns[at], row);
    fputc('\n', out);
}
