#include "thinker.h"

#include "engine_text.h"
#include "known.h"
#include "state_position.h"
#include <computer/levels.h>
#include <string.h>

static void hear_push(void *known, const json_t *push)
{
    known_hear(known, push);
}

static bool ask_question(void *question, const void *known, const json_t *state, int seat)
{
    struct engine_position *const asked = question;
    if (!state_position(&asked->game, state, known) || asked->game.seat != seat)
        return false;
    known_unseen(known, asked->game.options.seats, asked->unseen);
    return true;
}

/* ---- thinking */

static size_t memory_bytes(unsigned level)
{
    return computer_level_bytes((enum computer_level)level);
}

bool taluva_must_draw(const struct taluva *game)
{
    return game->step == TALUVA_STEP_DRAW && taluva_may_take(game) == TALUVA_TAKE_DRAW;
}

static struct game_move *next_move(struct game_plan *plan)
{
    return &plan->moves[plan->count++];
}

void taluva_plan_turn(struct game_plan *plan, const struct taluva *game,
                      const struct computer_turn *turn)
{
    if (turn->parts & COMPUTER_PART_DRAW)
        memcpy(next_move(plan)->text, "draw", sizeof "draw");
    if (turn->parts & COMPUTER_PART_PLACE) {
        struct game_move *const move = next_move(plan);
        taluva_placement_format(&turn->placement, move->text);
        move->confirm = taluva_check_place(game, game->seat, &turn->placement, false, NULL) ==
                        TALUVA_ELIMINATES_YOU;
    }
    if (turn->parts & COMPUTER_PART_BUILD)
        taluva_build_format(&turn->build, next_move(plan)->text);
}

static void think_plan(const void *question, unsigned level, uint64_t seed,
                       const atomic_bool *cancel, void *memory, size_t bytes,
                       struct game_plan *plan)
{
    const struct engine_position *const asked = question;
    struct computer_question position = {
        .game = &asked->game,
        .seed = seed,
        .cancel = cancel,
        .memory = memory,
        .memory_bytes = bytes,
    };
    struct computer_turn turn = {.parts = COMPUTER_PART_DRAW};
    *plan = (struct game_plan){.count = 0};
    memcpy(position.unseen, asked->unseen, sizeof position.unseen);
    if (!taluva_must_draw(&asked->game))
        computer_play(&position, (enum computer_level)level, &turn);
    if (!atomic_load(cancel))
        taluva_plan_turn(plan, &asked->game, &turn);
}

const struct game_thinker taluva_thinker = {
    .known_size = sizeof(struct known),
    .hear = hear_push,
    .question_size = sizeof(struct engine_position),
    .ask = ask_question,
    .memory_bytes = memory_bytes,
    .think = think_plan,
};
