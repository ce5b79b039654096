#include "rows.h"

#include <stdio.h>

const struct store_table book_table = {
    .name = "book",
    .what = "a line of the book of ratings",
    .number = 31,
    .size = sizeof(struct book_row),
    .owner = STORE_OF_DESK,
    .unloaded = true,
    .keys = 1,
    .count = 4,
    .columns = {{"n", STORE_NUMBER, STORE_MEMBER(struct book_row, n)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct book_row, at_ms)},
                {"chain", STORE_BYTES, STORE_MEMBER(struct book_row, hash)},
                {"line", STORE_TEXT, STORE_MEMBER(struct book_row, line),
                 .len_at = offsetof(struct book_row, line_len), .max = BOOK_LINE_MAX}},
    .indexes = {{"by_n", .columns = {0}, .count = 1}},
};

const struct store_table book_end_table = {
    .name = "book_end",
    .what = "the end of the book of ratings",
    .number = 32,
    .size = sizeof(struct book_end_row),
    .owner = STORE_OF_DESK,
    .keys = 1,
    .count = 4,
    .columns = {{"id", STORE_NUMBER, STORE_MEMBER(struct book_end_row, id), .max = 1},
                {"n", STORE_NUMBER, STORE_MEMBER(struct book_end_row, n)},
                {"chain", STORE_BYTES, STORE_MEMBER(struct book_end_row, hash)},
                {"system", STORE_NUMBER, STORE_MEMBER(struct book_end_row, system)}},
};

const struct store_table rating_table = {
    .name = "rating",
    .what = "a rating of an account",
    .number = 33,
    .size = sizeof(struct rating_row),
    .owner = STORE_OF_DESK,
    .keys = 2,
    .count = 9,
    .columns =
        {{"account", STORE_NUMBER, STORE_MEMBER(struct rating_row, account)},
         {"class", STORE_NUMBER, STORE_MEMBER(struct rating_row, class), .max = RATING_CLASSES},
         {"strength", STORE_NUMBER, STORE_MEMBER(struct rating_row, strength), .max = RATING_MAX},
         {"deviation", STORE_NUMBER, STORE_MEMBER(struct rating_row, deviation),
          .max = RATING_DEVIATION_MAX},
         {"matches", STORE_NUMBER, STORE_MEMBER(struct rating_row, matches)},
         {"last_ms", STORE_NUMBER, STORE_MEMBER(struct rating_row, last_ms)},
         {"n", STORE_NUMBER, STORE_MEMBER(struct rating_row, n)},
         {"listed", STORE_NUMBER, STORE_MEMBER(struct rating_row, listed), .max = RATING_MAX},
         {"handle", STORE_STRING, STORE_MEMBER(struct rating_row, handle)}},
    .indexes = {{"leaders", .columns = {1, 7}, .count = 2, .same = 1, .descending = true},
                {"of_account", .columns = {0, 1}, .count = 2, .same = 1}},
};

const struct store_table rating_step_table = {
    .name = "rating_step",
    .what = "a change of a rating",
    .number = 34,
    .size = sizeof(struct rating_step_row),
    .owner = STORE_OF_DESK,
    .unloaded = true,
    .keys = 3,
    .count = 8,
    .columns = {{"account", STORE_NUMBER, STORE_MEMBER(struct rating_step_row, account)},
                {"class", STORE_NUMBER, STORE_MEMBER(struct rating_step_row, class),
                 .max = RATING_CLASSES},
                {"n", STORE_NUMBER, STORE_MEMBER(struct rating_step_row, n)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct rating_step_row, at_ms)},
                {"strength_before", STORE_NUMBER, STORE_MEMBER(struct rating_step_row, before),
                 .max = RATING_MAX},
                {"strength", STORE_NUMBER, STORE_MEMBER(struct rating_step_row, strength),
                 .max = RATING_MAX},
                {"deviation", STORE_NUMBER, STORE_MEMBER(struct rating_step_row, deviation),
                 .max = RATING_DEVIATION_MAX},
                {"room", STORE_STRING, STORE_MEMBER(struct rating_step_row, room)}},
    .indexes = {{"curve", .columns = {0, 1, 2}, .count = 3, .same = 2, .descending = true}},
};

struct rating_row rating_row_of(const struct standing *standing, const char *handle)
{
    const bool listed = standing->rating.deviation <= RATING_LISTED_DEVIATION &&
                        standing->matches >= RATING_LISTED_MATCHES;
    struct rating_row row = {.account = standing->account,
                             .class = standing->class,
                             .strength = standing->rating.strength,
                             .deviation = standing->rating.deviation,
                             .matches = standing->matches,
                             .last_ms = standing->last_ms,
                             .n = standing->n,
                             .listed = listed ? standing->rating.strength : 0};
    (void)snprintf(row.handle, sizeof row.handle, "%s", handle);
    return row;
}

struct standing standing_of(const struct rating_row *row)
{
    return (struct standing){.account = row->account,
                             .class = row->class,
                             .rating = {row->strength, row->deviation},
                             .matches = row->matches,
                             .last_ms = row->last_ms,
                             .n = row->n};
}
