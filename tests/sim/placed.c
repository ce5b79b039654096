#include "placed.h"

#include "../support/model_store.h"
#include "marks.h"
#include <assert.h>
#include <hub/letter.h>
#include <hub/store_tables.h>
#include <pairing/offer.h>
#include <pairing/places.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_BYTES = 8, ID_DIGITS = 16, SEAT_BYTES = 2 + ID_DIGITS };

void placed_release(struct placed *placed)
{
    free(placed->seats);
    *placed = (struct placed){0};
}

static struct placed_seat *find_seat(const struct placed *placed, uint64_t session,
                                     const char *room)
{
    for (size_t at = placed->count; at-- > 0;) {
        struct placed_seat *seat = &placed->seats[at];
        if (seat->session == session && memcmp(seat->room, room, ROOM_BYTES) == 0)
            return seat;
    }
    return NULL;
}

static void add_seat(struct placed *placed, const struct offer_row *row)
{
    if (placed->count == placed->size) {
        placed->size = placed->size ? 2 * placed->size : 16;
        placed->seats = realloc(placed->seats, placed->size * sizeof *placed->seats);
        assert(placed->seats);
    }
    struct placed_seat *seat = &placed->seats[placed->count++];
    *seat = (struct placed_seat){.session = row->session, .offered = true};
    memcpy(seat->room, row->room, sizeof seat->room);
}

/* Somewhere else: so long as a place holds at most. The offer ends a little later than it is made.
 */
static bool still_plays(const struct placed_seat *seat, const struct offer_row *row)
{
    return seat->plays && !seat->out && row->until_ms < seat->since_ms + PLACES_MS;
}

static const char *offer_seat(struct placed *placed, const struct offer_row *row)
{
    for (size_t at = 0; at < placed->count; at++) {
        const struct placed_seat *seat = &placed->seats[at];
        if (seat->session != row->session || memcmp(seat->room, row->room, ROOM_BYTES) == 0)
            continue;
        if (seat->offered)
            return "somebody is offered two tables";
        if (still_plays(seat, row))
            return "somebody who plays is offered another table";
    }
    if (!find_seat(placed, row->session, row->room))
        add_seat(placed, row);
    return NULL;
}

static void end_offer(struct placed *placed, uint64_t session)
{
    for (size_t at = 0; at < placed->count; at++) {
        if (placed->seats[at].session == session)
            placed->seats[at].offered = false;
    }
}

/* Of a table made by hand nothing was offered. */
static void play(struct placed *placed, const struct place_row *row, bool plays)
{
    struct placed_seat *seat = find_seat(placed, row->session, row->room);
    if (!seat)
        return;
    seat->plays = plays;
    seat->since_ms = row->since_ms;
    mark(MARK_PLACE_TAKEN);
}

/* "ROOM -ID +ID", as the room says it with the event. */
static void hear_room(struct placed *placed, const struct store_letter *letter)
{
    for (size_t at = ROOM_BYTES; at + SEAT_BYTES <= letter->text_len; at += SEAT_BYTES) {
        char id[ID_DIGITS + 1];
        memcpy(id, letter->text + at + 2, ID_DIGITS);
        id[ID_DIGITS] = '\0';
        struct placed_seat *seat = find_seat(placed, strtoull(id, NULL, ID_DIGITS), letter->text);
        if (seat)
            seat->out = letter->text[at + 1] == '-';
    }
}

const char *placed_apply(struct placed *placed, const struct store_batch *batch)
{
    const char *wrong = NULL;
    for (size_t at = 0; at < batch->count && !wrong; at++) {
        const struct store_op *op = &batch->ops[at];
        const bool put = op->kind == STORE_PUT_ROW;
        if ((!put && op->kind != STORE_DROP_ROW) || batch->results[at] != STORE_OK)
            continue;
        const void *row = op->u.row.row;
        if (op->u.row.table == &place_table)
            play(placed, row, put);
        else if (op->u.row.table == &offer_table && put)
            wrong = offer_seat(placed, row);
        else if (op->u.row.table == &offer_table)
            end_offer(placed, ((const struct offer_row *)row)->session);
        else if (put && op->u.row.table == &store_letter_table &&
                 strcmp(((const struct store_letter *)row)->kind, "ratings.playing") == 0)
            hear_room(placed, row);
    }
    return wrong;
}

const struct place_row *placed_row(const struct model_store *store, size_t at)
{
    return model_nth(store, &place_table, at);
}
