#include "model_rows.h"

#include "model_query.h"
#include <assert.h>
#include <stdlib.h>

static void row_release(struct model_row *row)
{
    free(row->row);
    free(row->borrowed);
}

void *model_grown(void *items, size_t count, size_t *size, size_t item_size)
{
    if (count < *size)
        return items;
    *size = *size ? *size * 2 : 8;
    items = realloc(items, *size * item_size);
    assert(items);
    return items;
}

const void *model_row(const struct model_store *model, const struct store_table *table,
                      uint64_t session, size_t at)
{
    for (size_t i = 0; i < model->row_count; i++) {
        const struct model_row *row = &model->rows[i];
        if (row->table == table && store_owner_of(table, row->row) == session && at-- == 0)
            return row->row;
    }
    return NULL;
}

const void *model_nth(const struct model_store *model, const struct store_table *table, size_t at)
{
    for (size_t i = 0; i < model->row_count; i++) {
        if (model->rows[i].table == table && at-- == 0)
            return model->rows[i].row;
    }
    return NULL;
}

size_t model_rows(const struct model_store *model, const struct store_table *table)
{
    size_t count = 0;
    while (model_nth(model, table, count))
        count++;
    return count;
}

const struct credential_row *model_pass(const struct model_store *model, uint64_t session,
                                        enum credential_kind kind, size_t at)
{
    const struct credential_row *pass;
    for (size_t i = 0; (pass = model_row(model, &credential_table, session, i)); i++) {
        if (pass->kind == kind && at-- == 0)
            return pass;
    }
    return NULL;
}

/* The one that has this key: `row` may be what is kept of it, and is not read any more then. */
static void drop_here(struct model_store *model, const struct store_row *row)
{
    for (size_t i = 0; i < model->row_count; i++) {
        struct model_row *other = &model->rows[i];
        if (other->table != row->table || !store_same_key(row->table, other->row, row->row))
            continue;
        row_release(other);
        model->rows[i] = model->rows[--model->row_count];
        return;
    }
}

/* What is addressed is where it was put. */
void model_drop_row(struct model_store *model, const struct store_row *row)
{
    struct model_store *store = model;
    do {
        drop_here(store, row);
        store = row->table->owner == STORE_ADDRESSED ? store->next : NULL;
    } while (store && store != model);
}

void model_drop_rows_of(struct model_store *model, uint64_t session)
{
    for (size_t i = 0; i < model->row_count; i++) {
        struct model_row *row = &model->rows[i];
        if (store_owner_of(row->table, row->row) != session)
            continue;
        row_release(row);
        model->rows[i--] = model->rows[--model->row_count];
    }
}

/* The first of its session by their key, as long as there are more than may be. */
static void trim_rows(struct model_store *model, const struct store_table *table, uint64_t session,
                      size_t keep)
{
    const void *row, *first;
    size_t count;
    do {
        first = NULL;
        for (count = 0; (row = model_row(model, table, session, count)); count++) {
            if (!first || model_compare_keys(table, row, first) < 0)
                first = row;
        }
        if (count > keep)
            model_drop_row(model, &(struct store_row){.table = table, .row = first});
    } while (count > keep);
}

void model_put_row(struct model_store *model, const struct store_row *row)
{
    struct model_row copy = {.table = row->table,
                             .row = malloc(row->table->size),
                             .borrowed = malloc(store_row_borrows(row->table, row->row) + 1)};
    assert(copy.row && copy.borrowed);
    store_row_copy(row->table, copy.row, row->row, copy.borrowed);
    model_drop_row(model, row);
    model->rows = model_grown(model->rows, model->row_count, &model->row_size, sizeof *model->rows);
    model->rows[model->row_count++] = copy;
    if (row->keep > 0)
        trim_rows(model, row->table, store_owner_of(row->table, copy.row), row->keep);
}

