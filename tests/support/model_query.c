#include "model_query.h"

#include <assert.h>
#include <hub/part.h>
#include <stdlib.h>
#include <string.h>

static int compare_column(const struct store_column *column, const void *one, const void *other)
{
    size_t one_len, other_len;
    if (column->type == STORE_NUMBER) {
        const int64_t first = store_number(column, one), second = store_number(column, other);
        return (first > second) - (first < second);
    }
    const void *first = store_bytes(column, one, &one_len);
    const void *second = store_bytes(column, other, &other_len);
    const int order = memcmp(first, second, one_len < other_len ? one_len : other_len);
    return order ? order : (one_len > other_len) - (one_len < other_len);
}

int model_compare_keys(const struct store_table *table, const void *one, const void *other)
{
    int order = 0;
    for (size_t at = 0; at < table->keys && order == 0; at++)
        order = compare_column(&table->columns[at], one, other);
    return order;
}

/* Below 0: `one` comes first. */
static int compare(const struct store_query *query, const void *one, const void *other)
{
    uint8_t columns[STORE_ORDER_MAX];
    const size_t count = store_index_order(query->table, query->index, columns);
    for (size_t at = 0; at < count; at++) {
        const int order = compare_column(&query->table->columns[columns[at]], one, other);
        if (order)
            return query->index->descending ? -order : order;
    }
    return 0;
}

static bool is_asked_for(const struct store_query *query, const void *row)
{
    const struct store_table *table = query->table;
    for (size_t at = 0; at < query->index->same; at++) {
        const struct store_column *column = &table->columns[query->index->columns[at]];
        if (compare_column(column, row, query->from) != 0)
            return false;
    }
    return (query->parts == 0 ||
            part_of_session(store_home_of(table, row), query->parts) == query->part) &&
           (!query->behind || compare(query, query->from, row) < 0);
}

/* The first of all behind `last`; NULL: there is none. */
static const void *next_row(const struct model_store *model, const struct store_query *query,
                            const void *last)
{
    const struct model_store *store = model;
    const void *next = NULL;
    do {
        for (size_t i = 0; i < store->row_count; i++) {
            const void *row = store->rows[i].row;
            if (store->rows[i].table == query->table && is_asked_for(query, row) &&
                (!last || compare(query, last, row) < 0) &&
                (!next || compare(query, row, next) < 0))
                next = row;
        }
        store = store->next;
    } while (store && store != model);
    return next;
}

/* `from` becomes the row behind which the page begins. False: there is none. */
static bool look_up(const struct model_store *model, struct store_query *query)
{
    const struct store_column *by = &query->table->columns[query->behind_by];
    struct store_query asked = *query;
    const void *row = NULL;
    asked.behind = false;
    while ((row = next_row(model, &asked, row)) != NULL &&
           compare_column(by, row, query->from) != 0)
        continue;
    if (row)
        memcpy(query->from, row, query->table->size);
    return row;
}

void model_answer_query(const struct model_store *model, struct store_query *query)
{
    bool done = store_query_begin(query);
    const void *row = NULL;
    struct store_query asked = *query;
    if (done && query->behind && query->behind_by && !look_up(model, &asked)) {
        query->result = STORE_OK;
        return;
    }
    while (done && !query->more && (row = next_row(model, &asked, row)) != NULL)
        done = store_query_add(query, row);
    query->result = done ? STORE_OK : STORE_FAILED;
}
