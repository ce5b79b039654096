/*
 * What a bot with a level or an engine thinks about its match: keeps up with the events, and lets
 * the game's own computer player think on one of libuv's worker threads, or an engine in its own
 * process, while the loop goes on.
 */
#ifndef CLI_BOT_MIND_H
#define CLI_BOT_MIND_H

#include "engine_process.h"
#include <cli/game.h>

struct bot_mind {
    const struct game_thinker *thinker; /* NULL: not open */
    unsigned level;
    void *known;   /* the thinker's, of the match */
    int64_t heard; /* up to this event */

    struct game_plan plan;
    unsigned played;   /* moves of the plan */
    int64_t plan_from; /* the next move is for the state after this event */

    /* Of an engine. */
    const struct game_engine *engine; /* NULL: none, it is a level that plays */
    struct engine_process *process;
    struct engine_limits limits;
    char broken[GAME_PROBLEM]; /* a phrase: it cannot think any more; "" */

    /* While it thinks these belong to the worker. */
    uv_work_t work;
    void *question, *memory;
    size_t memory_bytes;
    uint64_t seed;
    atomic_bool cancel;
    bool thinking;
    void (*done)(void *user);
    void *user;
};

/* `done` is called on the loop after each thought, cancelled ones too. False: memory ran out. */
bool bot_mind_open(struct bot_mind *mind, const struct game_thinker *thinker, unsigned level,
                   void (*done)(void *user), void *user);
/* The same for an engine that this command line starts. */
bool bot_mind_open_engine(struct bot_mind *mind, const struct game *game, const char *command,
                          const struct engine_limits *limits, uv_loop_t *loop,
                          void (*done)(void *user), void *user);
/* Ends the engine's process, while the loop runs; its thoughts with it. From `done`, too. */
void bot_mind_end_engine(struct bot_mind *mind);
/* Not while it thinks, nor with an engine. A mind of zeros is allowed. */
void bot_mind_close(struct bot_mind *mind);

/* Another match begins. */
void bot_mind_forget(struct bot_mind *mind);
/* Any push of the match; those that are not the next are not heard. */
void bot_mind_hear(struct bot_mind *mind, const json_t *push);

/* Begins to think about the state after event `seq`. False: the state shows nothing to think of. */
bool bot_mind_think(struct bot_mind *mind, uv_loop_t *loop, const json_t *state, int64_t seq,
                    int seat, uint64_t seed);
void bot_mind_cancel(struct bot_mind *mind);

/* The move to play in the state after event `seq`; NULL if that is to be thought about. */
const struct game_move *bot_mind_move(const struct bot_mind *mind, int64_t seq);
/* That move was played, as event `seq`: the next one of the plan follows on it. */
void bot_mind_played(struct bot_mind *mind, int64_t seq);

#endif
