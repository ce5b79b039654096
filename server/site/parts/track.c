#include "track.h"

#include <assert.h>
#include <protocol/terms.h>
#include <stdlib.h>
#include <string.h>

/* ---- requests */

void track_ask(struct track *track, const struct request *request, const char *bytes, size_t len)
{
    const size_t cost = sizeof(struct asked) + len;
    const bool fits = track->asked_bytes + cost <= TRACK_BYTES;
    struct asked *asked = fits && !track->unsure ? malloc(cost) : NULL;
    if (!asked) {
        track->unsure = true;
        return;
    }
    *asked = (struct asked){.id = request->id, .op = request->op, .have = -1, .len = len};
    if (request_has(request, REQUEST_ROOM))
        memcpy(asked->room, request->room, sizeof asked->room);
    if (request_has(request, REQUEST_HAVE))
        asked->have = request->have;
    memcpy(asked->bytes, bytes, len);
    if (!track->asked)
        track->asked_last = &track->asked;
    *track->asked_last = asked;
    track->asked_last = &asked->next;
    track->asked_bytes += cost;
}

void track_answered(struct track *track, struct asked *asked)
{
    struct asked **link = &track->asked;
    while (*link != asked)
        link = &(*link)->next;
    *link = asked->next;
    if (!asked->next)
        track->asked_last = link;
    track->asked_bytes -= sizeof *asked + asked->len;
    free(asked);
}

/* ---- rooms */

/* NULL: it does not. */
static struct follow *find_follow(const struct track *track, const char *room)
{
    struct follow *follow = track->follows;
    while (follow && memcmp(follow->room, room, PROTOCOL_ROOM_BYTES) != 0)
        follow = follow->next;
    return follow;
}

static void follow_room(struct track *track, const char *room, int64_t seq)
{
    struct follow *known = find_follow(track, room);
    if (!known) {
        known = track->follow_count < TRACK_FOLLOWS ? calloc(1, sizeof *known) : NULL;
        if (!known) {
            track->unsure = true;
            return;
        }
        memcpy(known->room, room, PROTOCOL_ROOM_BYTES);
        known->next = track->follows;
        track->follows = known;
        track->follow_count++;
    }
    known->seq = seq;
}

static void unfollow_room(struct track *track, const char *room)
{
    struct follow *follow = find_follow(track, room);
    struct follow **link = &track->follows;
    if (!follow)
        return;
    while (*link != follow)
        link = &(*link)->next;
    *link = follow->next;
    track->follow_count--;
    free(follow);
}

/* ---- what it is told */

/* Behind a view without a state comes what it does not have: only who has something gets one. */
static void learn_view(struct track *track, const struct asked *asked, const struct hub_head *head)
{
    if (head->kind == HUB_VIEW)
        follow_room(track, asked->room, head->seq);
    else if (asked->have >= 0)
        follow_room(track, asked->room, asked->have);
    else
        track->unsure = true;
}

static void told_reply(struct track *track, const struct hub_head *head)
{
    struct asked *asked = track->asked;
    while (asked && asked->id != head->id)
        asked = asked->next;
    if (!asked)
        return;
    const bool granted = head->kind != HUB_REFUSAL;
    if (granted && (asked->op == REQUEST_WATCH || asked->op == REQUEST_JOIN))
        learn_view(track, asked, head);
    else if (granted && asked->op == REQUEST_LEAVE)
        unfollow_room(track, asked->room);
    track_answered(track, asked);
}

static void told_event(const struct track *track, const struct hub_head *head)
{
    struct follow *follow = find_follow(track, head->room);
    if (follow)
        follow->seq = head->seq;
}

static void told_notice(struct track *track, const struct hub_head *head)
{
    struct follow *follow = head->room[0] ? find_follow(track, head->room) : NULL;
    switch ((enum protocol_notice)head->notice) {
    case PROTOCOL_NOTICE_STORE_FAILING:
    case PROTOCOL_NOTICE_STORE_RECOVERED:
        if (follow)
            follow->failing = head->notice == PROTOCOL_NOTICE_STORE_FAILING;
        break;
    case PROTOCOL_NOTICE_DRAINING:
    case PROTOCOL_NOTICE_SERVING:
        track->draining = head->notice == PROTOCOL_NOTICE_DRAINING;
        break;
    case PROTOCOL_NOTICE_ANNOUNCEMENT:
    case PROTOCOL_NOTICE_CLOSED:
    case PROTOCOL_NOTICE_WHOLE:
    case PROTOCOL_NOTICE_LEFT_OUT:
    case PROTOCOL_NOTICE_COUNT:
        break;
    }
}

void track_told(struct track *track, const struct hub_head *head)
{
    if (head->follows)
        return; /* that is told to nobody */
    if (head_is_reply(head))
        told_reply(track, head);
    else if (head->kind == HUB_EVENT)
        told_event(track, head);
    else if (head->kind == HUB_NOTICE)
        told_notice(track, head);
}

bool track_is_empty(const struct track *track)
{
    return !track->asked && !track->follows && !track->unsure;
}

void track_release(struct track *track)
{
    while (track->asked)
        track_answered(track, track->asked);
    while (track->follows)
        unfollow_room(track, track->follows->room);
}
