#include "sitting.h"

#include "block_table.h"
#include <assert.h>
#include <hub/call.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <room/room.h>
#include <stdlib.h>
#include <string.h>

/*
 * Pairs of all seats; who sits down is at most beside all of them and the host. While a request
 * waits others may sit down and leave: it looks at no more pairs than these.
 */
enum { PAIRS_MAX = PROTOCOL_SEATS * (PROTOCOL_SEATS + 1) / 2 };

/* What has been found out for one request. */
struct asking {
    struct kernel_kept kept;
    bool learns;          /* asks for the blocks of who asks; else for a pair */
    uint32_t changes;     /* of them, when that began */
    struct block_row row; /* asked for, or the last one of a page */
    bool apart;           /* of two that the store was asked about one has blocked the other */
    unsigned count;
    uint64_t pairs[PAIRS_MAX]; /* that the store was asked about */
};

static void destroy_kept(struct kernel_kept *kept)
{
    free(kept);
}

/* Asks for what follows from what is known so far. False: that is answered, or waits. */
static bool ask_blocks(const struct call *call, const struct asking *known, bool behind)
{
    struct asking *asking = malloc(sizeof *asking);
    struct kernel_query query = {.table = &block_table,
                                 .index = known->learns ? BLOCK_BY_SESSION : BLOCK_BY_PAIR,
                                 .limit = STORE_QUERY_ROWS_MAX,
                                 .behind = behind};
    if (asking) {
        *asking = *known;
        asking->kept.destroy = destroy_kept;
        query.kept = &asking->kept;
        query.from = &asking->row;
    }
    if (!asking || !call_hold(call, &query)) {
        free(asking);
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    }
    return false;
}

/* ---- who would sit together */

struct people {
    unsigned count;
    uint64_t ids[PROTOCOL_SEATS + 2];
};

static void add_person(struct people *people, uint64_t id)
{
    bool there = id == 0;
    for (unsigned at = 0; at < people->count; at++)
        there = there || people->ids[at] == id;
    if (!there)
        people->ids[people->count++] = id;
}

/* The one who asks comes first. */
static struct people people_at(const struct call *call)
{
    const struct room *room = kernel_room(call->hub_room);
    struct people people = {0};
    struct session *ignored;
    add_person(&people, kernel_session_id(call->session));
    for (unsigned seat = 0; seat < room_seats(room); seat++)
        add_person(&people, kernel_seat_owner(call->hub_room, (uint8_t)seat, &ignored));
    if (call->request->op == REQUEST_JOIN)
        add_person(&people, room_host(room));
    return people;
}

enum pair { PAIR_TOGETHER, PAIR_APART, PAIR_UNKNOWN };

static bool has_blocked(const struct hub *hub, uint64_t id, uint64_t other)
{
    const struct session *session = kernel_session_find(hub, id);
    return session && blocks_find(blocks_of(hub, session), other);
}

static enum pair look_at(const struct hub *hub, const struct asking *known, uint64_t a, uint64_t b)
{
    if (has_blocked(hub, a, b) || has_blocked(hub, b, a))
        return PAIR_APART;
    if (!kernel_is_elsewhere(hub, a) && !kernel_is_elsewhere(hub, b))
        return PAIR_TOGETHER;
    for (unsigned at = 0; at < known->count; at++) {
        if (known->pairs[at] == (a ^ b))
            return PAIR_TOGETHER; /* or known->apart */
    }
    return PAIR_UNKNOWN;
}

static bool ask_pair(const struct call *call, struct asking *known, uint64_t a, uint64_t b)
{
    if (known->count == PAIRS_MAX) {
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
        return false;
    }
    known->learns = false;
    known->row = block_row_of(a, b);
    return ask_blocks(call, known, false);
}

/*
 * All pairs are looked at before one is answered for: neither what the answer is nor when it comes
 * says which of them it is.
 */
