#include "play.h"

#include "builds.h"
#include "places.h"
#include "weights.h"
#include <assert.h>
#include <computer/levels.h>
#include <math.h>
#include <rules/box.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- players */

bool net_read(struct net *net, const char *path)
{
    FILE *const file = fopen(path, "rb");
    if (!file)
        return false;
    const bool whole = fread(net, sizeof *net, 1, file) == 1;
    fclose(file);
    return whole;
}

static const char *read_net(struct player *player, const char *path, size_t len)
{
    char name[256];
    if (len >= sizeof name)
        return "the name of the net's file is too long";
    memcpy(name, path, len);
    name[len] = '\0';
    struct net *const net = malloc(sizeof *net);
    if (!net)
        return "not enough memory";
    player->net = net;
    return net_read(net, name) ? NULL : "there is no such net, or it is of another size";
}

static const char *read_width(struct player *player, const char *text, size_t len)
{
    if (len == 4 && memcmp(text, "wide", len) == 0)
        player->style.root = (struct turns_width){PLACES_KEPT, BUILDS_KEPT, TURNS_KEPT, true};
    else if (len == 6 && memcmp(text, "narrow", len) == 0)
        player->style.root = search_usual.inner;
    else
        return "a width is wide or narrow";
    return NULL;
}

/* What stands behind the first word: any of ":NET", "+WIDTH" and "~NOISE". */
static const char *read_extras(struct player *player, const char *text)
{
    const char *wrong = NULL;
    while (*text != '\0' && !wrong) {
        const char what = *text++;
        const size_t len = strcspn(text, ":+~");
        if (what == ':')
            wrong = read_net(player, text, len);
        else if (what == '+')
            wrong = read_width(player, text, len);
        else
            player->noise = (int32_t)(strtol(text, NULL, 10) * CHANCE_ONE / 1000);
        text += len;
    }
    return wrong;
}

static const char *get_memory(struct player *player, size_t bytes)
{
    player->memory_bytes = bytes;
    player->memory = bytes > 0 ? malloc(bytes) : NULL;
    return player->memory || bytes == 0 ? NULL : "not enough memory";
}

static const char *read_budget(struct player *player, const char *text, size_t len)
{
    char *end = NULL;
    if (len == 5 && memcmp(text, "ahead", len) == 0)
        return NULL;
    player->simulations = (uint32_t)strtoul(text, &end, 10);
    if (len == 0 || end != text + len)
        return "a player is random, a level, ahead or a number of simulations";
    return get_memory(player, (size_t)player->simulations * 2000 + 10000);
}

static const char *read_level(struct player *player, enum computer_level level)
{
    player->kind = PLAYER_LEVEL;
    player->level = level;
    return get_memory(player, computer_level_bytes(level));
}

const char *player_read(struct player *player, const char *text)
{
    const size_t len = strcspn(text, ":+~");
    memset(player, 0, sizeof *player);
    player->net = &net_trained;
    player->style = search_usual;
    if (strcmp(text, "random") == 0) {
        player->kind = PLAYER_RANDOM;
        return NULL;
    }
    for (unsigned level = 1; level <= COMPUTER_LEVELS; level++) {
        if (strcmp(text, computer_level_words[level - 1]) == 0)
            return read_level(player, (enum computer_level)level);
    }
    player->kind = PLAYER_THINKING;
    const char *const wrong = read_budget(player, text, len);
    return wrong ? wrong : read_extras(player, text + len);
}

/* ---- turns */

static void do_turn(struct play *play, const struct computer_turn *turn)
{
    const struct turn same = {
        .placement = turn->placement, .build = turn->build, .parts = turn->parts};
    if (turn->parts == COMPUTER_PART_DRAW) {
        const taluva_tile tile = play->deck[play->n_drawn++];
        play->unseen[tile]--;
        (void)taluva_draw(&play->game, play->game.seat, tile, NULL);
        return;
    }
    turn_apply(&play->game, &same);
    play->n_turns += play->game.step != TALUVA_STEP_BUILD;
}

/* The chance with noise as of the greatest of many: mostly little, at times much. */
static double shake_chance(struct rng *rng, int32_t chance, int32_t noise)
{
    const double u = ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
    return chance - noise * log(-log(u));
}

static unsigned pick_turn(struct play *play, const struct player *player,
                          const struct computer_answer *answer)
{
    const unsigned seat = play->game.seat;
    unsigned best = 0;
    if (rng_below(&play->rng, 1000) < player->per_mille)
        return rng_below(&play->rng, answer->n);
    if (player->noise == 0)
        return 0;
    double most = -1e9;
    for (unsigned i = 0; i < answer->n; i++) {
        const double chance =
            shake_chance(&play->rng, answer->turns[i].chances[seat], player->noise);
        if (chance > most) {
            most = chance;
            best = i;
        }
    }
    return best;
}

