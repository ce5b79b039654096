#include <hub/check.h>

#include <inttypes.h>
#include <protocol/terms.h>
#include <room/room.h>
#include <stdio.h>
#include <string.h>

static void let_go(struct hub_check *check)
{
    room_destroy(check->room);
    check->room = NULL;
}

static void note_damage(struct hub_check *check, const char *why)
{
    check->skipped = true;
    check->damaged_rooms++;
    check->damaged(check->ctx, check->room_id, why);
    let_go(check);
}

static void begin_room(struct hub_check *check, const char *room_id)
{
    check->rooms++;
    check->skipped = check->has_events = false;
    snprintf(check->room_id, sizeof check->room_id, "%s", room_id);
}

void hub_check_end(struct hub_check *check)
{
    struct room *room = check->room;
    if (!room)
        return;
    if (!check->has_events)
        note_damage(check, "it has no events");
    else if (check->over && room_phase(room) != PROTOCOL_PHASE_OVER)
        note_damage(check, "it is archived, and its match is not over");
    else
        let_go(check);
}

/* ---- the sink */

static int take_epoch(void *ctx, uint64_t epoch)
{
    (void)ctx, (void)epoch;
    return 0;
}

static int take_session(void *ctx, const struct store_session *session)
{
    struct hub_check *check = ctx;
    (void)session;
    check->sessions++;
    return 0;
}

static int take_row(void *ctx, const struct store_table *table, const void *row)
{
    (void)ctx, (void)table, (void)row;
    return 0;
}

static int take_room(void *ctx, const struct store_room *stored)
{
    struct hub_check *check = ctx;
    hub_check_end(check);
    begin_room(check, stored->seed.id);
    check->room = room_restore(check->games, &stored->seed);
    return check->room ? 0 : STORE_FAILED;
}

static int take_event(void *ctx, const char *room_id, const struct room_event *event)
{
    struct hub_check *check = ctx;
    char why[64];
    (void)room_id;
    check->events++;
    if (check->skipped)
        return 0;
    int restored = room_restore_event(check->room, event);
    if (restored == -1)
        return STORE_FAILED;
    snprintf(why, sizeof why, "event %" PRIu64 " cannot be replayed", event->seq);
    check->has_events = true;
    if (restored < 0)
        note_damage(check, why);
    return 0;
}

static int take_guest(void *ctx, const char *room_id, uint64_t session)
{
    (void)ctx, (void)room_id, (void)session;
    return 0;
}

static int take_damaged(void *ctx, const char *room_id, const char *why)
{
    struct hub_check *check = ctx;
    if (strcmp(check->room_id, room_id) != 0) {
        hub_check_end(check);
        begin_room(check, room_id);
    }
    if (!check->skipped)
        note_damage(check, why);
    return 0;
}

struct store_sink hub_check_sink(struct hub_check *check)
{
    return (struct store_sink){take_epoch, take_session, take_row,     take_room,
                               take_event, take_guest,   take_damaged, check};
}
