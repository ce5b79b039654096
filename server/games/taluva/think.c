/*
 * What a seat of a match knows, as the computer player of computer/ is asked, and its turns as
 * moves.
 */
#include "taluva_match.h"
#include <assert.h>
#include <rules/notation.h>
#include <string.h>

/*
 * The tiles of the box that nobody has seen yet: some of them are in the stack and, where it is
 * dealt from a part of the box, some are not in the game.
 */
static void count_unseen(const struct taluva_match *known, uint8_t unseen[TALUVA_TILE_TWO_HEX])
{
    taluva_tile box[TALUVA_TILES_MAX];
    size_t count = taluva_box(known->options.seats == 5, box);
    size_t drawn = (size_t)(known->options.tiles - known->game.stack);
    memset(unseen, 0, TALUVA_TILE_TWO_HEX);
    for (size_t i = 0; i < count; i++)
        unseen[box[i]]++;
    for (size_t i = 0; i < drawn; i++) {
        assert(unseen[known->deck[i]] > 0);
        unseen[known->deck[i]]--;
    }
}

struct computer_question taluva_question(const struct taluva_match *known, uint64_t seed,
                                         const struct game_thinking *thinking)
{
    struct computer_question question = {.game = &known->game, .seed = seed};
    count_unseen(known, question.unseen);
    if (thinking) {
        question.cancel = thinking->cancel;
        question.memory = thinking->memory;
        question.memory_bytes = thinking->memory_bytes;
        question.simulations = thinking->simulations_max;
    }
    return question;
}

void taluva_think(const struct taluva_match *known, uint32_t simulations, uint64_t seed,
                  struct game_thinking *thinking, struct computer_answer *answer)
{
    struct computer_question question = taluva_question(known, seed, thinking);
    if (question.simulations == 0 || question.simulations > simulations)
        question.simulations = simulations;
    if (!thinking)
        question.simulations = 0;
    computer_think(&question, answer);
    if (thinking)
        thinking->simulations = answer->simulations;
}

size_t taluva_turn_write(const struct computer_turn *turn, struct game_thinking *thinking,
                         char move[PROTOCOL_MOVE_BYTES])
{
    bool builds = turn->parts & COMPUTER_PART_BUILD;
    if (turn->parts & COMPUTER_PART_DRAW) { /* the rest depends on the tile */
        memcpy(move, TALUVA_DRAW_TEXT, sizeof TALUVA_DRAW_TEXT - 1);
        return sizeof TALUVA_DRAW_TEXT - 1;
    }
    if (!(turn->parts & COMPUTER_PART_PLACE)) {
        assert(builds);
        return taluva_build_format(&turn->build, move);
    }
    if (thinking && builds)
        thinking->next_len = taluva_build_format(&turn->build, thinking->next);
    return taluva_placement_format(&turn->placement, move);
}