static void think_turn(struct play *play, struct player *player)
{
    struct computer_question question = {
        .game = &play->game,
        .seed = rng_next(&play->rng),
        .simulations = player->simulations,
        .best_only = player->noise == 0 && player->per_mille == 0,
        .memory = player->memory,
        .memory_bytes = player->memory_bytes,
    };
    struct computer_answer answer;
    memcpy(question.unseen, play->unseen, sizeof question.unseen);
    search_run(player->net, &player->style, &question, &answer);
    player->rated += answer.rated;
    player->simulated += answer.simulations;
    player->turns++;
    const unsigned picked = pick_turn(play, player, &answer);
    const unsigned seat = play->game.seat;
    play->thought = true;
    memcpy(play->best, answer.turns[0].chances, sizeof play->best);
    play->lost = answer.turns[0].chances[seat] - answer.turns[picked].chances[seat];
    do_turn(play, &answer.turns[picked]);
}

static bool place_random(struct play *play, taluva_tile tile)
{
    struct taluva_placement list[TALUVA_PLACEMENTS_MAX];
    const size_t n = taluva_list_placements(&play->game, tile, list, NULL);
    struct taluva_placement placement = list[rng_below(&play->rng, (uint32_t)n)];
    return taluva_place(&play->game, play->game.seat, &placement, true, NULL) == TALUVA_OK;
}

static void build_random(struct play *play)
{
    struct taluva_build builds[TALUVA_BUILDS_MAX];
    const size_t n = taluva_list_builds(&play->game, builds);
    const struct taluva_build build = builds[rng_below(&play->rng, (uint32_t)n)];
    (void)taluva_build(&play->game, play->game.seat, &build, NULL);
}

static taluva_tile any_two_hex(const struct play *play)
{
    const unsigned may_take = taluva_may_take(&play->game);
    unsigned i = 0;
    while ((may_take >> i & 1) == 0)
        i++;
    return (taluva_tile)(TALUVA_TILE_TWO_HEX + i);
}

static void play_random(struct play *play)
{
    const taluva_tile tile =
        play->game.step == TALUVA_STEP_PLACE ? play->game.tile : any_two_hex(play);
    if (play->game.step != TALUVA_STEP_BUILD)
        (void)place_random(play, tile);
    if (play->game.step == TALUVA_STEP_BUILD)
        build_random(play);
    play->n_turns++;
}

static void play_level(struct play *play, struct player *player)
{
    struct computer_question question = {
        .game = &play->game,
        .seed = rng_next(&play->rng),
        .memory = player->memory,
        .memory_bytes = player->memory_bytes,
    };
    struct computer_turn turn;
    memcpy(question.unseen, play->unseen, sizeof question.unseen);
    computer_play(&question, player->level, &turn);
    player->turns++;
    do_turn(play, &turn);
}

void play_step(struct play *play, struct player *player)
{
    const unsigned may_take = taluva_may_take(&play->game);
    const bool random = player->kind == PLAYER_RANDOM;
    if (may_take == TALUVA_TAKE_DRAW || ((may_take & TALUVA_TAKE_DRAW) != 0 && random)) {
        const struct computer_turn draw = {.parts = COMPUTER_PART_DRAW};
        do_turn(play, &draw);
        return;
    }
    switch (player->kind) {
    case PLAYER_RANDOM:
        play_random(play);
        return;
    case PLAYER_LEVEL:
        play_level(play, player);
        return;
    case PLAYER_THINKING:
        think_turn(play, player);
        return;
    }
}

/* ---- games */

static uint32_t draw_uniform(void *rng, uint32_t n)
{
    return rng_below(rng, n);
}

void play_init(struct play *play, struct taluva_options options, struct rng *deal)
{
    const struct taluva_deal what = {.draw_first = true, .draw_two_hex = options.two_hex != 0};
    taluva_tile box[TALUVA_TILES_MAX];
    memset(play, 0, sizeof *play);
    options.two_hex = 0;
    enum taluva_status status = taluva_deal(&options, what, draw_uniform, deal, play->deck);
    assert(status == TALUVA_OK);
    status = taluva_init(&play->game, &options);
    assert(status == TALUVA_OK);
    (void)status;
    const size_t n = taluva_box(options.seats == 5, box);
    for (size_t i = 0; i < n; i++)
        play->unseen[box[i]]++;
}

static bool one_in(struct rng *rng, unsigned n)
{
    return rng_below(rng, n) == 0;
}

struct taluva_options play_any_options(struct rng *rng)
{
    static const uint8_t seats[] = {2, 2, 2, 2, 3, 3, 4, 4, 5}, tiles[] = {24, 36, 48, 48, 48, 60};
    struct taluva_options options = {.seats = seats[rng_below(rng, sizeof seats)]};
    do
        options.tiles = tiles[rng_below(rng, sizeof tiles)];
    while (!taluva_tiles_allowed(options.seats, options.tiles));
    options.huts_anywhere = one_in(rng, 6);
    options.teams = options.seats == 4 && one_in(rng, 2);
    options.ranking = options.seats > 2 && !options.teams && one_in(rng, 4);
    options.boats = one_in(rng, 5);
    options.two_hex = one_in(rng, 6);
    options.zone = (uint8_t)(one_in(rng, 5) ? 1 + rng_below(rng, 3) : 0);
    return options;
}
