/*
 * taluva-train: makes the net from nothing. Rounds of games by players one turn ahead with some
 * exploration, over all sizes, numbers of players and variants; after each a net is fitted to how
 * the games ended, and plays the next. The first round is played with a few weights by hand.
 *
 * Writes WEIGHTS, a file in C, and after each round WEIGHTS.N.bin for taluva-match. TRUST is lambda
 * of TD(lambda). With NET, such a file, it goes on from there.
 */
#include "fit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct round {
    unsigned games;
    int32_t noise; /* of CHANCE_ONE */
    unsigned per_mille;
};

/* ---- games */

static void *grow(void *memory, size_t n, size_t *room, size_t each)
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
    samples->list = grow(samples->list, samples->n, &samples->room, sizeof samples->list[0]);
    samples->rows =
        grow(samples->rows, samples->n_rows, &samples->rows_room, sizeof samples->rows[0]);
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
        memcpy(samples->rows[samples->n_rows++], traits[seat], TRAITS);
    }
}

static void remember(struct sample *sample, const struct play *play)
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
            remember(&samples->list[samples->n - 1], &play);
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

static void write_source(const struct net *net, const char *path)
{
    FILE *const file = fopen(path, "w");
    if (!file)
        abort();
    fprintf(file, "/* Made by taluva-train: README.md says how. */\n");
    fprintf(file, "#include \"weights.h\"\n\n");
    fprintf(file, "/* clang-format off */\nconst struct net net_trained = {\n    .input = {");
    for (unsigned i = 0; i < TRAITS; i++) {
        fprintf(file, "{");
        write_numbers(file, net->input[i], NET_HIDDEN);
        fprintf(file, "},\n    ");
    }
    fprintf(file, "},\n    .output = {");
    write_numbers(file, net->output, NET_HIDDEN);
    fprintf(file, "},\n    .direct = {");
    write_numbers(file, net->direct, TRAITS);
    fprintf(file, "},\n};\n");
    fclose(file);
}

static void write_binary(const struct net *net, const char *prefix, unsigned round)
{
    char path[512];
    snprintf(path, sizeof path, "%s.%u.bin", prefix, round);
    FILE *const file = fopen(path, "wb");
    if (!file || fwrite(net, sizeof *net, 1, file) != 1)
        abort();
    fclose(file);
}

/* ---- rounds */

struct training {
    unsigned rounds, games;
    float trust;
    struct rng rng;
    struct player player;
    struct samples samples;
    struct fit_net fit;
    struct net net;
};

/* The first round, by hand, is short, and only how its games ended is believed. */
static void run_round(struct training *training, bool first)
{
    const struct fit_plan plan = {.epochs = 6, .rate = first ? 2e-3F : 1e-3F, .decay = 1e-4F};
    const unsigned games = first ? training->games / 3 : training->games;
    struct samples *const samples = &training->samples;
    samples->n = samples->n_rows = 0;
    training->player.noise = CHANCE_ONE / 100 * (first ? 4 : 2);
    training->player.per_mille = 50;
    for (unsigned game = 0; game < games; game++)
        add_game(samples, &training->player, first ? 1 : training->trust, &training->rng);
    printf("%u games, %zu positions\n", games, samples->n);
    fit_run(&training->fit, samples, plan, &training->rng);
    fit_quantise(&training->fit, &training->net);
}

static void train(struct training *training, const char *path, bool from_hand)
{
    training->player.net = &training->net;
    training->player.style.root = search_usual.inner;
    training->player.style.root.kept = TURNS_KEPT;
    for (unsigned round = 1; round <= training->rounds; round++) {
        printf("round %u: ", round);
        run_round(training, from_hand && round == 1);
        write_binary(&training->net, path, round);
    }
}

int main(int argc, char **argv)
{
    static struct training training;
    if (argc != 6 && argc != 7) {
        fprintf(stderr, "usage: taluva-train WEIGHTS SEED ROUNDS GAMES TRUST [NET]\n");
        return EXIT_FAILURE;
    }
    training.rng.state = strtoull(argv[2], NULL, 10);
    training.rounds = (unsigned)strtoul(argv[3], NULL, 10);
    training.games = (unsigned)strtoul(argv[4], NULL, 10);
    training.trust = strtof(argv[5], NULL);
    (void)player_read(&training.player, "ahead");
    begin_by_hand(&training.net);
    fit_begin(&training.fit, &training.rng);
    if (argc == 7) {
        if (!net_read(&training.net, argv[6])) {
            fprintf(stderr, "taluva-train: there is no net %s\n", argv[6]);
            return EXIT_FAILURE;
        }
        fit_from(&training.fit, &training.net);
    }
    train(&training, argv[1], argc == 6);
    write_source(&training.net, argv[1]);
    return EXIT_SUCCESS;
}
