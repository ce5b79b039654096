/* The computer as an engine, and engines of anybody's as players: cli/engine.h has the contract. */
#include "engine_text.h"
#include "thinker.h"
#include <computer/levels.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMORY_MAX = 256 * 1024 * 1024, /* a search goes on in what it has */
    BYTES_A_SIMULATION = 1600,
    BYTES_OF_ROOT = 16 * 1024,
};

static bool read_position(void *position, const char *text, const char **why)
{
    struct engine_position *const out = position;
    if (!engine_position_parse(text, out, why))
        return false;
    *why = "the game is over";
    return out->game.step != TALUVA_STEP_OVER;
}

static void write_position(const void *position, char *out)
{
    engine_position_format(position, out);
}

/* ---- thinking */

static size_t memory_for(const struct engine_question *question)
{
    const uint64_t wanted = BYTES_OF_ROOT + question->simulations * BYTES_A_SIMULATION;
    if (question->level > 0)
        return computer_level_bytes((enum computer_level)question->level);
    return wanted < MEMORY_MAX ? (size_t)wanted : MEMORY_MAX;
}

/* The two weakest levels choose the build once the tile lies there. */
static void play_level(struct computer_question *question, enum computer_level level,
                       struct computer_turn *turn)
{
    struct taluva after = *question->game;
    struct computer_turn build;
    computer_play(question, level, turn);
    if (turn->parts != COMPUTER_PART_PLACE ||
        taluva_place(&after, after.seat, &turn->placement, false, NULL) != TALUVA_OK)
        return;
    question->game = &after;
    computer_play(question, level, &build);
    turn->build = build.build;
    turn->parts |= COMPUTER_PART_BUILD;
}

static void think_in(void *memory, const struct engine_position *position,
                     const struct engine_question *asked, struct computer_answer *answer)
{
    struct computer_question question = {
        .game = &position->game,
        .seed = asked->seed,
        .best_only = asked->lines <= 1,
        .cancel = asked->cancel,
        .memory = memory,
        .memory_bytes = memory ? memory_for(asked) : 0,
    };
    memcpy(question.unseen, position->unseen, sizeof question.unseen);
    if (asked->level > 0) {
        *answer = (struct computer_answer){.n = 1};
        play_level(&question, (enum computer_level)asked->level, &answer->turns[0]);
        return;
    }
    question.simulations = (uint32_t)asked->simulations;
    computer_think(&question, answer);
}

/* What is known of a turn: the two weakest levels know no chances. */
static void add_numbers(struct text *out, const struct computer_turn *turn, unsigned seats)
{
    int64_t sum = 0;
    if (turn->visits > 0)
        text_add(out, " visits %u", (unsigned)turn->visits);
    for (unsigned seat = 0; seat < seats; seat++)
        sum += turn->chances[seat];
    for (unsigned seat = 0; seat < seats && sum > 0; seat++)
        text_add(out, "%s%lld", seat == 0 ? " chances " : "/",
                 ((long long)turn->chances[seat] * 1000 + COMPUTER_CHANCE_ONE / 2) /
                     COMPUTER_CHANCE_ONE);
}

static void add_answer(struct text *out, const struct computer_answer *answer,
                       const struct taluva *game, uint64_t lines)
{
    char turn[ENGINE_TURN_TEXT];
    for (unsigned i = 0; i < answer->n && i < lines; i++) {
        engine_turn_format(&answer->turns[i], game, turn);
        text_add(out, "line %u", i + 1);
        add_numbers(out, &answer->turns[i], game->options.seats);
        text_add(out, " turn %s\n", turn);
    }
    engine_turn_format(&answer->turns[0], game, turn);
    text_add(out, "best %s\n", turn);
}

static void think(const void *asked_of, const struct engine_question *question, struct text *out)
{
    const struct engine_position *const position = asked_of;
    const size_t bytes = memory_for(question);
    struct computer_answer answer;
    if (taluva_must_draw(&position->game)) {
        text_add(out, "best draw\n");
        return;
    }
    void *const memory = bytes > 0 ? malloc(bytes) : NULL;
    think_in(memory, position, question, &answer); /* without memory it looks one turn ahead */
    free(memory);
    add_answer(out, &answer, &position->game, question->lines);
}

/* ---- an engine's turn as moves */

static bool read_plan(const void *position, const char *text, struct game_plan *plan,
                      const char **why)
{
    const struct taluva *const game = &((const struct engine_position *)position)->game;
    struct computer_turn turn;
    plan->count = 0;
    if (!engine_turn_parse(text, game, &turn, why))
        return false;
    taluva_plan_turn(plan, game, &turn);
    return true;
}

const struct game_engine taluva_engine = {
    .levels = computer_level_words,
    .position_size = sizeof(struct engine_position),
    .position_read = read_position,
    .position_write = write_position,
    .think = think,
    .plan_read = read_plan,
};
