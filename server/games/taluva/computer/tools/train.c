/*
 * taluva-train: makes the net from nothing, always the same one for a seed. Rounds of games by
 * players with some exploration, over all sizes, numbers of players and variants; after each a net
 * is fitted to how the games went, and plays the next. The first round is played with a few weights
 * by hand.
 */
#include "fit.h"
#include "weights.h"
#include <base/new_file.h>
#include <base/options.h>
#include <base/program.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

/*
 * Rounds of one kind. Each stage begins with the last one's net as it is written, in whole numbers,
 * and with a seed of its own, so that it can be repeated alone.
 */
struct stage {
    unsigned rounds;
    unsigned per_cent;    /* of --games, in each round */
    unsigned simulations; /* of the players */
    bool whole;           /* else with a seat's first traits alone, and nothing of its rivals */
    float rate;           /* of the fit */
    float trust;          /* lambda of TD(lambda) */
};
static const struct stage stages[] = {
    {.rounds = 4, .per_cent = 100, .simulations = 0, .rate = 1e-3F, .trust = 0.7F},
    {.rounds = 3, .per_cent = 100, .simulations = 0, .rate = 1e-3F, .trust = 0.7F},
    {.rounds = 1, .per_cent = 200, .simulations = 0, .whole = true, .rate = 2e-3F, .trust = 0.7F},
    {.rounds = 2, .per_cent = 200, .simulations = 0, .whole = true, .rate = 2e-3F, .trust = 0.7F},
};
enum { STAGES = sizeof stages / sizeof stages[0] };

/* ---- games */

static void *grow_memory(void *memory, size_t n, size_t *room, size_t each)
{
    if (n + TALUVA_SEATS_MAX < *room)
        return memory;
    *room = *room * 2 + 4096;
    memory = realloc(memory, *room * each);
    if (!memory)
        abort();
    return memory;
}

static void add_sample(struct samples *samples, const struct taluva *game)
{
    struct board board;
    struct survey survey;
    int8_t traits[TALUVA_SEATS_MAX][TRAITS];
    samples->list = grow_memory(samples->list, samples->n, &samples->room, sizeof samples->list[0]);
    samples->rows =
        grow_memory(samples->rows, samples->n_rows, &samples->rows_room, sizeof samples->rows[0]);
    struct sample *const sample = &samples->list[samples->n++];
    memset(sample, 0, sizeof *sample);
    sample->row = (uint32_t)samples->n_rows;
    sample->mode = (uint8_t)(game->options.teams     ? FIT_TEAMS
                             : game->options.ranking ? FIT_RANKS
                                                     : FIT_SHARE);
    board_init(&board, game);
    survey_init(&survey, &board);
    traits_init(&board, &survey, traits);
    for (unsigned seat = 0; seat < game->options.seats; seat++) {
        if (!board_is_playing(&board, seat))
            continue;
        sample->seat[sample->n++] = (uint8_t)seat;
        memset(samples->rows[samples->n_rows], 0, TRAITS);
        memcpy(samples->rows[samples->n_rows++], traits[seat], samples->n_traits);
    }
}

static void remember_result(struct sample *sample, const struct play *play)
{
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
        sample->best[seat] = (float)play->best[seat] / CHANCE_ONE;
    sample->lost = (float)play->lost / CHANCE_ONE;
}

/*
 * From the last position back: what the game came to, mixed with what the player saw on the way
 * (TD(lambda)). Before a turn that threw chances away it counts as if the best had been played.
 * `goal` is what the position behind comes to, and then what this one does.
 */
static void set_target(struct sample *sample, float *goal, float trust)
{
    const bool mixes = sample->mode != FIT_RANKS;
    const float kept = !mixes ? 1 : sample->lost > 0.03F ? 0 : trust;
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
        goal[seat] = kept * goal[seat] + (1 - kept) * sample->best[seat];
    for (unsigned i = 0; i < sample->n; i++)
        sample->target[i] = goal[sample->seat[i]];
}

/* `trust` is lambda: 1 asks only how the game ended. */
static void add_game(struct samples *samples, struct player *player, float trust, struct rng *rng)
{
    float goal[TALUVA_SEATS_MAX];
    const size_t first = samples->n;
    const struct taluva_options options = play_any_options(rng);
    const unsigned opening = rng_below(rng, 5);
    const unsigned per_mille = player->per_mille;
    struct play play;
    int32_t chances[TALUVA_SEATS_MAX];
    play_init(&play, options, rng);
    play.rng.state = rng_next(rng);
    while (play.game.step != TALUVA_STEP_OVER) {
        if (play.game.step == TALUVA_STEP_DRAW && play.game.n_cells > 0)
            add_sample(samples, &play.game);
        player->per_mille = play.n_turns < opening ? 1000 : per_mille;
        play.thought = false;
        play_step(&play, player);
        if (play.thought && samples->n > first)
            remember_result(&samples->list[samples->n - 1], &play);
    }
    player->per_mille = per_mille;
    turns_rate_end(&play.game, chances);
    for (unsigned seat = 0; seat < TALUVA_SEATS_MAX; seat++)
        goal[seat] = (float)chances[seat] / CHANCE_ONE;
    for (size_t i = samples->n; i-- > first;)
        set_target(&samples->list[i], goal, trust);
}

