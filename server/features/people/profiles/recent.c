#include "recent.h"

#include "tables/archive_table.h"
#include <hub/store.h>
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <stdbool.h>
#include <string.h>

static const struct archive_row *row_at(const struct store_query *rows, size_t at)
{
    return store_query_row(rows, at);
}

static size_t count_of(const struct store_query *rows)
{
    return rows->count < RECENT_MATCHES ? rows->count : RECENT_MATCHES;
}

/* ---- one by one */

static void write_match(const struct archive_row *row, struct writer *writer)
{
    writer_object(writer);
    writer_key_string(writer, "room", row->room);
    writer_key_string(writer, "game", row->game);
    writer_key_string(writer, "against", row->against == TALLY_PEOPLE ? "people" : "computers");
    writer_key_int(writer, "size", row->size);
    writer_key_int(writer, "seat", row->seat);
    writer_key_int(writer, "at", row->at_ms);
    if (row->result & ARCHIVE_WON)
        writer_key_bool(writer, "won", true);
    if (!(row->result & ARCHIVE_FINISHED))
        writer_key_bool(writer, "left", true);
    writer_end(writer);
}

/* ---- sums: rows that are alike, where the first of them is met */

typedef bool alike(const struct archive_row *one, const struct archive_row *other);

static bool end_alike(const struct archive_row *one, const struct archive_row *other)
{
    return strcmp(one->game, other->game) == 0 && strcmp(one->why, other->why) == 0;
}

static bool level_alike(const struct archive_row *one, const struct archive_row *other)
{
    return strcmp(one->game, other->game) == 0 && strcmp(one->level, other->level) == 0 &&
           one->against == other->against && one->size == other->size;
}

struct sums {
    int matches, won;
};

/* Of those that are as the one at that place; none if that is not the first of them. */
static struct sums sum_up(const struct store_query *rows, size_t first, alike *is_alike)
{
    struct sums sums = {0, 0};
    for (size_t at = 0; at < count_of(rows); at++) {
        if (!is_alike(row_at(rows, at), row_at(rows, first)))
            continue;
        if (at < first)
            return (struct sums){0, 0};
        sums.matches++;
        sums.won += (row_at(rows, at)->result & ARCHIVE_WON) != 0;
    }
    return sums;
}

static void write_sums(const char *game, const struct sums *sums, struct writer *writer)
{
    writer_key_string(writer, "game", game);
    writer_key_int(writer, "matches", sums->matches);
    writer_key_int(writer, "won", sums->won);
    writer_end(writer);
}

static void write_ends(const struct store_query *rows, struct writer *writer)
{
    for (size_t at = 0; at < count_of(rows); at++) {
        const struct archive_row *row = row_at(rows, at);
        const struct sums sums = sum_up(rows, at, end_alike);
        if (sums.matches == 0 || !row->why[0])
            continue;
        writer_object(writer);
        writer_key_string(writer, "why", row->why);
        write_sums(row->game, &sums, writer);
    }
}

/* Against computers alone, of whom the strongest is named. */
static void write_levels(const struct store_query *rows, struct writer *writer)
{
    for (size_t at = 0; at < count_of(rows); at++) {
        const struct archive_row *row = row_at(rows, at);
        const struct sums sums = sum_up(rows, at, level_alike);
        if (sums.matches == 0 || !row->level[0] || row->against != TALLY_COMPUTERS)
            continue;
        writer_object(writer);
        writer_key_string(writer, "level", row->level);
        writer_key_int(writer, "size", row->size);
        write_sums(row->game, &sums, writer);
    }
}

/* ---- all of it */

static void write_all(const struct store_query *rows, struct writer *writer)
{
    writer_object(writer);
    writer_key_array(writer, "last");
    for (size_t at = 0; at < count_of(rows) && at < RECENT_SHOWN; at++)
        write_match(row_at(rows, at), writer);
    writer_end(writer);
    writer_key_object(writer, "recent");
    writer_key_int(writer, "of", (int64_t)count_of(rows));
    writer_key_array(writer, "ends");
    write_ends(rows, writer);
    writer_end(writer);
    writer_key_array(writer, "levels");
    write_levels(rows, writer);
    writer_end(writer);
    writer_end(writer);
    writer_end(writer);
}

void recent_write(const struct store_query *rows, struct buffer *out)
{
    struct buffer object;
    struct writer writer;
    buffer_init(&object, 0, out->max);
    writer_init(&writer, &object);
    write_all(rows, &writer);
    buffer_append_byte(out, ',');
    if (object.failed)
        out->failed = true;
    else
        buffer_append(out, buffer_payload(&object) + 1, object.len - 2); /* without its ends */
    buffer_release(&object);
}
