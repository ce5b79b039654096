/*
 * One match under load: its clients, its own copy of the game, whose move is next and when it is
 * due.
 *
 * The match plays by its own copy (load/game.h) and holds everything that it is sent against it.
 * Each event must be the move that was sent, told as its viewer may hear it, and must patch the
 * state into what the copy says this viewer sees. That is checked where a view (told.h) receives
 * the event first; all other clients of the view must be sent the same bytes in the same sequence,
 * and so hold the same state.
 *
 * A match that is not in the sample (`in_place`) has no state while it is played: of each push it
 * reads the number, and who hears it first that it is the move that was sent, and what chance
 * brought. Its end is what the copy says.
 */
#ifndef LOAD_MATCH_H
#define LOAD_MATCH_H

#include "player.h"
#include "told.h"

enum { MATCH_DUE_MAX = 64, MATCH_NOTES = 32, MATCH_SAMPLE = 32 };

struct load_match;

struct match_note { /* a move that was sent, until its slot is needed again */
    int64_t seq, id;
    uint64_t due_us;
    unsigned mover;
};

struct match_view { /* what clients hold that must be sent the same */
    int64_t seq;
    json_t *state; /* patched by every event's first listener, as of `seq` */
};

struct match_plan { /* the same for all matches of a run */
    const struct load_game *game;
    const void *game_options; /* of the command line */
    unsigned watchers;
    unsigned check_every; /* whole state of a client every so many pushes; 0: only at the end */
    bool sample;          /* one room of MATCH_SAMPLE is checked, the others are read in place */
    bool open_loop;       /* moves wait until they are due */
    bool slow_watchers;   /* watchers stop reading once they are in */
    uint64_t games;       /* games to play one after the other; 0: until the run ends */
    void (*playing)(struct load_match *match); /* the first player may move */
    /* The last game is over and every client has seen it; or a client is lost, and it cannot be. */
    void (*over)(struct load_match *match);
    uint64_t (*now_us)(void);
    void (*report)(const struct load_match *match, enum failure failure, const char *what);
};

struct load_match {
    const struct match_plan *plan;
    struct stats *stats;
    void *owner;
    unsigned number;
    struct rng rng;
    json_t *options;        /* of `create` */
    struct player *clients; /* seats first, then watchers */
    unsigned seats, n_clients, n_in;
    unsigned n_ready, n_seen_over;
    uint64_t games_played;

    bool in_place; /* while it is played, pushes are read in place and held against nothing */
    bool playing;
    bool lost;  /* a client, in a run of so many games */
    void *copy; /* of the game, as of `seq` */
    int64_t seq;
    struct match_view *views;
    struct told told;

    /* The move under way: sent, and not yet pushed back to its sender. */
    bool moving;
    struct load_move move;
    struct match_note notes[MATCH_NOTES]; /* of seq n at n % MATCH_NOTES */

    uint64_t due_us[MATCH_DUE_MAX]; /* open loop: when moves were due that are not yet sent */
    unsigned due_head, due_count;
};

/* False: out of memory. */
bool load_match_init(struct load_match *match, const struct match_plan *plan,
                     const struct line_route *route, struct stats *stats, void *owner,
                     unsigned number, uint64_t seed);
void load_match_release(struct load_match *match);

void load_match_connect(struct load_match *match); /* and play */
void load_match_due(struct load_match *match,
                    uint64_t due_us); /* open loop: one more move is due */
/* A client's wire breaks; it comes back at once, or after `away` more events of the room. */
void load_match_cut(struct load_match *match, unsigned client, unsigned away);
void load_match_stop(struct load_match *match); /* cuts everybody for good */

#endif
