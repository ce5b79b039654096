#include "account_table.h"

#include "quiet_table.h"
#include "state.h"
#include <base/copy_text.h>
#include <hub/kernel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct store_table account_table = {
    .name = "account",
    .what = "a handle of an account",
    .number = 20,
    .size = sizeof(struct account_row),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 8,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct account_row, session)},
                {"number", STORE_NUMBER, STORE_MEMBER(struct account_row, number)},
                {"kind", STORE_NUMBER, STORE_MEMBER(struct account_row, kind), .max = ACCOUNT_BOT},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct account_row, since_ms)},
                {"called_ms", STORE_NUMBER, STORE_MEMBER(struct account_row, called_ms)},
                {"user_id", STORE_BYTES, STORE_MEMBER(struct account_row, user_id)},
                {"handle", STORE_STRING, STORE_MEMBER(struct account_row, handle)},
                {"claim", STORE_STRING, STORE_MEMBER(struct account_row, claim),
                 .flags = STORE_CLAIM}},
    .indexes = {[ACCOUNT_BY_CLAIM] = {"by_claim", .columns = {7}, .count = 1, .same = 1},
                [ACCOUNT_BY_SESSION] = {"by_session", .columns = {0, 1}, .count = 2, .same = 1,
                                        .descending = true}},
};

/* ---- in memory */

struct entry {
    uint64_t key; /* the session */
    struct account_row row;
};

void accounts_init(struct hub *hub)
{
    table_init(&people_of(hub)->accounts, sizeof(struct entry));
}

void accounts_release(struct hub *hub)
{
    table_release(&people_of(hub)->accounts);
}

size_t accounts_count(const struct hub *hub)
{
    return people_of(hub)->accounts.count;
}

static struct entry *find_entry(const struct hub *hub, const struct session *session)
{
    size_t at = 0;
    return table_find(&people_of(hub)->accounts, kernel_session_id(session), &at);
}

const struct account_row *account_of(const struct hub *hub, const struct session *session)
{
    const struct entry *entry = find_entry(hub, session);
    return entry ? &entry->row : NULL;
}

/* ---- giving one */

struct account_given {
    struct people *people;
    struct account_row row;
    struct kernel_account *account; /* NULL: it is the session's by now */
    char *name;                     /* of a program; NULL: it stays, or is the session's by now */
};

struct account_given *account_prepare(struct hub *hub, const struct account_row *row,
                                      uint64_t owner)
{
    struct account_given *given = calloc(1, sizeof *given);
    struct kernel_account *account = calloc(1, sizeof *account);
    char *name = row->kind == ACCOUNT_BOT ? copy_text(row->handle) : NULL;
    if (!given || !account || (row->kind == ACCOUNT_BOT && !name) ||
        !table_reserve(&people_of(hub)->accounts, people_of(hub)->prepared + 1)) {
        free(given);
        free(account);
        free(name);
        return NULL;
    }
    account->shown.kind = row->kind;
    account->shown.quiet = quiet_is(hub, row->session);
    (void)snprintf(account->shown.handle, sizeof account->shown.handle, "%s", row->handle);
    memcpy(account->user_id, row->user_id, sizeof account->user_id);
    account->owner = owner;
    *given = (struct account_given){
        .people = people_of(hub), .row = *row, .account = account, .name = name};
    given->people->prepared++;
    return given;
}

void account_drop(struct account_given *given)
{
    if (!given)
        return;
    given->people->prepared--;
    free(given->account);
    free(given->name);
    free(given);
}

void account_give(struct hub *hub, struct session *session, struct account_given *given)
{
    struct entry *entry = find_entry(hub, session);
    if (entry)
        entry->row = given->row;
    else
        table_add(&people_of(hub)->accounts, &(struct entry){given->row.session, given->row});
    kernel_give_account(hub, session, given->account);
    given->account = NULL;
    if (given->name) /* a program's is its handle, whatever is in the session's row */
        kernel_call_session(session, given->name);
    given->name = NULL;
}

void account_gone(struct hub *hub, const struct session *session)
{
    struct entry *entry = find_entry(hub, session);
    if (entry)
        table_remove(&people_of(hub)->accounts, entry);
}
