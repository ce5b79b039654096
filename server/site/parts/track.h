/*
 * What a client has under way in one part, so that it can go on there when another node has taken
 * the part: the requests that are not answered yet, and the rooms that it follows, each with the
 * last event that it was sent. It is learnt from what passes.
 *
 * Who has more unanswered than TRACK_BYTES is not gone along with any more (`unsure`).
 */
#ifndef SITE_TRACK_H
#define SITE_TRACK_H

#include <hub/hub.h>
#include <protocol/limits.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACK_BYTES = 16384, TRACK_FOLLOWS = 128 };

/* A request without an answer. */
struct asked {
    struct asked *next;
    int64_t id; /* REQUEST_NO_ID: it could not be read */
    enum request_op op;
    int64_t have; /* of a view; below 0: nothing */
    char room[PROTOCOL_ROOM_BYTES + 1];
    size_t len;
    char bytes[];
};

/* A room that it follows. */
struct follow {
    struct follow *next;
    char room[PROTOCOL_ROOM_BYTES + 1];
    int64_t seq;    /* of the last event that it was sent */
    int64_t number; /* under which it is followed again, which is not answered yet; 0: it is not */
    bool failing;   /* it was told that the room takes no moves */
};

struct track {
    struct asked *asked, **asked_last;
    size_t asked_bytes;
    struct follow *follows;
    size_t follow_count;
    bool draining; /* it was told that the server restarts */
    bool unsure;
};

/* The request is about to be sent on. */
void track_ask(struct track *track, const struct request *request, const char *bytes, size_t len);
/* It was not, or is answered otherwise: one of track->asked. */
void track_answered(struct track *track, struct asked *asked);
/* The client is sent a message with this head. */
void track_told(struct track *track, const struct hub_head *head);

bool track_is_empty(const struct track *track);
void track_release(struct track *track);

#endif
