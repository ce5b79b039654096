#include "analyse_engine.h"

#include "engine_text.h"
#include <string.h>

_Static_assert((int)ENGINE_LINES_MAX == (int)COMPUTER_TURNS, "an answer has room for all lines");

/* An answer while it is heard. */
struct hearing {
    struct analyse_engine *engine;
    const struct taluva *game;
    unsigned lines;
    struct computer_answer *answer; /* turns of which chances are known; and those that draw */
};

static void break_engine(struct analyse_engine *engine, const char *what, const char *said,
                         const char *why)
{
    if (engine->why[0] == '\0')
        (void)snprintf(engine->why, sizeof engine->why, "%s: `%.60s`: %s", what, said, why);
}

static void hear_line(void *user, const char *text)
{
    struct hearing *const hearing = user;
    struct computer_answer *const answer = hearing->answer;
    struct engine_line line;
    const char *why;
    if (!engine_line_parse(text, hearing->game, &line, &why)) {
        break_engine(hearing->engine, "a line is wrong", text, why);
    } else if (line.number != hearing->lines + 1) {
        break_engine(hearing->engine, "a line is wrong", text, "another number comes next");
    } else {
        hearing->lines++;
        if (line.has_chances || (line.turn.parts & COMPUTER_PART_DRAW) != 0)
            answer->turns[answer->n++] = line.turn;
    }
}

static bool is_same(const struct hearing *hearing, const struct computer_turn *one,
                    const struct computer_turn *other)
{
    char texts[2][ENGINE_TURN_TEXT];
    engine_turn_format(one, hearing->game, texts[0]);
    engine_turn_format(other, hearing->game, texts[1]);
    return strcmp(texts[0], texts[1]) == 0;
}

/* The best one is first, wherever it was listed; of `draw` nothing need be known. */
static void hear_best(void *user, const char *text)
{
    struct hearing *const hearing = user;
    struct computer_answer *const answer = hearing->answer;
    struct computer_turn best;
    const char *why;
    unsigned at = 0;
    if (!engine_turn_parse(text, hearing->game, &best, &why)) {
        break_engine(hearing->engine, "it would play what is not legal", text, why);
        return;
    }
    while (at < answer->n && !is_same(hearing, &answer->turns[at], &best))
        at++;
    if (at == answer->n && (best.parts & COMPUTER_PART_DRAW) == 0) {
        break_engine(hearing->engine, "it says no chances", text, "no line of it has them");
        return;
    }
    if (at < answer->n)
        best = answer->turns[at];
    else if (answer->n < COMPUTER_TURNS)
        answer->n++;
    else
        at--; /* the last one gives way */
    memmove(answer->turns + 1, answer->turns, at * sizeof answer->turns[0]);
    answer->turns[0] = best;
}

/* Time is divided as simulations are. */
static struct engine_limits limits_of(const struct analyse_engine *engine,
                                      const struct computer_question *question)
{
    struct engine_limits limits = {.simulations = question->simulations, .ms = engine->ms};
    if (engine->ms > 0 && engine->simulations > 0) {
        limits.ms = engine->ms * question->simulations / engine->simulations;
        limits.ms += limits.ms == 0;
    }
    return limits;
}

static void ask(struct analyse_engine *engine, const struct computer_question *question,
                struct hearing *hearing)
{
    struct engine_position position = {.game = *question->game};
    char text[ENGINE_POSITION_TEXT];
    const struct engine_listener listener = {.line = hear_line, .best = hear_best, .user = hearing};
    const struct engine_go go = {
        .position = text,
        .limits = limits_of(engine, question),
        .lines = ENGINE_LINES_MAX,
        .seed = question->seed,
    };
    memcpy(position.unseen, question->unseen, sizeof position.unseen);
    engine_position_format(&position, text);
    const char *const why = engine->asker->ask(engine->asker->user, &go, &listener);
    if (why)
        (void)snprintf(engine->why, sizeof engine->why, "%s", why);
}

void analyse_engine_think(void *user, const struct computer_question *question,
                          struct computer_answer *answer)
{
    struct analyse_engine *const engine = user;
    struct hearing hearing = {.engine = engine, .game = question->game, .answer = answer};
    *answer = (struct computer_answer){.n = 0};
    if (engine->why[0] == '\0')
        ask(engine, question, &hearing);
    if (engine->why[0] == '\0')
        return;
    /* Something legal all the same. */
    struct computer_question ahead = *question;
    ahead.simulations = 0;
    computer_think(&ahead, answer);
    answer->cancelled = true;
}
