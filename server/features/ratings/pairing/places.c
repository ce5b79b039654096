#include "places.h"

#include <assert.h>
#include <base/table.h>
#include <stdlib.h>
#include <string.h>

const struct store_table place_table = {
    .name = "place",
    .what = "where somebody plays",
    .number = 71,
    .size = sizeof(struct place_row),
    .owner = STORE_OF_DESK,
    .keys = 2,
    .count = 3,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct place_row, session)},
                {"room", STORE_STRING, STORE_MEMBER(struct place_row, room)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct place_row, since_ms)}},
};

struct place_rows {
    struct table table;
};

int places_begin(struct places *places)
{
    places->rows = malloc(sizeof *places->rows);
    if (!places->rows)
        return -1;
    table_init(&places->rows->table, sizeof(struct place_row));
    return 0;
}

void places_end(struct places *places)
{
    if (places->rows)
        table_release(&places->rows->table);
    free(places->rows);
}

bool places_reserve(struct places *places, size_t more)
{
    if (!table_reserve(&places->rows->table, places->coming + more))
        return false;
    places->coming += more;
    return true;
}

void places_give_back(struct places *places, size_t more)
{
    assert(more <= places->coming);
    places->coming -= more;
}

static struct place_row *find_row(const struct places *places, uint64_t session, const char *room)
{
    size_t at = 0;
    struct place_row *row;
    while ((row = table_find(&places->rows->table, session, &at))) {
        if (memcmp(row->room, room, PROTOCOL_ROOM_BYTES) == 0)
            return row;
    }
    return NULL;
}

void places_keep(struct places *places, const struct place_row *row)
{
    if (!find_row(places, row->session, row->room))
        table_add(&places->rows->table, row);
}

void places_drop(struct places *places, uint64_t session, const char *room)
{
    struct place_row *row = find_row(places, session, room);
    if (row)
        table_remove(&places->rows->table, row);
}

bool places_find(const struct places *places, uint64_t session, const char *room)
{
    return find_row(places, session, room);
}

static bool is_old(const struct place_row *row, int64_t now_ms)
{
    return now_ms - row->since_ms >= PLACES_MS;
}

const struct place_row *places_of(const struct places *places, uint64_t session, int64_t now_ms,
                                  size_t *at)
{
    const struct place_row *row;
    while ((row = table_find(&places->rows->table, session, at))) {
        if (!is_old(row, now_ms))
            return row;
    }
    return NULL;
}

const struct place_row *places_old(const struct places *places, int64_t now_ms)
{
    size_t at = 0;
    const struct place_row *row;
    while ((row = table_next(&places->rows->table, &at))) {
        if (is_old(row, now_ms))
            return row;
    }
    return NULL;
}
