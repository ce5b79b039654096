#include "pairing.h"

#include "meetings.h"
#include "offer.h"
#include "playing.h"
#include "pool/pool.h"
#include "rows/state.h"
#include "served.h"
#include "waiting/told.h"
#include "waiting/waiting.h"
#include <assert.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <protocol/reply.h>
#include <protocol/request.h>
#include <stdlib.h>
#include <string.h>

/* ---- the room */

/* The first one that all of them take. */
static struct protocol_clock clock_of(const struct group *group)
{
    unsigned clock = 0;
    while (!(group->clocks >> clock & 1))
        clock++;
    return waiting_clock((enum waiting_clock)clock);
}

/* By lot, as the first seats are not the last ones. */
static void swap_seats(struct group *group, unsigned one, unsigned other)
{
    const size_t moved = group->at[one];
    group->at[one] = group->at[other];
    group->at[other] = moved;
}

/* Partners stay partners. */
static void shuffle_teams(struct hub *hub, struct group *group)
{
    const struct hub_env *env = kernel_env(hub);
    uint8_t drawn;
    env->random(env->ctx, &drawn, sizeof drawn);
    if (drawn & 1)
        swap_seats(group, 0, 2);
    if (drawn & 2)
        swap_seats(group, 1, 3);
    if (drawn & 4) {
        swap_seats(group, 0, 1);
        swap_seats(group, 2, 3);
    }
}

static unsigned draw_below(struct hub *hub, unsigned end)
{
    const struct hub_env *env = kernel_env(hub);
    uint64_t drawn;
    env->random(env->ctx, &drawn, sizeof drawn);
    return (unsigned)(drawn % end);
}

static void shuffle_seats(struct hub *hub, struct group *group)
{
    if (group->teams) {
        shuffle_teams(hub, group);
        return;
    }
    for (unsigned left = group->size; left > 1; left--)
        swap_seats(group, left - 1, draw_below(hub, left));
}

static const char *class_of(const struct group *group)
{
    return waiting_class(group->game, group->teams ? POOL_TEAMS : group->size + group->computers);
}

/*
 * Nothing is ever dropped from the book, and whatever was to be rated when it began is entered: so
 * it may become longer by the matches that are under way, and by what the operator annuls.
 */
static bool is_book_full(const struct hub *hub)
{
    return desk_of(hub)->ledger.n >= BOOK_LINES_MAX;
}

/* Why they are not rated together; NULL: they are. Whom the pool has put together are, but with
 * computers, and as long as the book has place; two who have chosen each other may not be. */
static const char *why_unrated(const struct hub *hub, const struct group *group)
{
    const struct desk *desk = desk_of(hub);
    const struct ticket *one = &desk->seeks.tickets[group->at[0]];
    const struct ticket *other = &desk->seeks.tickets[group->at[1]];
    if (group->computers > 0)
        return "computers";
    if (is_book_full(hub))
        return "book";
    if (one->with == 0 || group->teams)
        return NULL;
    if (pool_is_same_source(one, other))
        return "address";
    const struct wish_row *own = &desk->seeks.wishes[group->at[0]];
    const struct wish_row *its = &desk->seeks.wishes[group->at[1]];
    if (pool_is_same_device(one, other))
        return "device";
    if (own->young || its->young)
        return "young";
    const struct meeting_seat left = waiting_seat(&desk->seeks, group->at[0], class_of(group));
    const struct meeting_seat right = waiting_seat(&desk->seeks, group->at[1], class_of(group));
    return meetings_unrated(&desk->meetings, &left, &right, kernel_now_ms(hub));
}

/* Once, until it has place again. */
static void log_full(struct hub *hub)
{
    struct desk *desk = desk_of(hub);
    const bool full = is_book_full(hub);
    if (full && !desk->full)
        kernel_log(hub, "book_full", 0, true);
    desk->full = full;
}

