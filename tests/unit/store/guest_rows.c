#include "guest_rows.h"

#include "row_ops.h"
#include <hub/store_document.h>
#include <stdio.h>
#include <string.h>

struct store_op op_word(uint64_t session, uint32_t id, const char *name)
{
    struct guest_word word = {.session = session,
                              .id = id,
                              .at_ms = 1790000000007,
                              .seal = {0, 1, 0xff},
                              .words = "Na\xc3\xafve, 'tis"};
    snprintf(word.name, sizeof word.name, "%s", name);
    return op_put_row(&guest_word_table, &word);
}

struct store_op op_page(uint64_t number, const char *text)
{
    const struct guest_page page = {number, 1, text, (uint16_t)strlen(text)};
    return op_put_row(&guest_page_table, &page);
}

struct store_op op_letter(uint64_t addressee, uint64_t id, int64_t at_ms, const char *text)
{
    const struct store_letter letter = {.addressee = addressee,
                                        .id = id,
                                        .at_ms = at_ms,
                                        .kind = "book.greeting",
                                        .text = text,
                                        .text_len = (uint16_t)strlen(text)};
    return op_put_row(&store_letter_table, &letter);
}

struct store_op op_document(const char *name, int64_t revision, const char *text)
{
    struct store_document document = {.revision = revision, .text = text};
    snprintf(document.name, sizeof document.name, "%s", name);
    return op_put_row(&store_document_table, &document);
}

struct store_query any_query(struct rng *rng)
{
    struct store_query query = {.table = &guest_word_table};
    struct guest_word from = {.id = (uint32_t)rng_below(rng, 2),
                              .session = 1 + rng_below(rng, 4),
                              .at_ms = 1790000000007,
                              .name = "ana",
                              .place = rng_below(rng, 3)};
    struct store_letter behind = {.addressee = 1 + rng_below(rng, 4),
                                  .id = rng_below(rng, 3),
                                  .at_ms = (int64_t)rng_below(rng, 4)};
    query.index = &guest_word_table.indexes[rng_below(rng, 3)];
    query.limit = 1 + (uint32_t)rng_below(rng, 5);
    query.behind = rng_below(rng, 2);
    if (query.behind && from.place != 0 && rng_below(rng, 2) == 0)
        query.behind_by = GUEST_WORD_PLACE;
    memcpy(query.from, &from, sizeof from);
    if (rng_below(rng, 3) > 0)
        return query;
    query.table = &store_letter_table;
    query.behind_by = 0;
    query.index = &store_letter_table.indexes[0];
    memcpy(query.from, &behind, sizeof behind);
    return query;
}

void dump_query(FILE *out, struct store_query *query)
{
    for (size_t at = 0; at < query->count; at++)
        dump_row(out, query->table, store_query_row(query, at));
    fprintf(out, "%d %s\n", (int)query->result, query->more ? "more" : "no more");
    query->release(query);
}

static struct store_op any_letter(struct rng *rng, const char *text)
{
    static const struct store_letter_bound bounds[] = {{1, 2, 5}, {2, 1, 9}};
    const uint64_t addressee = 1 + rng_below(rng, 4), drawn = rng_below(rng, 3);
    const uint64_t id = store_letter_id((uint16_t)rng_below(rng, 3), drawn);
    struct store_op op = op_letter(addressee, id, (int64_t)rng_below(rng, 4), text);
    if (rng_below(rng, 3) > 0)
        op.within = bounds[rng_below(rng, 2)];
    return op;
}

struct store_op op_any_guest(struct rng *rng)
{
    static const char *const names[] = {"", "ana", "Ana", "bo", "zo\xc3\xab"};
    struct store_op op = op_word(1 + rng_below(rng, 4), (uint32_t)rng_below(rng, 2),
                                 names[rng_below(rng, sizeof names / sizeof names[0])]);
    ((struct guest_word *)op_row(&op))->place = rng_below(rng, 3);
    op.u.row.keep = (uint32_t)rng_below(rng, 4) / 3;
    if (rng_below(rng, 4) == 0)
        op = op_page(rng_below(rng, 3), names[rng_below(rng, 5)]);
    else if (rng_below(rng, 4) == 0)
        op = any_letter(rng, names[rng_below(rng, 5)]);
    if (rng_below(rng, 3) == 0)
        op.kind = STORE_DROP_ROW;
    if (rng_below(rng, 8) == 0) /* which stays */
        return op_document(rng_below(rng, 2) ? "bans" : "days", 1 + (int64_t)rng_below(rng, 9),
                           names[rng_below(rng, 5)]);
    return op;
}
