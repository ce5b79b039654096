#include <hub/store_query.h>

#include <assert.h>
#include <hub/store.h>
#include <hub/store_row.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)STORE_GIVEN_MAX >= (int)STORE_ORDER_MAX, "all that order are given at most");

size_t store_query_given(const struct store_query *query, uint8_t columns[static STORE_GIVEN_MAX])
{
    const size_t count = store_index_order(query->table, query->index, columns);
    if (query->behind && !query->behind_by)
        return count;
    columns[query->index->same] = query->behind_by;
    return query->index->same + (query->behind ? 1U : 0U);
}

struct page {
    char *borrowed[STORE_QUERY_ROWS_MAX]; /* of each row */
    size_t size;                          /* of a row */
    size_t seen;                          /* rows, with those that were left out */
    alignas(max_align_t) uint8_t rows[];
};

static void release(struct store_query *query)
{
    struct page *page = query->owner;
    for (size_t at = 0; page && at < query->count; at++)
        free(page->borrowed[at]);
    free(page);
    query->owner = NULL;
    query->count = 0;
}

bool store_query_begin(struct store_query *query)
{
    const size_t bytes = (size_t)query->limit * query->table->size;
    struct page *page = malloc(sizeof *page + bytes);
    query->count = 0;
    query->more = false;
    query->owner = page;
    query->release = release;
    if (page) {
        page->size = query->table->size;
        page->seen = 0;
    }
    return page;
}

/* Who asks for more begins behind the last row, so there has to be one. */
static bool is_beyond(struct store_query *query)
{
    struct page *page = query->owner;
    const bool beyond = ++page->seen > query->limit && query->count > 0;
    query->more |= beyond;
    return beyond;
}

void store_query_leave_out(struct store_query *query)
{
    (void)is_beyond(query);
}

bool store_query_add(struct store_query *query, const void *row)
{
    struct page *page = query->owner;
    if (is_beyond(query))
        return true;
    char *borrowed = malloc(store_row_borrows(query->table, row) + 1);
    if (!borrowed)
        return false;
    store_row_copy(query->table, page->rows + query->count * page->size, row, borrowed);
    page->borrowed[query->count++] = borrowed;
    return true;
}

const void *store_query_row(const struct store_query *query, size_t at)
{
    const struct page *page = query->owner;
    return page->rows + at * page->size;
}