static bool may_sit(const struct call *call, struct asking *known)
{
    bool apart = known->apart;
    const struct people people = people_at(call);
    const unsigned movers = call->request->op == REQUEST_JOIN ? 1 : people.count;
    for (unsigned a = 0; a < movers; a++) {
        for (unsigned b = a + 1; b < people.count; b++) {
            switch (look_at(call->hub, known, people.ids[a], people.ids[b])) {
            case PAIR_TOGETHER:
                break;
            case PAIR_APART:
                apart = true;
                break;
            case PAIR_UNKNOWN:
                return ask_pair(call, known, people.ids[a], people.ids[b]);
            }
        }
    }
    if (apart)
        call_error(call, PROTOCOL_SEAT_REFUSED, NULL);
    return !apart;
}

/* ---- what a request needs */

static bool sits_down(const struct call *call)
{
    return call->request->op == REQUEST_REMATCH ||
           (call->request->op == REQUEST_JOIN && kernel_account(call->session) &&
            room_seat_of(kernel_room(call->hub_room), kernel_session_id(call->session)) ==
                ROOM_NO_SEAT);
}

static bool is_unlearned(const struct call *call)
{
    return kernel_account(call->session) && !blocks_of(call->hub, call->session)->learned &&
           kernel_is_elsewhere(call->hub, kernel_session_id(call->session));
}

static bool look_further(struct call *call, struct asking *known)
{
    if (is_unlearned(call)) {
        known->learns = true;
        known->changes = blocks_of(call->hub, call->session)->changes;
        known->row = block_row_of(kernel_session_id(call->session), 0);
        return ask_blocks(call, known, false);
    }
    return !sits_down(call) || may_sit(call, known);
}

bool sitting_passes(struct call *call)
{
    struct asking nothing = {.count = 0};
    return kernel_env(call->hub)->accounts == HUB_ACCOUNTS_OFF || look_further(call, &nothing);
}

/* ---- what the store says */

/* False: there is no memory. */
static bool learn_page(const struct call *call, const struct store_query *query)
{
    struct blocks *blocks = blocks_of(call->hub, call->session);
    for (size_t at = 0; at < query->count; at++) {
        const struct block_row *row = store_query_row(query, at);
        if (!blocks_reserve(call->hub, call->session))
            return false;
        blocks_put(blocks, row);
    }
    return true;
}

/* Somebody else's request may have learned it meanwhile. */
static bool learn_blocks(struct call *call, struct asking *known, const struct store_query *query)
{
    struct blocks *blocks = blocks_of(call->hub, call->session);
    if (blocks->learned)
        return look_further(call, known);
    if (known->changes != blocks->changes) {
        blocks->count = 0; /* from the beginning: what has changed may have been read before */
        return look_further(call, known);
    }
    if (!learn_page(call, query)) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return false;
    }
    if (query->more) {
        known->row = *(const struct block_row *)store_query_row(query, query->count - 1);
        return ask_blocks(call, known, true);
    }
    blocks->learned = true;
    return look_further(call, known);
}

static bool is_apart(const struct block_row *asked, const struct store_query *query)
{
    for (size_t at = 0; at < query->count; at++) {
        const struct block_row *row = store_query_row(query, at);
        if ((row->session == asked->session && row->other == asked->other) ||
            (row->session == asked->other && row->other == asked->session))
            return true;
    }
    return false;
}

bool sitting_held(struct call *call, const struct store_query *query)
{
    struct asking known = *(const struct asking *)(const void *)call->kept;
    if (query->result != STORE_OK) {
        call_error(call, PROTOCOL_STORE_FAILING, NULL);
        return false;
    }
    if (known.learns)
        return learn_blocks(call, &known, query);
    known.apart = known.apart || is_apart(&known.row, query);
    assert(known.count < PAIRS_MAX && "else it would not have been asked for");
    known.pairs[known.count++] = known.row.pair;
    return look_further(call, &known);
}
