#include "invite.h"

#include "invite_code.h"
#include "site_invite.h"
#include "tables/closing_table.h"
#include "tables/state.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <protocol/reply.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

const struct store_table invite_table = {
    .name = "invite",
    .what = "an invitation that an account has made",
    .number = 24,
    .size = sizeof(struct invite_row),
    .owner = STORE_OF_SESSION,
    .unloaded = true,
    .keys = 2,
    .count = 5,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct invite_row, session)},
                {"slot", STORE_NUMBER, STORE_MEMBER(struct invite_row, slot)},
                {"code_hash", STORE_STRING, STORE_MEMBER(struct invite_row, hash)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct invite_row, since_ms)},
                {"until_ms", STORE_NUMBER, STORE_MEMBER(struct invite_row, until_ms)}},
    .indexes = {{"by_hash", .columns = {2}, .count = 1, .same = 1},
                {"by_session", .columns = {0, 1}, .count = 2, .same = 1}},
};

const struct store_table invited_table = {
    .name = "invited",
    .what = "an invitation that a session has come with",
    .number = 26,
    .size = sizeof(struct invited_row),
    .owner = STORE_OF_SESSION,
    .keys = 1,
    .count = 4,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct invited_row, session)},
                {"by_session", STORE_NUMBER, STORE_MEMBER(struct invited_row, by)},
                {"code_hash", STORE_STRING, STORE_MEMBER(struct invited_row, hash),
                 .flags = STORE_CLAIM},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct invited_row, since_ms)}},
};

/* ---- who has come with one */

struct entry {
    uint64_t key; /* the session */
    int64_t since_ms;
};

void invites_init(struct hub *hub)
{
    table_init(&people_of(hub)->invited, sizeof(struct entry));
}

void invites_release(struct hub *hub)
{
    table_release(&people_of(hub)->invited);
}

static struct entry *find_invited(const struct hub *hub, const struct session *session)
{
    size_t at = 0;
    return table_find(&people_of(hub)->invited, kernel_session_id(session), &at);
}

bool invite_has(const struct hub *hub, const struct session *session)
{
    return find_invited(hub, session) != NULL;
}

int64_t invite_since_ms(const struct hub *hub, const struct session *session)
{
    const struct entry *entry = find_invited(hub, session);
    return entry ? entry->since_ms : 0;
}

bool invite_restore(struct hub *hub, const struct invited_row *row)
{
    if (!table_reserve(&people_of(hub)->invited, 1))
        return false;
    table_add(&people_of(hub)->invited, &(struct entry){row->session, row->since_ms});
    return true;
}

void invites_gone(struct hub *hub, const struct session *session)
{
    struct entry *entry = find_invited(hub, session);
    if (entry)
        table_remove(&people_of(hub)->invited, entry);
}

/* ---- what waits for rows */

/* Of a code: is it an account's, else the operator's; and then, was it used before? */
enum step { STEP_OF_ACCOUNT, STEP_OF_SITE, STEP_USED };

struct asked {
    struct kernel_kept kept;
    uint32_t changes; /* of invitations, in this part, when it was asked */
    enum step step;
    uint64_t by; /* STEP_USED: whose it is, 0 the operator's; and how long it is good */
    int64_t until_ms;
    char hash[INVITE_HASH_DIGITS + 1];
};

static void destroy_asked(struct kernel_kept *kept)
{
    free(kept);
}

/* Else that is answered. */
static void ask_invites(const struct call *call, const struct asked *asked,
                        const struct store_table *table, unsigned index, const void *from)
{
    struct asked *kept = malloc(sizeof *kept);
    if (kept) {
        *kept = *asked;
        kept->kept.destroy = destroy_asked;
        kept->changes = people_of(call->hub)->invite_changes;
    }
    const struct kernel_query query = {.table = table,
                                       .index = index,
                                       .limit = STORE_QUERY_ROWS_MAX,
                                       .from = from,
                                       .kept = kept ? &kept->kept : NULL};
    if (kept && call_query(call, &query))
        return;
    call_error(call, kept ? PROTOCOL_SLOW_DOWN : PROTOCOL_INTERNAL, NULL);
    free(kept);
}

static enum protocol_error change_possible(const struct call *call, size_t ops)
{
    const enum protocol_error error = kernel_may_store(call->hub, ops);
    if (error != PROTOCOL_OK)
        return error;
    return kernel_session_is_changing(call->session) || !kernel_session_is_durable(call->session)
               ? PROTOCOL_SLOW_DOWN
               : PROTOCOL_OK;
}

static void destroy_nothing(struct kernel_change *change)
{
    (void)change;
}

/* ---- making one */

static void note_made(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    people_of(hub)->invite_changes++;
}