static bool open_room(struct hub *hub, const struct group *group, bool rated, char id[static 9])
{
    const struct seeks *seeks = &desk_of(hub)->seeks;
    const char *game = waiting_game(group->game);
    const unsigned seats = group->size + group->computers;
    /* By lot as well: computers sit beside each other, somewhere. */
    const unsigned first = group->computers > 0 ? draw_below(hub, seats) : 0;
    struct protocol_account accounts[POOL_SIZE_MAX];
    struct kernel_room_plan plan = {.rated = rated ? class_of(group) : NULL};
    struct request create;
    struct refusal refusal;
    request_init(&create, REQUEST_NO_ID, REQUEST_CREATE);
    create.fields = REQUEST_GAME | REQUEST_OPTIONS | REQUEST_CLOCK | REQUEST_ACCESS;
    create.access = rated ? PROTOCOL_ACCESS_OPEN : PROTOCOL_ACCESS_CODE;
    create.options = group->teams ? json_pack("{s:i,s:b}", "players", (int)seats, "teams", 1)
                                  : json_pack("{s:i}", "players", (int)seats);
    create.clock = clock_of(group);
    memcpy(create.game, game, strlen(game) + 1);
    plan.create = &create;
    for (unsigned i = 0; i < group->size; i++) {
        const struct seek_row *row = &seeks->rows[group->at[i]];
        accounts[i] = (struct protocol_account){.kind = (enum protocol_account_kind)row->kind};
        memcpy(accounts[i].handle, row->handle, sizeof row->handle);
        plan.seat[(first + i) % seats] =
            (struct kernel_seat){row->session, row->name, &accounts[i], false};
    }
    for (unsigned i = group->size; i < seats; i++)
        plan.seat[(first + i) % seats].computer = true;
    plan.host = seeks->rows[group->at[0]].session;
    const bool opened = create.options && kernel_open_room(hub, &plan, id, &refusal);
    request_release(&create);
    return opened;
}

/* ---- who leaves */

struct pairing {
    struct kernel_change change;
    unsigned size;
    uint64_t sessions[POOL_SIZE_MAX];
    struct seek_offer offer;
    struct served_table served;
};

static void become_paired(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct pairing *pairing = (const struct pairing *)(const void *)change;
    struct seeks *seeks = &desk_of(hub)->seeks;
    (void)session;
    for (unsigned i = 0; i < pairing->size; i++) {
        seeks->offers[waiting_find(seeks, pairing->sessions[i])] = pairing->offer;
        playing_leaves_offer(hub, pairing->sessions[i]);
    }
    seeks->paired += pairing->size;
    served_add(&desk_of(hub)->served, &pairing->served);
}

static void seek_on(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct pairing *pairing = (const struct pairing *)(const void *)change;
    struct seeks *seeks = &desk_of(hub)->seeks;
    (void)session;
    for (unsigned i = 0; i < pairing->size; i++) {
        const size_t at = waiting_find(seeks, pairing->sessions[i]);
        if (at < seeks->count)
            seeks->tickets[at].leaves = false;
    }
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type pairing_type = {
    .carry_out = become_paired, .undo = seek_on, .destroy = destroy_change};

bool pairing_open(struct hub *hub, const struct group *found)
{
    enum { ROWS = POOL_SIZE_MAX, LETTERS = POOL_SIZE_MAX };
    struct seeks *seeks = &desk_of(hub)->seeks;
    struct group group = *found;
    const char *unrated = why_unrated(hub, found);
    char id[9];
    if (kernel_may_store(hub, KERNEL_ROOM_OPS + ROWS + LETTERS) != PROTOCOL_OK ||
        kernel_reserve(hub, ROWS, 0) < 0)
        return false;
    struct pairing *pairing = calloc(1, sizeof *pairing);
    shuffle_seats(hub, &group);
    if (!pairing || !open_room(hub, &group, !unrated, id)) {
        free(pairing);
        return false;
    }
    pairing->change.type = &pairing_type;
    pairing->size = group.size;
    pairing->served = served_look(seeks->tickets, &group, rating_class_find(class_of(&group)),
                                  kernel_now_ms(hub));
    pairing->offer.until_ms = kernel_now_ms(hub) + kernel_config(hub)->accept_ms;
    memcpy(pairing->offer.room, id, sizeof id);
    struct offer_row row = {.until_ms = pairing->offer.until_ms};
    const struct told_table told = {id, class_of(&group), unrated, row.until_ms};
    memcpy(row.room, id, sizeof id);
    for (unsigned i = 0; i < group.size; i++) {
        const struct seek_row *seek = &seeks->rows[group.at[i]];
        pairing->sessions[i] = row.session = seek->session;
        seeks->tickets[group.at[i]].leaves = true;
        kernel_put_row(hub, &offer_table, &row);
        told_found(hub, seek->session, &told);
    }
    kernel_change_hub(hub, &pairing->change);
    log_full(hub);
    return true;
}
