#include "offer.h"

#include "meetings.h"
#include "places.h"
#include "rows/state.h"
#include "waiting/conduct.h"
#include "waiting/told.h"
#include "waiting/waiting.h"
#include <assert.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <protocol/error.h>
#include <room/result.h>
#include <room/room.h>
#include <stdlib.h>
#include <string.h>

const struct store_table offer_table = {
    .name = "offer",
    .what = "a seat that is kept for somebody who seeks",
    .number = 36,
    .size = sizeof(struct offer_row),
    .owner = STORE_OF_DESK,
    .keys = 1,
    .count = 3,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct offer_row, session)},
                {"until_ms", STORE_NUMBER, STORE_MEMBER(struct offer_row, until_ms)},
                {"room", STORE_STRING, STORE_MEMBER(struct offer_row, room)}},
};

void offers_restore(struct hub *hub, const struct offer_row *row)
{
    struct seeks *seeks = &desk_of(hub)->seeks;
    const size_t at = waiting_find(seeks, row->session);
    if (at == seeks->count)
        return;
    seeks->tickets[at].leaves = true;
    seeks->offers[at].until_ms = row->until_ms;
    memcpy(seeks->offers[at].room, row->room, sizeof row->room);
}

/* ---- how it stands with a table */

struct table {
    struct hub_room *hub_room; /* NULL: it is gone */
    unsigned size;
    size_t at[POOL_SIZE_MAX];
    bool accepted[POOL_SIZE_MAX], gone[POOL_SIZE_MAX];
    bool late, changes, rated;
};

static bool has_room(const struct seeks *seeks, size_t at, const char *room)
{
    return memcmp(seeks->offers[at].room, room, PROTOCOL_ROOM_BYTES) == 0;
}

static void look_at_seat(struct table *table, unsigned own, uint64_t session)
{
    const struct room *room = kernel_room(table->hub_room);
    const uint8_t seat = room_seat_of(room, session);
    table->gone[own] |= seat == ROOM_NO_SEAT;
    table->accepted[own] = !table->gone[own] && room_seat_is_ready(room, seat);
}

/* ---- who is at one table */

/*
 * Offers in chains by their rooms, each in the order of who waits, so that all tables are looked at
 * in the time of one: where each chain begins, and what is next in it; seeks->count: nothing.
 */
struct chains {
    size_t *heads, *next;
};
static_assert((int)POOL_WORK >= 2, "both are in what the pool works with");
static_assert((int)PROTOCOL_ROOM_BYTES == sizeof(uint64_t), "ids of rooms are numbers here");

static size_t chain_of(const struct seeks *seeks, const char *room)
{
    uint64_t id;
    memcpy(&id, room, sizeof id);
    return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15) >> 32) % seeks->count);
}

static struct chains link_offers(const struct seeks *seeks)
{
    const struct chains chains = {seeks->work, seeks->work + seeks->count};
    for (size_t at = 0; at < seeks->count; at++)
        chains.heads[at] = seeks->count;
    for (size_t at = seeks->count; at-- > 0;) {
        if (!seeks->offers[at].room[0])
            continue;
        size_t *head = &chains.heads[chain_of(seeks, seeks->offers[at].room)];
        chains.next[at] = *head;
        *head = at;
    }
    return chains;
}

/* Nobody can be ready while nothing can be stored: they have as long again. */
static bool is_late(const struct hub *hub, const struct seek_offer *offer)
{
    const int64_t failed_ms = desk_of(hub)->failed_ms, now_ms = kernel_now_ms(hub);
    return now_ms >= offer->until_ms &&
           (failed_ms == 0 || now_ms >= failed_ms + kernel_config(hub)->accept_ms);
}

/* All who have a seat at it, of whom that one is the first. */
static void look_at_table(const struct hub *hub, const struct chains *chains, size_t first,
                          struct table *table)
{
    const struct seeks *seeks = &desk_of(hub)->seeks;
    const struct seek_offer *offer = &seeks->offers[first];
    *table =
        (struct table){.hub_room = kernel_room_find(hub, offer->room), .late = is_late(hub, offer)};
    table->rated = table->hub_room && room_rated(kernel_room(table->hub_room))[0];
    for (size_t at = first; at < seeks->count && table->size < POOL_SIZE_MAX;
         at = chains->next[at]) {
        if (!has_room(seeks, at, offer->room))
            continue;
        const unsigned own = table->size++;
        table->at[own] = at;
        table->changes |= seeks->tickets[at].changes;
        table->gone[own] = seeks->offers[at].declined;
        if (table->hub_room)
            look_at_seat(table, own, seeks->rows[at].session);
    }
}

