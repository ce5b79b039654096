#include "bot_mind.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool make_memory(struct bot_mind *mind)
{
    const struct game_thinker *const thinker = mind->thinker;
    mind->memory_bytes = mind->engine ? 0 : thinker->memory_bytes(mind->level);
    mind->known = calloc(1, thinker->known_size);
    mind->question = calloc(1, thinker->question_size);
    mind->memory = mind->memory_bytes > 0 ? malloc(mind->memory_bytes) : NULL;
    if (mind->known && mind->question && (mind->memory || mind->memory_bytes == 0))
        return true;
    bot_mind_close(mind);
    return false;
}

bool bot_mind_open(struct bot_mind *mind, const struct game_thinker *thinker, unsigned level,
                   void (*done)(void *user), void *user)
{
    *mind = (struct bot_mind){.thinker = thinker, .level = level, .done = done, .user = user};
    return make_memory(mind);
}

void bot_mind_close(struct bot_mind *mind)
{
    assert(!mind->thinking && !mind->process);
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
    if (mind->process)
        engine_process_new_match(mind->process);
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

/* ---- an engine's */

static void on_best(void *user, const char *turn)
{
    struct bot_mind *const mind = user;
    const char *why;
    mind->thinking = false;
    if (!atomic_load(&mind->cancel) &&
        !mind->engine->plan_read(mind->question, turn, &mind->plan, &why))
        (void)snprintf(mind->broken, sizeof mind->broken, "it would play what is not legal: %s",
                       why);
    mind->done(mind->user);
}

static void on_engine_failed(void *user, const char *why)
{
    struct bot_mind *const mind = user;
    mind->thinking = false;
    (void)snprintf(mind->broken, sizeof mind->broken, "%s", why);
    mind->done(mind->user);
}

bool bot_mind_open_engine(struct bot_mind *mind, const struct game *game, const char *command,
                          const struct engine_limits *limits, uv_loop_t *loop,
                          void (*done)(void *user), void *user)
{
    static const struct engine_events events = {.best = on_best, .failed = on_engine_failed};
    *mind = (struct bot_mind){.thinker = game->thinker,
                              .engine = game->engine,
                              .limits = *limits,
                              .done = done,
                              .user = user};
    if (!make_memory(mind))
        return false;
    mind->process = engine_process_start(loop, command, &events, mind);
    if (!mind->process)
        bot_mind_close(mind);
    return mind->process != NULL;
}

void bot_mind_end_engine(struct bot_mind *mind)
{
    if (!mind->process)
        return;
    engine_process_end(mind->process);
    mind->process = NULL;
    mind->thinking = false;
}

static bool ask_engine(struct bot_mind *mind)
{
    char position[ENGINE_LINE_BYTES];
    const struct engine_go go = {
        .position = position, .limits = mind->limits, .lines = 0, .seed = mind->seed};
    mind->engine->position_write(mind->question, position);
    mind->thinking = true;
    engine_process_ask(mind->process, &go);
    return true;
}

/* ---- asking */

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
    if (mind->process)
        return ask_engine(mind);
    mind->work.data = mind;
    mind->thinking = uv_queue_work(loop, &mind->work, on_work, on_work_done) == 0;
    return mind->thinking;
}

void bot_mind_cancel(struct bot_mind *mind)
{
    atomic_store(&mind->cancel, true);
    if (mind->process && mind->thinking)
        engine_process_stop(mind->process);
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
