#include "track.h"

#include "pieces.h"
#include <assert.h>
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

struct follow *track_follow(const struct track *track, const char *room)
{
    struct follow *follow = track->follows;
    while (follow && memcmp(follow->room, room, PROTOCOL_ROOM_BYTES) != 0)
        follow = follow->next;
    return follow;
}

/* Another node may have said anything; who has the room next is asked for what is behind it. */
static bool read_seq(struct piece object, int64_t *seq)
{
    return piece_number(piece_member(object, "seq"), seq) && *seq >= 0 &&
           *seq <= PROTOCOL_INTEGER_MAX;
}

static void follow(struct track *track, const char *room, int64_t seq)
{
    struct follow *known = track_follow(track, room);
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

static void unfollow(struct track *track, const char *room)
{
    struct follow *follow = track_follow(track, room);
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
static void learn_view(struct track *track, const struct asked *asked, struct piece ok)
{
    int64_t seq;
    if (piece_member(ok, "state").at && read_seq(ok, &seq))
        follow(track, asked->room, seq);
    else if (asked->have >= 0)
        follow(track, asked->room, asked->have);
    else
        track->unsure = true;
}

static void told_reply(struct track *track, struct piece text)
{
    struct asked *asked = track->asked;
    int64_t id;
    if (!piece_number(piece_member(text, "id"), &id))
        id = REQUEST_NO_ID;
    while (asked && asked->id != id)
        asked = asked->next;
    if (!asked)
        return;
    const bool view = asked->op == REQUEST_WATCH || asked->op == REQUEST_JOIN;
    const struct piece ok =
        view || asked->op == REQUEST_LEAVE ? piece_member(text, "ok") : (struct piece){0};
    if (ok.at && view)
        learn_view(track, asked, ok);
    else if (ok.at)
        unfollow(track, asked->room);
    track_answered(track, asked);
}

static void told_notice(struct track *track, struct piece text, struct follow *follow)
{
    const struct piece code = piece_member(text, "code");
    if (follow && piece_is(code, "\"store_failing\""))
        follow->failing = true;
    else if (follow && piece_is(code, "\"store_recovered\""))
        follow->failing = false;
    else if (piece_is(code, "\"draining\""))
        track->draining = true;
    else if (piece_is(code, "\"serving\""))
        track->draining = false;
}

void track_told(struct track *track, struct piece text)
{
    const struct piece push = piece_member(text, "push");
    int64_t seq;
    if (!push.at) {
        told_reply(track, text);
        return;
    }
    const struct piece room = piece_string(piece_member(text, "room"));
    struct follow *follow = room.len == PROTOCOL_ROOM_BYTES ? track_follow(track, room.at) : NULL;
    if (piece_is(push, "\"event\"")) {
        if (follow && read_seq(text, &seq))
            follow->seq = seq;
    } else if (piece_is(push, "\"notice\"")) {
        told_notice(track, text, follow);
    }
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
        unfollow(track, track->follows->room);
}
