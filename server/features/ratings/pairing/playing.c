#include "playing.h"

#include "places.h"
#include "pool/pool.h"
#include "rows/state.h"
#include "waiting/told.h"
#include "waiting/waiting.h"
#include <assert.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <room/result.h>
#include <room/room.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char playing_letter[] = "ratings.playing";

/* ROOM, and of each seat " +ID" or " -ID". */
enum {
    SEAT_BYTES = 2 + POOL_ID_DIGITS,
    SEATS_MAX = SEAT_BYTES * PLAYING_SEATS,
    LETTER_MAX = PROTOCOL_ROOM_BYTES + SEATS_MAX
};

/* How long an end waits for its beginning, which may come later; and how often old places are
 * looked for. */
enum { ORDER_MS = 60000, LOOK_MS = 60000 };

/* ---- from the room */

/* A match that one plays and does nothing else. */
static bool is_live(const struct room *room)
{
    unsigned people = 0;
    for (unsigned seat = 0; seat < room_seats(room); seat++)
        people += room_seat_session(room, (uint8_t)seat) != 0;
    return people > 1 && room_move_s(room) < LIVE_MOVE_S;
}

/* From `*seat` on, as many as go into a letter; where the next one begins. */
static size_t write_seats(const struct room *room, uint32_t before, uint32_t now, unsigned *seat,
                          char text[static SEATS_MAX + 1])
{
    size_t len = 0;
    for (; *seat < room_seats(room) && len < SEATS_MAX; ++*seat) {
        const uint8_t own = (uint8_t)*seat;
        if (!((before ^ now) >> own & 1) || room_seat_account(room, own)->kind != ACCOUNT_PERSON)
            continue;
        len += (size_t)snprintf(text + len, SEATS_MAX + 1 - len, " %c%016" PRIx64,
                                now >> own & 1 ? '+' : '-', room_seat_session(room, own));
    }
    return len;
}

void playing_send(struct hub *hub, const struct room *room, uint32_t before, uint32_t now)
{
    char text[LETTER_MAX + 1];
    memcpy(text, room_id(room), PROTOCOL_ROOM_BYTES);
    for (unsigned seat = 0; seat < room_seats(room) && is_live(room);) {
        const size_t len = write_seats(room, before, now, &seat, text + PROTOCOL_ROOM_BYTES);
        const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                             .kind = playing_letter,
                                             .text = text,
                                             .text_len = PROTOCOL_ROOM_BYTES + len,
                                             .room_id = room_id(room)};
        if (len > 0)
            (void)kernel_send_letter(hub, &letter);
    }
}

/* ---- at the desk */

struct playing {
    struct kernel_change change;
    int64_t at_ms;
    char room[PROTOCOL_ROOM_BYTES + 1];
    unsigned count, begin_count;
    struct {
        uint64_t session;
        bool begins;
        bool ends_seek;
    } seat[PLAYING_SEATS];
};

static bool read_letter(const struct store_letter *letter, struct playing *playing)
{
    const char *at = letter->text, *end = at + letter->text_len;
    const size_t len = letter->text_len;
    if (len <= PROTOCOL_ROOM_BYTES || len > LETTER_MAX ||
        (len - PROTOCOL_ROOM_BYTES) % SEAT_BYTES != 0 || !room_id_valid(at, PROTOCOL_ROOM_BYTES))
        return false;
    *playing = (struct playing){.at_ms = letter->at_ms};
    memcpy(playing->room, at, PROTOCOL_ROOM_BYTES);
    for (at += PROTOCOL_ROOM_BYTES; at < end; at += SEAT_BYTES) {
        const unsigned seat = playing->count++;
        if (at[0] != ' ' || (at[1] != '+' && at[1] != '-') ||
            !pool_read_id(at + 2, &playing->seat[seat].session))
            return false;
        playing->seat[seat].begins = at[1] == '+';
        playing->begin_count += playing->seat[seat].begins;
    }
    return true;
}

static bool is_offered_there(const struct seeks *seeks, size_t at, const char *room)
{
    return waiting_is_offered(seeks, at) &&
           memcmp(seeks->offers[at].room, room, PROTOCOL_ROOM_BYTES) == 0;
}

/* Whoever has an offer keeps their seek until that ends. False: not now. */
static bool look_at_seek(const struct seeks *seeks, struct playing *playing, unsigned seat,
                         unsigned *ending)
{
    const size_t at = waiting_find(seeks, playing->seat[seat].session);
    if (at == seeks->count || waiting_is_offered(seeks, at))
        return true;
    playing->seat[seat].ends_seek = true;
    return waiting_may_change(seeks, playing->seat[seat].session) &&
           seeks->changing_count + ++*ending <= SEEK_CHANGES_MAX;
}

/* Is what was said before known? Letters may change places. */
static bool is_in_order(const struct hub *hub, const struct playing *playing, unsigned seat)
{
    return places_find(&desk_of(hub)->places, playing->seat[seat].session, playing->room) ||
           kernel_now_ms(hub) - playing->at_ms >= ORDER_MS;
}

static bool may_apply(const struct hub *hub, struct playing *playing)
{
    unsigned ending = 0;
    for (unsigned seat = 0; seat < playing->count; seat++) {
        if (!(playing->seat[seat].begins
                  ? look_at_seek(&desk_of(hub)->seeks, playing, seat, &ending)
                  : is_in_order(hub, playing, seat)))
            return false;
    }
    return true;
}

