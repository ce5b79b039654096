/*
 * One client of a room, as a real one is: it says hello, takes its seat or watches, keeps the
 * room's state by patching, comes back after a cut with its token and the last seq it holds. What
 * it plays is decided by its match, which it calls through `struct player_room`.
 */
#ifndef LOAD_PLAYER_H
#define LOAD_PLAYER_H

#include "line.h"
#include "message.h"
#include "stats.h"
#include <jansson.h>
#include <protocol/buffer.h>
#include <protocol/limits.h>
#include <protocol/request.h>

enum player_stage {
    PLAYER_AWAY,  /* not connected, or connecting */
    PLAYER_HELLO, /* has said hello */
    PLAYER_IDLE,  /* known to the server, in no room */
    PLAYER_ENTER, /* has asked to create, join or watch */
    PLAYER_IN,    /* follows the room */
};

/* How a wire was cut: for good; to come back at once; to stay away until the match fetches it. */
enum player_cut { PLAYER_GONE, PLAYER_BACK, PLAYER_AWHILE };

struct player;

/* The other side of a player: what its match wants to know. */
struct player_room {
    void (*greeted)(struct player *player); /* stage is IDLE now */
    /* Stage is IN, room and seq are set. `state` is NULL if what was missed follows as pushes. */
    void (*entered)(struct player *player, json_t *state);
    void (*created)(struct player *player, const char *room);
    /* Are these the very bytes that another client of the room was sent for player->seq + 1? */
    bool (*same)(const struct player *player, const char *bytes, size_t len);
    /* Event player->seq, in sequence. `push` is NULL if `same` has just said so. */
    void (*pushed)(struct player *player, json_t *push, const char *bytes, size_t len);
    /* The same, read in place: only while `in_place` is set. */
    void (*followed)(struct player *player, const struct message_event *event, size_t len);
    void (*answered)(struct player *player, int64_t id,
                     int64_t seq); /* any other request was granted */
    void (*failed)(struct player *player, enum failure failure, const char *what);
};

struct player {
    const struct player_room *room_ops;
    void *match;
    const struct line_route *route;
    struct stats *stats;
    struct line line;
    enum player_stage stage;
    uint8_t seat; /* or PLAYER_WATCHES */
    bool cut_on_purpose, resuming;
    bool in_place; /* pushes of the room are not parsed; set by the match, until it is left */
    enum player_cut cut;
    bool seen_over;            /* the match has counted it among those who know the end */
    int64_t back_at;           /* PLAYER_AWHILE: the seq at which its match fetches it */
    int64_t first_id, next_id; /* those before next_id were asked, from the first on */
    int64_t enter_id;          /* the request being waited for in HELLO and ENTER */
    int64_t seq; /* of the last event received, or the last view; 0 before the first */
    uint64_t resume_bytes, resume_until;
    struct buffer out;
    char room[PROTOCOL_ROOM_BYTES + 1];
    char token[PROTOCOL_TOKEN_BYTES + 1];
    char name[24];
};
enum { PLAYER_WATCHES = 255 };

void player_init(struct player *player, const struct player_room *room_ops, void *match,
                 const struct line_route *route, struct stats *stats, uint8_t seat,
                 const char *name, int64_t first_id);
void player_release(struct player *player); /* its connection is gone */

/* Connects, says hello, and goes back into its room if it had one. */
void player_connect(struct player *player);
void player_cut(struct player *player, enum player_cut cut);
void player_leave_room(struct player *player); /* sends `leave` and forgets the room here */

/* Sends `request` under the next id, which is returned; -1: not sent, the connection is breaking.
 * `request->id` says which to repeat, if set. */
int64_t player_ask(struct player *player, struct request *request);
void player_request(const struct player *player, struct request *request, enum request_op op);

#endif