static bool is_claimed_here(const struct model_store *model, const struct store_row *row)
{
    for (size_t i = 0; i < model->row_count; i++) {
        const struct model_row *other = &model->rows[i];
        if (other->table == row->table && !store_same_key(row->table, other->row, row->row) &&
            store_same_claim(row->table, row->row, other->row))
            return true;
    }
    return false;
}

/* In whatever part of the site. */
bool model_has_claimed(const struct model_store *model, const struct store_op *op)
{
    const struct model_store *store =
        op->kind == STORE_PUT_ROW && !model->gives_twice ? model : NULL;
    bool claimed = false;
    while (store && !claimed) {
        claimed = is_claimed_here(store, &op->u.row);
        store = store->next != model ? store->next : NULL;
    }
    return claimed;
}

void model_rows_release(struct model_store *model)
{
    for (size_t i = 0; i < model->row_count; i++)
        row_release(&model->rows[i]);
    free(model->rows);
}

/* ---- the bound of letters */

/* NULL: the op is about no letter, or is not to be done. */
static const struct store_letter *letter_of(const struct store_batch *batch, size_t at)
{
    const struct store_op *op = &batch->ops[at];
    const bool row = op->kind == STORE_PUT_ROW || op->kind == STORE_DROP_ROW;
    return row && batch->results[at] == STORE_OK && op->u.row.table == &store_letter_table
               ? op->u.row.row
               : NULL;
}

/* Has that letter no op between these? */
static bool is_left_alone(const struct store_batch *batch, size_t from, size_t upto,
                          const struct store_letter *letter)
{
    for (size_t i = from; i < upto; i++) {
        const struct store_letter *other = letter_of(batch, i);
        if (other && store_same_key(&store_letter_table, other, letter))
            return false;
    }
    return true;
}

/* Which letters are counted together with one: whose addressee is the same, or NULL: all; of these
 * those with such ids. */
struct counted {
    const uint64_t *addressee;
    uint64_t first, last;
};

static bool is_counted(const struct store_letter *letter, const struct counted *counted)
{
    return !counted->addressee || (letter->addressee == *counted->addressee &&
                                   letter->id >= counted->first && letter->id <= counted->last);
}

/* In whatever part of the site, when the ops before `upto` are done. */
static size_t count_letters(const struct model_store *model, const struct store_batch *batch,
                            size_t upto, const struct counted *counted)
{
    const struct model_store *store = model;
    const struct store_letter *letter;
    size_t count = 0;
    do {
        for (size_t at = 0; (letter = model_nth(store, &store_letter_table, at)); at++)
            count += is_counted(letter, counted) && is_left_alone(batch, 0, upto, letter);
        store = store->next;
    } while (store && store != model);
    for (size_t i = 0; i < upto; i++) {
        letter = letter_of(batch, i);
        count += letter && batch->ops[i].kind == STORE_PUT_ROW && is_counted(letter, counted) &&
                 is_left_alone(batch, i + 1, upto, letter);
    }
    return count;
}

/* To that addressee; of these from where it was asked for. */
static bool is_within_of(const struct model_store *model, const struct store_batch *batch,
                         size_t at, const struct store_letter *letter)
{
    const struct store_letter_bound *bound = &batch->ops[at].within;
    const struct counted to = {&letter->addressee, 0, UINT64_MAX};
    struct counted from = {.addressee = &letter->addressee};
    if (count_letters(model, batch, at, &to) >= bound->per_addressee)
        return false;
    return !store_letter_senders(letter->id, &from.first, &from.last) ||
           count_letters(model, batch, at, &from) < bound->per_sender;
}

bool model_is_within(const struct model_store *model, const struct store_batch *batch, size_t at)
{
    const struct store_op *op = &batch->ops[at];
    const struct store_letter_bound *bound = &op->within;
    const struct store_letter *letter = op->kind == STORE_PUT_ROW ? op->u.row.row : NULL;
    if (bound->all == 0)
        return true;
    if (count_letters(model, batch, at, &(struct counted){.addressee = NULL}) >= bound->all)
        return false;
    return !letter || is_within_of(model, batch, at, letter);
}