static struct place_row place_of(const struct playing *playing, unsigned seat)
{
    struct place_row row = {.session = playing->seat[seat].session, .since_ms = playing->at_ms};
    memcpy(row.room, playing->room, sizeof row.room);
    return row;
}

static void become_durable(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct playing *playing = (const struct playing *)(const void *)change;
    struct desk *desk = desk_of(hub);
    (void)session;
    places_give_back(&desk->places, playing->begin_count);
    for (unsigned seat = 0; seat < playing->count; seat++) {
        const struct place_row row = place_of(playing, seat);
        if (playing->seat[seat].begins)
            places_keep(&desk->places, &row);
        else
            places_drop(&desk->places, row.session, row.room);
        playing_leaves_offer(hub, row.session);
        if (!playing->seat[seat].ends_seek)
            continue;
        waiting_end_change(&desk->seeks, row.session);
        waiting_forget(&desk->seeks, row.session);
    }
}

static void take_back(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct playing *playing = (const struct playing *)(const void *)change;
    struct desk *desk = desk_of(hub);
    (void)session;
    places_give_back(&desk->places, playing->begin_count);
    for (unsigned seat = 0; seat < playing->count; seat++) {
        if (playing->seat[seat].ends_seek)
            waiting_end_change(&desk->seeks, playing->seat[seat].session);
    }
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type playing_type = {
    .carry_out = become_durable, .undo = take_back, .destroy = destroy_change};

static void begin_seat(struct hub *hub, const struct playing *playing, unsigned seat)
{
    struct seeks *seeks = &desk_of(hub)->seeks;
    const struct place_row row = place_of(playing, seat);
    kernel_put_row(hub, &place_table, &row);
    if (!playing->seat[seat].ends_seek)
        return;
    waiting_begin_change(seeks, row.session, false, 0);
    waiting_drop_rows(hub, row.session);
    told_seeking(hub, row.session, "playing");
}

enum letter_fate playing_apply(struct hub *hub, const struct store_letter *letter)
{
    struct playing read;
    if (!read_letter(letter, &read))
        return LETTER_REFUSED;
    struct playing *playing = may_apply(hub, &read) ? malloc(sizeof *playing) : NULL;
    if (!playing || !places_reserve(&desk_of(hub)->places, read.begin_count)) {
        free(playing);
        return LETTER_LATER;
    }
    *playing = read;
    playing->change.type = &playing_type;
    for (unsigned seat = 0; seat < playing->count; seat++) {
        const struct place_row row = place_of(playing, seat);
        if (playing->seat[seat].begins)
            begin_seat(hub, playing, seat);
        else
            kernel_drop_row(hub, &place_table, &row);
    }
    kernel_change_hub(hub, &playing->change);
    return LETTER_APPLIED;
}

/* Of a room that is here more is known than what was said. */
static bool holds(const struct hub *hub, const struct place_row *place)
{
    const struct hub_room *hub_room = kernel_room_find(hub, place->room);
    if (!hub_room)
        return true;
    const uint8_t seat = room_seat_of(kernel_room(hub_room), place->session);
    return !kernel_room_is_durable(hub_room) ||
           (seat != ROOM_NO_SEAT && room_in_play(kernel_room(hub_room)) >> seat & 1);
}

bool playing_has_place(const struct hub *hub, uint64_t session)
{
    const struct places *places = &desk_of(hub)->places;
    const struct place_row *place;
    size_t at = 0;
    while ((place = places_of(places, session, kernel_now_ms(hub), &at))) {
        if (holds(hub, place))
            return true;
    }
    return false;
}

void playing_leaves_offer(struct hub *hub, uint64_t session)
{
    struct seeks *seeks = &desk_of(hub)->seeks;
    const size_t at = waiting_find(seeks, session);
    const struct place_row *place;
    size_t next = 0;
    if (!waiting_is_offered(seeks, at))
        return;
    while ((place = places_of(&desk_of(hub)->places, session, kernel_now_ms(hub), &next)))
        seeks->offers[at].declined |=
            !is_offered_there(seeks, at, place->room) && holds(hub, place);
}

/* ---- what is kept */

bool playing_restore(struct hub *hub, const struct place_row *row)
{
    struct places *places = &desk_of(hub)->places;
    if (!places_reserve(places, 1))
        return false;
    places_keep(places, row);
    places_give_back(places, 1);
    return true;
}

struct forgetting {
    struct kernel_change change;
    struct place_row row;
};

static void forget_place(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct forgetting *forgetting = (const struct forgetting *)(const void *)change;
    (void)session;
    places_drop(&desk_of(hub)->places, forgetting->row.session, forgetting->row.room);
}

static const struct kernel_change_type forgetting_type = {.carry_out = forget_place,
                                                          .destroy = destroy_change};

void playing_look(struct hub *hub)
{
    struct desk *desk = desk_of(hub);
    const int64_t now_ms = kernel_now_ms(hub);
    if (now_ms < desk->places_looked_ms + LOOK_MS)
        return;
    const struct place_row *old = places_old(&desk->places, now_ms);
    if (!old)
        desk->places_looked_ms = now_ms;
    if (!old || kernel_may_store(hub, 1) != PROTOCOL_OK || kernel_reserve(hub, 1, 0) < 0)
        return;
    struct forgetting *forgetting = malloc(sizeof *forgetting);
    if (!forgetting)
        return;
    *forgetting = (struct forgetting){{&forgetting_type}, *old};
    kernel_drop_row(hub, &place_table, &forgetting->row);
    kernel_change_hub(hub, &forgetting->change);
}
