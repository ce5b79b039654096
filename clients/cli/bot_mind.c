#include "bot_mind.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool bot_mind_open(struct bot_mind *mind, const struct game_thinker *thinker, unsigned level,
                   void (*done)(void *user), void *user)
{
    *mind = (struct bot_mind){.thinker = thinker, .level = level, .done = done, .user = user};
    mind->memory_bytes = thinker->memory_bytes(level);
    mind->known = calloc(1, thinker->known_size);
    mind->question = calloc(1, thinker->question_size);
    mind->memory = mind->memory_bytes > 0 ? malloc(mind->memory_bytes) : NULL;
    if (mind->known && mind->question && (mind->memory || mind->memory_bytes == 0))
        return true;
    bot_mind_close(mind);
    return false;
}

void bot_mind_close(struct bot_mind *mind)
{
    assert(!mind->thinking);
    free(mind->known);
    free(mind->question);
    free(mind->memory);
    *mind = (struct bot_mind){.thinker = NULL};
}

/* ---- keeping up */

void bot_mind_forget(struct bot_mind *mind)
{
    mind->heard = 0;
    mind->plan.count = 0;
    if (mind->thinker)
        memset(mind->known, 0, mind->thinker->known_size);
}

void bot_mind_hear(struct bot_mind *mind, const json_t *push)
{
    if (!mind->thinker || json_integer_value(json_object_get(push, "seq")) != mind->heard + 1)
        return;
    mind->heard++;
    mind->thinker->hear(mind->known, push);
}

/* ---- thinking */

static void on_work(uv_work_t *work)
{
    struct bot_mind *mind = work->data;
    mind->thinker->think(mind->question, mind->level, mind->seed, &mind->cancel, mind->memory,
                         mind->memory_bytes, &mind->plan);
}

static void on_work_done(uv_work_t *work, int status)
{
    struct bot_mind *mind = work->data;
    mind->thinking = false;
    if (status != 0 || atomic_load(&mind->cancel))
        mind->plan.count = 0;
    mind->done(mind->user);
}

bool bot_mind_think(struct bot_mind *mind, uv_loop_t *loop, const json_t *state, int64_t seq,
                    int seat, uint64_t seed)
{
    assert(!mind->thinking && mind->heard == seq);
    mind->plan.count = 0;
    mind->played = 0;
    mind->plan_from = seq;
    mind->seed = seed;
    atomic_store(&mind->cancel, false);
    if (!mind->thinker->ask(mind->question, mind->known, state, seat))
        return false;
    mind->work.data = mind;
    mind->thinking = uv_queue_work(loop, &mind->work, on_work, on_work_done) == 0;
    return mind->thinking;
}

void bot_mind_cancel(struct bot_mind *mind)
{
    atomic_store(&mind->cancel, true);
}

const struct game_move *bot_mind_move(const struct bot_mind *mind, int64_t seq)
{
    if (mind->thinking || mind->plan_from != seq || mind->played >= mind->plan.count)
        return NULL;
    return &mind->plan.moves[mind->played];
}

void bot_mind_played(struct bot_mind *mind, int64_t seq)
{
    mind->played++;
    mind->plan_from = seq;
}