/* ---- the first weights, by hand */

static void begin_by_hand(struct net *net)
{
    static const struct {
        unsigned feature;
        double weight;
    } hand[] = {
        {TRAIT_TEMPLES, 3},       {TRAIT_TEMPLES + 1, 2},     {TRAIT_TEMPLES + 2, 1},
        {TRAIT_TOWERS, 2},        {TRAIT_TOWERS + 1, 1},      {TRAIT_BOATS, 0.8},
        {TRAIT_BOATS + 1, 0.4},   {TRAIT_HUTS + 2, -1},       {TRAIT_HUTS + 3, -0.5},
        {TRAIT_HUTS + 4, -0.3},   {TRAIT_READY + 1, 0.6},     {TRAIT_READY + 3, 0.4},
        {TRAIT_GROWING + 1, 0.3}, {TRAIT_TOWERLESS + 2, 0.5}, {TRAIT_HEIGHTS + 1, 0.2},
        {TRAIT_SMALL + 1, 0.1},   {TRAIT_SPOTS, -0.8},        {TRAIT_SPOTS + 5, -1.5},
        {TRAIT_LEAD, 1},          {TRAIT_WAIT, 0.2},
    };
    memset(net, 0, sizeof *net);
    for (size_t i = 0; i < sizeof hand / sizeof hand[0]; i++)
        net->direct[hand[i].feature] = (int16_t)(hand[i].weight * NET_WEIGHT_ONE);
}

/* ---- what is written */

static void write_numbers(FILE *file, const int16_t *numbers, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        fprintf(file, "%s%d,", i % 16 == 0 ? "\n    " : " ", numbers[i]);
}

/* Whole, or what was there before: hours of training are not lost by a full disk half-way. */
static void keep_file(const char *path, const void *bytes, size_t len)
{
    if (new_file_make(path, bytes, len, 0666, NEW_FILE_REPLACE))
        return;
    fprintf(stderr, "taluva-train: %s: %s\n", path, strerror(errno));
    exit(EX_IOERR);
}

static void write_source(const struct net *net, const char *path)
{
    char *text = NULL;
    size_t len = 0;
    FILE *const file = open_memstream(&text, &len);
    if (!file)
        abort();
    fprintf(file, "/* Made by taluva-train, README.md says how: one table, as long as the net is "
                  "large. */\n");
    fprintf(file, "#include \"weights.h\"\n\n");
    fprintf(file, "/* clang-format off */\nconst struct net net_trained = {\n    .input = {");
    for (unsigned i = 0; i < TRAITS_USED; i++) {
        fprintf(file, "{");
        write_numbers(file, net->input[i], NET_INPUTS);
        fprintf(file, "},\n    ");
    }
    fprintf(file, "},\n    .output = {");
    write_numbers(file, net->output, NET_HIDDEN);
    fprintf(file, "},\n    .direct = {");
    write_numbers(file, net->direct, TRAITS_USED);
    fprintf(file, "},\n};\n");
    if (fclose(file) != 0)
        abort();
    keep_file(path, text, len);
    free(text);
}

static void write_binary(const struct net *net, const char *prefix, unsigned stage, unsigned round)
{
    char path[512];
    snprintf(path, sizeof path, "%s.%u.%u.bin", prefix, stage, round);
    keep_file(path, net, sizeof *net);
}

/* ---- the command line */

struct options {
    const char *output, *nets, *from;
    int64_t seed;
    unsigned games, stage;
};

#define FIELD(name) offsetof(struct options, name)

static const struct option_row rows[] = {
    {"output", 'o', OPTION_NAME, "FILE", "write the weights there, as a source in C", FIELD(output),
     .max = 0},
    {"seed", 's', OPTION_NUMBER, "N", "of the games and of the fitting (1)", FIELD(seed), .min = 0,
     .max = INT64_MAX, .initial = 1},
    {"games", 'g', OPTION_COUNT, "N", "in a round of one turn ahead (6000)", FIELD(games),
     .min = 100, .max = 1000000, .initial = 6000},
    {"nets", 'n', OPTION_NAME, "PREFIX",
     "write PREFIX.STAGE.ROUND.bin after each round, for taluva-match", FIELD(nets), .max = 0},
    {"stage", 0, OPTION_COUNT, "N", "this stage alone", FIELD(stage), .min = 0, .max = STAGES,
     .initial = 0},
    {"from", 0, OPTION_NAME, "NET", "--stage begins with this net, not with the program's own",
     FIELD(from), .max = 0},
    {.name = NULL},
};