static bool has_begun(const struct table *table)
{
    return table->hub_room && room_phase(kernel_room(table->hub_room)) != PROTOCOL_PHASE_LOBBY;
}

static bool is_over(const struct table *table)
{
    bool gone = false;
    for (unsigned i = 0; i < table->size; i++)
        gone |= table->gone[i];
    return !table->hub_room || table->late || gone;
}

/* ... or is not to blame: for a table that the server has lost, or that others have left. */
static bool seeks_on(const struct table *table, unsigned own)
{
    return !table->hub_room || (!table->gone[own] && (table->accepted[own] || !table->late));
}

/* ---- its end */

struct ending {
    struct kernel_change change;
    unsigned size;
    bool begun;
    int64_t said_ms;
    uint64_t sessions[POOL_SIZE_MAX];
    bool on[POOL_SIZE_MAX];    /* seeks on */
    bool plays[POOL_SIZE_MAX]; /* in that room */
    char room[PROTOCOL_ROOM_BYTES + 1];
    size_t met; /* pairs that meet, of a rated one that begins */
    struct meeting_row meetings[MEETINGS_OF_TABLE];
};

static struct place_row place_of(const struct ending *ending, unsigned own)
{
    struct place_row row = {.session = ending->sessions[own], .since_ms = ending->said_ms};
    memcpy(row.room, ending->room, sizeof row.room);
    return row;
}

static void keep_places(struct hub *hub, const struct ending *ending)
{
    struct places *places = &desk_of(hub)->places;
    places_give_back(places, ending->size);
    for (unsigned i = 0; i < ending->size; i++) {
        const struct place_row row = place_of(ending, i);
        if (ending->plays[i])
            places_keep(places, &row);
    }
}

static void seek_on(struct seeks *seeks, size_t at, int64_t said_ms)
{
    seeks->offers[at] = (struct seek_offer){.until_ms = 0};
    seeks->tickets[at].leaves = false;
    seeks->rows[at].said_ms = said_ms;
}

static void end_offers(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct ending *ending = (const struct ending *)(const void *)change;
    struct seeks *seeks = &desk_of(hub)->seeks;
    (void)session;
    keep_places(hub, ending);
    if (ending->begun)
        waiting_met(seeks, ending->sessions, ending->size, ending->said_ms);
    for (size_t at = 0; at < ending->met; at++)
        meetings_keep(&desk_of(hub)->meetings, &ending->meetings[at]);
    for (unsigned i = 0; i < ending->size; i++) {
        if (ending->on[i])
            seek_on(seeks, waiting_find(seeks, ending->sessions[i]), ending->said_ms);
        else
            waiting_forget(seeks, ending->sessions[i]);
    }
}

static void keep_offers(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct ending *ending = (const struct ending *)(const void *)change;
    struct seeks *seeks = &desk_of(hub)->seeks;
    (void)session;
    places_give_back(&desk_of(hub)->places, ending->size);
    for (unsigned i = 0; i < ending->size; i++)
        seeks->offers[waiting_find(seeks, ending->sessions[i])].ends = false;
}