void op_invite(struct call *call)
{
    if (kernel_env(call->hub)->accounts != HUB_ACCOUNTS_INVITE) {
        call_error(call, PROTOCOL_INVITES_OFF, NULL);
    } else if (!kernel_account(call->session)) {
        call_error(call, PROTOCOL_ACCOUNT_NEEDED, NULL);
    } else {
        const struct invite_row from = {.session = kernel_session_id(call->session)};
        ask_invites(call, &(struct asked){0}, &invite_table, 1, &from);
    }
}

/* One that nobody is invited by any more; those are in the order of their numbers. */
static bool free_slot(const struct call *call, const struct store_query *query, uint32_t *slot)
{
    const int64_t most = kernel_config(call->hub)->invites_per_account;
    *slot = 0;
    for (size_t at = 0; at < query->count; at++) {
        const struct invite_row *row = store_query_row(query, at);
        const int64_t until_ms = row->until_ms + kernel_uncounted_ms(call->hub, row->since_ms);
        if (row->slot != *slot || until_ms <= kernel_now_ms(call->hub))
            break;
        ++*slot;
    }
    return *slot < most;
}

static void answer_made(const struct call *call, uint32_t slot)
{
    static const struct kernel_change_type type = {.carry_out = note_made,
                                                   .destroy = destroy_nothing};
    static struct kernel_change waiting = {&type};
    const int64_t now_ms = kernel_now_ms(call->hub);
    struct invite_row row = {.session = kernel_session_id(call->session),
                             .slot = slot,
                             .since_ms = now_ms,
                             .until_ms = now_ms + kernel_config(call->hub)->invite_ms};
    char code[PROTOCOL_PASS_BYTES + 1];
    struct reply reply;
    invite_make_code(call->hub, code, row.hash);
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "invite", code);
    writer_key_int(&reply.writer, "until", row.until_ms);
    sodium_memzero(code, sizeof code);
    if (kernel_reserve(call->hub, 1, 0) < 0) {
        call_reply_drop(&reply);
    } else if (kernel_change_answered(call, call->session, &reply, &waiting) == 0) {
        kernel_put_row(call->hub, &invite_table, &row);
        return;
    }
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

static void make_invite(const struct call *call, const struct asked *asked,
                        const struct store_query *query)
{
    uint32_t slot;
    enum protocol_error error = change_possible(call, 1);
    if (error == PROTOCOL_OK && asked->changes != people_of(call->hub)->invite_changes)
        error = PROTOCOL_SLOW_DOWN; /* another one was made meanwhile */
    if (error == PROTOCOL_OK && !free_slot(call, query, &slot))
        error = PROTOCOL_TOO_MANY_INVITES;
    if (error == PROTOCOL_OK)
        answer_made(call, slot);
    else
        call_error(call, error, NULL);
}

/* ---- those that one has made */

void op_invites(struct call *call)
{
    const struct invite_row from = {.session = kernel_session_id(call->session)};
    if (kernel_needs_account(call))
        ask_invites(call, &(struct asked){0}, &invite_table, 1, &from);
}

static void list_invites(const struct call *call, const struct store_query *query)
{
    struct reply reply;
    call_reply_begin(call, &reply);
    writer_key_array(&reply.writer, "invites");
    for (size_t at = 0; at < query->count; at++) {
        const struct invite_row *row = store_query_row(query, at);
        writer_object(&reply.writer);
        writer_key_int(&reply.writer, "since", row->since_ms);
        writer_key_int(&reply.writer, "until",
                       row->until_ms + kernel_uncounted_ms(call->hub, row->since_ms));
        writer_end(&reply.writer);
    }
    writer_end(&reply.writer);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}

/* ---- coming with one */

struct coming {
    struct kernel_change change;
    int64_t since_ms;
};

static void keep_invited(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct coming *coming = (const struct coming *)(const void *)change;
    table_add(&people_of(hub)->invited,
              &(struct entry){kernel_session_id(session), coming->since_ms});
    people_of(hub)->invited_prepared--;
}

static void undo_invited(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    people_of(hub)->invited_prepared--;
}