static void print_help(void)
{
    printf("usage: taluva-train --output FILE [OPTION...]\n"
           "Trains the net of the computer player from nothing; the same seed gives the same.\n");
    option_rows_print(rows, stdout);
}

/* ---- rounds */

struct training {
    struct options options;
    struct rng rng;
    struct player player;
    struct samples samples;
    struct fit_net fit;
    struct net net;
};

/* The first round, by hand, is short, and only how its games ended is believed. */
static void run_round(struct training *training, const struct stage *stage, bool first)
{
    const struct fit_plan plan = {
        .epochs = 6,
        .rate = first ? 2e-3F : stage->rate,
        .decay = 1e-4F,
        .rivals = stage->whole,
        .mean = stage->whole,
    };
    const unsigned whole = training->options.games * stage->per_cent / 100;
    const unsigned games = first ? whole / 3 : whole;
    struct samples *const samples = &training->samples;
    samples->n = samples->n_rows = 0;
    samples->n_traits = stage->whole ? TRAITS_USED : TRAITS_FIRST;
    training->player.noise = CHANCE_ONE / 100 * (first ? 4 : 2);
    training->player.per_mille = 50;
    for (unsigned game = 0; game < games; game++)
        add_game(samples, &training->player, first ? 1 : stage->trust, &training->rng);
    printf("%u games, %zu positions\n", games, samples->n);
    fit_run(&training->fit, samples, plan, &training->rng);
    fit_quantise(&training->fit, &training->net);
}

static void begin_player(struct training *training, unsigned simulations)
{
    char text[16];
    snprintf(text, sizeof text, "%u", simulations);
    free(training->player.memory);
    (void)player_read(&training->player, simulations > 0 ? text : "ahead");
    training->player.net = &training->net;
    if (simulations == 0) {
        training->player.style.root = search_usual.inner;
        training->player.style.root.kept = TURNS_KEPT;
    }
}

static void run_stage(struct training *training, unsigned number)
{
    const struct stage *const stage = &stages[number - 1];
    training->rng.state = (uint64_t)training->options.seed + number - 1;
    fit_begin(&training->fit, &training->rng);
    if (number > 1)
        fit_from(&training->fit, &training->net);
    begin_player(training, stage->simulations);
    for (unsigned round = 1; round <= stage->rounds; round++) {
        printf("stage %u, round %u: ", number, round);
        fflush(stdout);
        run_round(training, stage, number == 1 && round == 1);
        if (training->options.nets)
            write_binary(&training->net, training->options.nets, number, round);
    }
}

static void train_net(struct training *training)
{
    const unsigned only = training->options.stage;
    for (unsigned number = 1; number <= STAGES; number++) {
        if (only == 0 || only == number)
            run_stage(training, number);
    }
    write_source(&training->net, training->options.output);
}

/* NULL, or what is wrong. */
static const char *begin_training(struct training *training)
{
    const struct options *const options = &training->options;
    if (!options->output)
        return "--output is missing";
    if (options->from && options->stage < 2)
        return "--from goes with --stage 2 and later ones";
    begin_by_hand(&training->net);
    if (options->stage > 1)
        training->net = net_trained;
    if (options->from && !net_read(&training->net, options->from))
        return "there is no such net as --from says, or it is of another size";
    return NULL;
}

int main(int argc, char **argv)
{
    static struct training training;
    const struct option_table table = {rows, &training.options};
    struct options_parsed parsed;
    program_begin();
    training.options.seed = 1;
    training.options.games = 6000;
    switch (options_parse(&table, 1, NULL, argc - 1, argv + 1, &parsed)) {
    case OPTIONS_OK:
        break;
    case OPTIONS_HELP:
        print_help();
        return program_end("taluva-train", EX_OK);
    case OPTIONS_VERSION:
        printf("taluva-train\n");
        return program_end("taluva-train", EX_OK);
    case OPTIONS_BAD:
        fprintf(stderr, "taluva-train: %s\n", parsed.problem);
        return EX_USAGE;
    }
    const char *const wrong =
        parsed.operand_count > 0 ? "there are no operands" : begin_training(&training);
    if (wrong) {
        fprintf(stderr, "taluva-train: %s\n", wrong);
        return EX_USAGE;
    }
    train_net(&training);
    return program_end("taluva-train", EX_OK);
}
