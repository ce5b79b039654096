#include "site_invite.h"

#include "invite_code.h"
#include "tables/state.h"
#include <hub/admin_request.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <protocol/reply.h>
#include <sodium.h>
#include <string.h>

/* That one batch drops; and how long after a try for which there was no place. */
enum { DROPS_MAX = 64, RETRY_MS = 10000 };

const struct store_table site_invite_table = {
    .name = "site_invite",
    .what = "an invitation of the operator",
    .number = 25,
    .size = sizeof(struct site_invite_row),
    .owner = STORE_ADDRESSED,
    .keys = 2,
    .count = 4,
    .columns = {{"site", STORE_NUMBER, STORE_MEMBER(struct site_invite_row, site)},
                {"code_hash", STORE_STRING, STORE_MEMBER(struct site_invite_row, hash)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct site_invite_row, since_ms)},
                {"until_ms", STORE_NUMBER, STORE_MEMBER(struct site_invite_row, until_ms)}},
    .indexes = {[SITE_INVITE_BY_HASH] = {"by_hash", .columns = {1}, .count = 1, .same = 1}},
};

/* ---- those that are kept */

struct entry {
    uint64_t key; /* some of the hash */
    struct site_invite_row row;
    bool is_durable, is_going;
};

void site_invites_init(struct hub *hub)
{
    table_init(&people_of(hub)->site_invites, sizeof(struct entry));
    people_of(hub)->site_invites_ms = INT64_MAX;
}

void site_invites_release(struct hub *hub)
{
    table_release(&people_of(hub)->site_invites);
}

static void wait_until(struct people *people, int64_t at_ms)
{
    if (at_ms < people->site_invites_ms)
        people->site_invites_ms = at_ms;
}

static void add_invite(struct people *people, const struct site_invite_row *row, bool is_durable)
{
    uint64_t key;
    memcpy(&key, row->hash, sizeof key);
    table_add(&people->site_invites, &(struct entry){key, *row, is_durable, false});
    wait_until(people, row->until_ms);
}

bool site_invite_restore(struct hub *hub, const struct site_invite_row *row)
{
    struct people *people = people_of(hub);
    if (!table_reserve(&people->site_invites, 1))
        return false;
    add_invite(people, row, true);
    return true;
}

/* ---- a change of them: what is not durable is, or is gone again; what goes is gone, or is not */

static struct entry *find_undecided(const struct people *people)
{
    size_t at = 0;
    struct entry *entry;
    while ((entry = table_next(&people->site_invites, &at)) != NULL) {
        if (!entry->is_durable || entry->is_going)
            return entry;
    }
    return NULL;
}

static void settle_invites(struct hub *hub, bool stored)
{
    struct people *people = people_of(hub);
    struct entry *entry;
    while ((entry = find_undecided(people)) != NULL) {
        if (entry->is_durable ? stored : !stored) {
            table_remove(&people->site_invites, entry);
            continue;
        }
        entry->is_durable = true;
        entry->is_going = false;
        wait_until(people, stored ? entry->row.until_ms : kernel_now_ms(hub) + RETRY_MS);
    }
    people->site_invites_change = false;
}

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    settle_invites(hub, true);
}

static void undo_change(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session, (void)change;
    settle_invites(hub, false);
}

static void destroy_nothing(struct kernel_change *change)
{
    (void)change;
}

/* One at a time; all of it is in the entries. */
static void begin_change(struct hub *hub)
{
    static const struct kernel_change_type type = {
        .carry_out = carry_out, .undo = undo_change, .destroy = destroy_nothing};
    static struct kernel_change waiting = {&type};
    people_of(hub)->site_invites_change = true;
    kernel_change_hub(hub, &waiting);
}

/* ---- making one */

static enum protocol_error make_possible(struct hub *hub)
{
    struct people *people = people_of(hub);
    if (kernel_env(hub)->accounts != HUB_ACCOUNTS_INVITE)
        return PROTOCOL_INVITES_OFF;
    if (people->site_invites.count >= (size_t)kernel_config(hub)->site_invites)
        return PROTOCOL_TOO_MANY_INVITES;
    if (people->site_invites_change)
        return PROTOCOL_SLOW_DOWN;
    const enum protocol_error error = kernel_may_store(hub, 1);
    const bool has_memory = table_reserve(&people->site_invites, 1) && !kernel_reserve(hub, 1, 0);
    return error == PROTOCOL_OK && !has_memory ? PROTOCOL_INTERNAL : error;
}

bool invite_by_operator(struct hub *hub, const struct admin_request *request, struct writer *writer,
                        struct refusal *refusal)
{
    const int64_t now_ms = kernel_now_ms(hub);
    struct site_invite_row row = {.since_ms = now_ms, .until_ms = now_ms + request->for_s * 1000};
    char code[PROTOCOL_PASS_BYTES + 1];
    const enum protocol_error error = make_possible(hub);
    if (error != PROTOCOL_OK) {
        *refusal = (struct refusal){.error = error};
        return false;
    }
    invite_make_code(hub, code, row.hash);
    add_invite(people_of(hub), &row, false);
    kernel_put_row(hub, &site_invite_table, &row);
    begin_change(hub);
    writer_key_string(writer, "invite", code);
    writer_key_int(writer, "until", row.until_ms);
    sodium_memzero(code, sizeof code);
    return true;
}

/* ---- those that are over */

int64_t site_invites_deadline_ms(const struct hub *hub)
{
    const struct people *people = people_of(hub);
    return people->site_invites_change ? INT64_MAX : people->site_invites_ms;
}

/* How many, and when the next one will be. */
static size_t drop_over(struct hub *hub)
{
    struct people *people = people_of(hub);
    size_t at = 0, count = 0;
    struct entry *entry;
    people->site_invites_ms = INT64_MAX;
    while ((entry = table_next(&people->site_invites, &at)) != NULL) {
        const int64_t until_ms =
            entry->row.until_ms + kernel_uncounted_ms(hub, entry->row.since_ms);
        if (until_ms > kernel_now_ms(hub) || count == DROPS_MAX) {
            wait_until(people, until_ms);
            continue;
        }
        entry->is_going = true;
        kernel_drop_row(hub, &site_invite_table, &entry->row);
        count++;
    }
    return count;
}

void site_invites_tick(struct hub *hub)
{
    struct people *people = people_of(hub);
    if (people->site_invites_change || people->site_invites_ms > kernel_now_ms(hub))
        return;
    if (kernel_may_store(hub, DROPS_MAX) != PROTOCOL_OK || kernel_reserve(hub, DROPS_MAX, 0) < 0)
        people->site_invites_ms = kernel_now_ms(hub) + RETRY_MS;
    else if (drop_over(hub) > 0)
        begin_change(hub);
}