static void destroy(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type ending_type = {
    .carry_out = end_offers, .undo = keep_offers, .destroy = destroy};

static void put_end(struct hub *hub, const struct table *table, unsigned own, bool on,
                    int64_t said_ms)
{
    const struct seeks *seeks = &desk_of(hub)->seeks;
    struct seek_row row = seeks->rows[table->at[own]];
    kernel_drop_row(hub, &offer_table, &(struct offer_row){.session = row.session});
    row.said_ms = said_ms;
    if (on)
        kernel_put_row(hub, &seek_table, &row);
    else
        waiting_drop_rows(hub, row.session);
    if (!has_begun(table))
        told_seeking(hub, row.session, on ? "again" : "ended");
    if (!has_begun(table) && !on && table->rated) /* elsewhere the host may have put them out */
        conduct_send(hub, row.session, seeks->offers[table->at[own]].room, CONDUCT_LAPSED);
}

/* A rated match begins: who meets whom there. */
static void put_meetings(struct hub *hub, const struct table *table, struct ending *ending)
{
    struct desk *desk = desk_of(hub);
    struct meeting_seat seats[POOL_SIZE_MAX];
    if (!has_begun(table) || !table->rated)
        return;
    const char *rated = room_rated(kernel_room(table->hub_room));
    for (unsigned i = 0; i < table->size; i++)
        seats[i] = waiting_seat(&desk->seeks, table->at[i], rated);
    ending->met =
        meetings_next(&desk->meetings, seats, table->size, ending->said_ms, ending->meetings);
    for (size_t at = 0; at < ending->met; at++)
        kernel_put_row(hub, &meeting_table, &ending->meetings[at]);
}

/* From the beginning of a match on nobody of it has another place: also before its room says so. */
static void put_places(struct hub *hub, const struct table *table, struct ending *ending)
{
    if (!has_begun(table))
        return;
    const struct room *room = kernel_room(table->hub_room);
    memcpy(ending->room, room_id(room), sizeof ending->room);
    for (unsigned i = 0; i < table->size; i++) {
        const uint8_t seat = room_seat_of(room, ending->sessions[i]);
        const struct place_row row = place_of(ending, i);
        ending->plays[i] = seat != ROOM_NO_SEAT && room_in_play(room) >> seat & 1;
        if (ending->plays[i])
            kernel_put_row(hub, &place_table, &row);
    }
}

/* Else the next tick looks again: the room waits for the store itself, or is going already. */
static bool may_end(const struct table *table)
{
    return !table->hub_room || has_begun(table) || kernel_may_take_back_room(table->hub_room);
}

/* NULL: not now. */
static struct ending *begin_ending(struct hub *hub, const struct table *table)
{
    struct places *places = &desk_of(hub)->places;
    struct ending *ending = calloc(1, sizeof *ending);
    if (!ending || !places_reserve(places, table->size)) {
        free(ending);
        return NULL;
    }
    if (table->hub_room && !has_begun(table) && !kernel_take_back_room(hub, table->hub_room)) {
        places_give_back(places, table->size);
        free(ending);
        return NULL;
    }
    return ending;
}

/* False: not now, and no other one either. */
static bool end_table(struct hub *hub, const struct table *table)
{
    enum { SEAT_ROWS = 1 + WAITING_OPS + 1, SEAT_LETTERS = 2, ROOM = 1 };
    struct seeks *seeks = &desk_of(hub)->seeks;
    const size_t size = table->size, rows = size * SEAT_ROWS + size * (size - 1) / 2;
    if (kernel_may_store(hub, rows + size * SEAT_LETTERS + ROOM) != PROTOCOL_OK ||
        kernel_reserve(hub, rows, size * (SEEK_APART_BYTES + 1)) < 0)
        return false;
    struct ending *ending = begin_ending(hub, table);
    if (!ending)
        return false;
    ending->change.type = &ending_type;
    ending->size = table->size;
    ending->begun = has_begun(table);
    ending->said_ms = kernel_now_ms(hub);
    for (unsigned i = 0; i < table->size; i++) {
        ending->sessions[i] = seeks->rows[table->at[i]].session;
        ending->on[i] = !has_begun(table) && seeks_on(table, i);
        seeks->offers[table->at[i]].ends = true;
        put_end(hub, table, i, ending->on[i], ending->said_ms);
    }
    put_meetings(hub, table, ending);
    put_places(hub, table, ending);
    kernel_change_hub(hub, &ending->change);
    return true;
}

/* Is it the first one of its table? */
static bool is_first(const struct seeks *seeks, const struct chains *chains, size_t own)
{
    const char *room = seeks->offers[own].room;
    size_t at = chains->heads[chain_of(seeks, room)];
    while (!has_room(seeks, at, room))
        at = chains->next[at];
    return at == own;
}

bool offer_waits(const struct hub *hub, size_t at)
{
    const struct hub_room *table = kernel_room_find(hub, desk_of(hub)->seeks.offers[at].room);
    return table && room_phase(kernel_room(table)) == PROTOCOL_PHASE_LOBBY;
}

void offers_look(struct hub *hub)
{
    const struct seeks *seeks = &desk_of(hub)->seeks;
    const struct chains chains = link_offers(seeks);
    struct table table;
    for (size_t at = 0; at < seeks->count; at++) {
        const struct seek_offer *offer = &seeks->offers[at];
        if (!offer->room[0] || offer->ends || !is_first(seeks, &chains, at))
            continue;
        look_at_table(hub, &chains, at, &table);
        if (table.changes || !(has_begun(&table) || is_over(&table)) || !may_end(&table))
            continue;
        if (!end_table(hub, &table))
            return;
    }
}
