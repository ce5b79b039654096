#include "arena.h"

#include <assert.h>
#include <base/rng.h>
#include <string.h>
#include <totem_rules/notation.h>

enum { LISTED = 1024 };

/* ---- the random player */

static bool has_couple(const struct totem_people huts[TOTEM_HUTS])
{
    unsigned women = 0, men = 0;
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        women += totem_count_women(&huts[hut]);
        men += totem_count_men(&huts[hut]);
    }
    return women > 0 && men > 0;
}

/* Anybody who fits anywhere, until as many as must have settled. */
static void settle_anywhere(struct totem_people left, unsigned stay, struct rng *random,
                            struct totem_people huts[TOTEM_HUTS])
{
    memset(huts, 0, TOTEM_HUTS * sizeof *huts);
    while (stay > 0) {
        unsigned hut = rng_below(random, TOTEM_HUTS);
        unsigned person = rng_below(random, totem_count(&left)), kind = 0;
        if (totem_count(&huts[hut]) == totem_hut_room())
            continue;
        for (; person >= left.of[kind]; kind++)
            person -= left.of[kind];
        left.of[kind]--;
        huts[hut].of[kind]++;
        stay--;
    }
}

static void write_anything(const struct totem *game, struct rng *random, struct totem_command *out)
{
    unsigned left = rng_below(random, totem_allowance(game, out->family) + 1);
    while (left-- > 0) {
        unsigned hut = rng_below(random, TOTEM_HUTS_ALL);
        if (game->families[hut / TOTEM_HUTS].state == TOTEM_FAMILY_PLAYING)
            out->puts.hut[rng_below(random, TOTEM_SPELLS)] = (uint8_t)hut;
    }
}

void arena_random_command(const struct totem *game, unsigned family, uint64_t seed,
                          struct totem_command *out)
{
    struct totem_command list[LISTED];
    struct rng random = {seed};
    size_t count = totem_list(game, family, list, LISTED);
    if (count > 0) {
        *out = list[rng_below(&random, (uint32_t)(count < LISTED ? count : LISTED))];
        return;
    }
    totem_default_command(game, family, out);
    if (game->step == TOTEM_STEP_SETTLE) {
        do {
            settle_anywhere(totem_everybody(&game->families[family]), totem_to_settle(game, family),
                            &random, out->people);
        } while (!has_couple(out->people));
    } else if (game->step == TOTEM_STEP_WRITE) {
        write_anything(game, &random, out);
    }
}

/* ---- games */

struct play {
    struct totem game;
    struct totem_births births;
    struct rng dice; /* births, seeds of players */
    unsigned births_round;
    unsigned levels[TOTEM_SEATS_MAX];
};

/* The same births in each game of a deal, whatever is played. */
static void draw_births(struct play *play, uint64_t deal)
{
    struct rng dice = {deal * 1000003 + play->game.round};
    if (play->births_round == play->game.round)
        return;
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++)
        play->births.words[hut] = (uint16_t)(rng_next(&dice) & ((1U << TOTEM_CHILDREN_MAX) - 1));
    play->births_round = play->game.round;
}

static unsigned lowest(unsigned set)
{
    unsigned bit = 0;
    while (!((set >> bit) & 1))
        bit++;
    return bit;
}

static uint64_t mix(uint64_t digest, const struct totem_command *command)
{
    char text[TOTEM_COMMAND_TEXT];
    size_t len = totem_command_format(command, text);
    for (size_t i = 0; i < len; i++)
        digest = (digest ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return digest;
}

static void step(struct play *play, uint64_t deal, unsigned tried, struct arena_result *result)
{
    struct totem_command command;
    unsigned family = lowest(totem_acting(&play->game));
    unsigned seat = totem_seat_of(&play->game.options, family);
    struct totem known = play->game;
    uint64_t seed = rng_next(&play->dice);
    totem_computer_hide(&known, seat);
    if (play->levels[seat] == ARENA_RANDOM)
        arena_random_command(&known, family, seed, &command);
    else
        totem_computer_choose(&known, family, (enum totem_level)play->levels[seat], seed, &command);
    draw_births(play, deal);
    result->moves += seat == tried;
    result->digest = mix(result->digest, &command);
    enum totem_status status = totem_play(&play->game, seat, &command, &play->births, NULL);
    assert(status == TOTEM_OK);
    (void)status;
}

static void play_game(const struct totem_options *options, unsigned level, unsigned other,
                      uint64_t deal, unsigned tried, struct arena_result *result)
{
    struct play play = {.dice = {deal * 31 + tried}};
    struct rng first = {deal};
    struct totem_options drawn = *options;
    drawn.first = (uint8_t)rng_below(&first, totem_families(options));
    totem_init(&play.game, &drawn);
    for (unsigned seat = 0; seat < options->players; seat++)
        play.levels[seat] = seat == tried ? level : other;
    while (play.game.step != TOTEM_STEP_OVER)
        step(&play, deal, tried, result);
    struct totem_outcome outcome;
    totem_outcome(&play.game, &outcome);
    result->games++;
    result->wins += outcome.winners >> tried & 1;
    result->none += outcome.winners == 0;
    result->rounds += play.game.round;
}

void arena_play(const struct totem_options *options, unsigned level, unsigned other,
                uint64_t first_deal, unsigned deals, struct arena_result *result)
{
    for (unsigned i = 0; i < deals; i++) {
        for (unsigned tried = 0; tried < options->players; tried++)
            play_game(options, level, other, first_deal + i, tried, result);
    }
}
