#include "handles.h"

#include "marks.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tables/account_table.h>

static const char *const words[HANDLES_GROUPS][HANDLES_SPELLINGS] = {
    {"ana-1", "Ana1", "aNa-i"},    {"barney", "BAMEY", "Barn-ey"},
    {"wilma", "VVilma", "w1-lma"}, {"dino5", "D1n0s", "dlno-s"},
    {"betty", "Bet-ty", "BETTY"},  {"pebbles", "Pebble5", "peb-b1es"},
};

const char *handles_word(unsigned group, unsigned spelling)
{
    return words[group][spelling];
}

/* -1: none of these, as a liar says something else. */
static int group_of(const char *handle)
{
    for (int group = 0; group < HANDLES_GROUPS; group++) {
        for (int at = 0; at < HANDLES_SPELLINGS; at++) {
            if (strcmp(words[group][at], handle) == 0)
                return group;
        }
    }
    return -1;
}

void handles_release(struct handles *handles)
{
    free(handles->rows);
    *handles = (struct handles){0};
}

static bool look_alike(const char *one, const char *other)
{
    return strcmp(one, other) == 0 || (group_of(one) >= 0 && group_of(one) == group_of(other));
}

bool handles_has(const struct handles *handles, uint64_t session, const char *handle)
{
    for (size_t at = 0; at < handles->count; at++) {
        if (handles->rows[at].session == session && look_alike(handles->rows[at].handle, handle))
            return true;
    }
    return false;
}

bool handles_has_another(const struct handles *handles, uint64_t session, const char *handle)
{
    for (size_t at = 0; at < handles->count; at++) {
        if (handles->rows[at].session != session && look_alike(handles->rows[at].handle, handle))
            return true;
    }
    return false;
}

static bool is_claimed_by_another(const struct handles *handles, const struct account_row *row)
{
    for (size_t at = 0; at < handles->count; at++) {
        if (handles->rows[at].session != row->session &&
            strcmp(handles->rows[at].claim, row->claim) == 0)
            return true;
    }
    return handles_has_another(handles, row->session, row->handle);
}

/* NULL: the session has had no such number. */
static struct claimed *find_row(const struct handles *handles, const struct account_row *row)
{
    for (size_t at = 0; at < handles->count; at++) {
        if (handles->rows[at].session == row->session && handles->rows[at].number == row->number)
            return &handles->rows[at];
    }
    return NULL;
}

static void keep(struct claimed *claimed, const struct account_row *row)
{
    *claimed = (struct claimed){.session = row->session, .number = row->number};
    static_assert(sizeof row->handle == sizeof claimed->handle, "as the row has it");
    static_assert(sizeof row->claim == sizeof claimed->claim, "as the row has it");
    memcpy(claimed->handle, row->handle, sizeof claimed->handle);
    memcpy(claimed->claim, row->claim, sizeof claimed->claim);
}

static void add_row(struct handles *handles, const struct account_row *row)
{
    if (handles->count == handles->size) {
        handles->size = handles->size ? 2 * handles->size : 16;
        handles->rows = realloc(handles->rows, handles->size * sizeof *handles->rows);
        assert(handles->rows);
    }
    keep(&handles->rows[handles->count++], row);
}

static const char *put_account(struct handles *handles, const struct account_row *row,
                               enum store_result result)
{
    struct claimed *before = find_row(handles, row);
    const bool taken = is_claimed_by_another(handles, row);
    if (result == STORE_TAKEN) {
        mark(MARK_CLAIM_TAKEN);
        return taken ? NULL : "a handle is refused that nobody has";
    }
    if (taken)
        return "a handle has two owners";
    if (before && strcmp(before->claim, row->claim) != 0 && !handles->lied)
        return "a handle is given up";
    mark(MARK_CLAIM_GRANTED);
    if (before)
        keep(before, row);
    else
        add_row(handles, row);
    return NULL;
}

/* Then its handle would be anybody's. */
static bool has_account(const struct handles *handles, uint64_t session)
{
    size_t at = 0;
    while (at < handles->count && handles->rows[at].session != session)
        at++;
    return at < handles->count;
}

const char *handles_apply(struct handles *handles, const struct store_batch *batch)
{
    const char *wrong = NULL;
    for (size_t i = 0; i < batch->count && !wrong; i++) {
        const struct store_op *op = &batch->ops[i];
        const enum store_result result = batch->results[i];
        if (result != STORE_OK && result != STORE_TAKEN)
            continue;
        if (op->kind == STORE_PUT_ROW && op->u.row.table == &account_table)
            wrong = put_account(handles, op->u.row.row, result);
        else if (op->kind == STORE_DROP_SESSION && has_account(handles, op->u.session_id))
            wrong = "a session with a handle is dropped";
    }
    return wrong;
}