static void destroy_coming(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type invited_type = {.carry_out = keep_invited,
                                                       .undo = undo_invited,
                                                       .taken = undo_invited,
                                                       .taken_error = PROTOCOL_INVITE_INVALID,
                                                       .destroy = destroy_coming};

void op_redeem(struct call *call)
{
    struct asked asked = {0};
    struct invite_row from = {0};
    if (kernel_env(call->hub)->accounts != HUB_ACCOUNTS_INVITE) {
        call_error(call, PROTOCOL_INVITES_OFF, NULL);
        return;
    }
    if (kernel_account(call->session) || invite_has(call->hub, call->session)) {
        call_error(call, PROTOCOL_ALREADY_INVITED, NULL);
        return;
    }
    invite_hash_code(call->request->invite, asked.hash);
    memcpy(from.hash, asked.hash, sizeof from.hash);
    ask_invites(call, &asked, &invite_table, 0, &from);
}

/* Of a code that was used this stays, when the session that has used it is gone. */
static struct burnt_row used_row(const struct call *call, const char *hash)
{
    struct burnt_row row = {.since_ms = kernel_now_ms(call->hub)};
    memcpy(row.claim, hash, HANDLE_CLAIM_BYTES);
    return row;
}

static void take_invite(const struct call *call, const struct invited_row *row)
{
    enum { REDEEM_OPS = 2 };
    struct coming *coming = NULL;
    const struct burnt_row used = used_row(call, row->hash);
    struct people *people = people_of(call->hub);
    enum protocol_error error = change_possible(call, REDEEM_OPS);
    struct reply reply;
    if (error == PROTOCOL_OK && invite_has(call->hub, call->session))
        error = PROTOCOL_ALREADY_INVITED;
    if (error == PROTOCOL_OK &&
        (!table_reserve(&people->invited, people->invited_prepared + 1) ||
         kernel_reserve(call->hub, REDEEM_OPS, 0) < 0 || !(coming = malloc(sizeof *coming))))
        error = PROTOCOL_INTERNAL;
    if (error != PROTOCOL_OK) {
        call_error(call, error, NULL);
        return;
    }
    *coming = (struct coming){{&invited_type}, row->since_ms};
    call_reply_begin(call, &reply);
    if (kernel_change_answered(call, call->session, &reply, &coming->change) < 0) {
        free(coming);
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    people->invited_prepared++;
    kernel_put_row(call->hub, &invited_table, row);
    kernel_put_row(call->hub, &burnt_table, &used);
}

/* What the page has of it: by whom, and until when. False: nothing. */
static bool read_inviter(const struct hub *hub, const struct asked *asked,
                         const struct store_query *query, uint64_t *by, int64_t *until_ms)
{
    const void *row = query->count ? store_query_row(query, 0) : NULL;
    const struct invite_row *own = row;
    const struct site_invite_row *sites = row;
    if (!row)
        return false;
    const bool of_site = asked->step == STEP_OF_SITE;
    *by = of_site ? 0 : own->session;
    *until_ms = of_site ? sites->until_ms + kernel_uncounted_ms(hub, sites->since_ms)
                        : own->until_ms + kernel_uncounted_ms(hub, own->since_ms);
    return true;
}

static void ask_of_site(const struct call *call, const struct asked *asked)
{
    struct site_invite_row from = {0};
    struct asked next = *asked;
    next.step = STEP_OF_SITE;
    memcpy(from.hash, asked->hash, sizeof from.hash);
    ask_invites(call, &next, &site_invite_table, SITE_INVITE_BY_HASH, &from);
}

static void ask_used(const struct call *call, const struct asked *asked, uint64_t by,
                     int64_t until_ms)
{
    const struct burnt_row from = used_row(call, asked->hash);
    struct asked next = *asked;
    next.step = STEP_USED;
    next.by = by;
    next.until_ms = until_ms;
    ask_invites(call, &next, &burnt_table, 0, &from);
}

static void look_for_code(const struct call *call, const struct asked *asked,
                          const struct store_query *query)
{
    uint64_t by = 0;
    int64_t until_ms = 0;
    if (read_inviter(call->hub, asked, query, &by, &until_ms))
        ask_used(call, asked, by, until_ms);
    else if (asked->step == STEP_OF_ACCOUNT)
        ask_of_site(call, asked);
    else
        call_refuse_guess(call, PROTOCOL_INVITE_INVALID, "invite");
}

static void redeem_code(const struct call *call, const struct asked *asked,
                        const struct store_query *query)
{
    struct invited_row row = {.session = kernel_session_id(call->session),
                              .by = asked->by,
                              .since_ms = kernel_now_ms(call->hub)};
    if (query->count > 0 || asked->until_ms <= kernel_now_ms(call->hub)) {
        call_refuse_guess(call, PROTOCOL_INVITE_INVALID, "invite");
        return;
    }
    memcpy(row.hash, asked->hash, sizeof row.hash);
    take_invite(call, &row);
}

void invite_queried(struct call *call, const struct store_query *query)
{
    const struct asked *asked = (const struct asked *)(const void *)call->kept;
    if (query->result != STORE_OK)
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
    else if (call->request->op == REQUEST_INVITE)
        make_invite(call, asked, query);
    else if (call->request->op == REQUEST_INVITES)
        list_invites(call, query);
    else if (asked->step == STEP_USED)
        redeem_code(call, asked, query);
    else
        look_for_code(call, asked, query);
}
