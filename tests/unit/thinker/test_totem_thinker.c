/*
 * What a bot makes of what its seat is told of Totem, held against what the server's own computer
 * players know of the same match.
 */
#include "../../strength/arena.h"
#include "../../support/run_suites.h"
#include "state_position.h"
#include "thinker.h"
#include "told.h"
#include <base/rng.h>
#include <protocol/merge_patch.h>
#include <string.h>
#include <totem_match.h>

/* ---- a match as the server has it, and as each seat is told it */

struct told {
    struct totem_match match;
    json_t *states[TOTEM_SEATS_MAX];
    struct totem_known known[TOTEM_SEATS_MAX];
};

/* The push of an event with this patch, which is taken over. */
static void tell(struct told *told, unsigned seat, json_t *patch)
{
    json_t *push = json_pack("{s:o}", "patch", patch);
    ck_assert(merge_patch(&told->states[seat], patch));
    totem_known_hear(&told->known[seat], push);
    json_decref(push);
}

static unsigned seats_of(const struct told *told)
{
    return told->match.options.players;
}

static void tell_table(struct told *told, const struct totem_match *before,
                       const struct totem_match *after)
{
    for (unsigned seat = 0; seat < seats_of(told); seat++)
        tell(told, seat,
             json_pack("{s:o}", "table", told_table(&totem_views, before, after, seat)));
}

static void begin(struct told *told, const char *options, uint64_t seed)
{
    uint8_t key[DEAL_KEY_BYTES] = {0};
    struct deal_stream stream;
    struct refusal refusal;
    json_t *asked = json_loads(options, 0, NULL);
    *told = (struct told){.states = {NULL}};
    memcpy(key, &seed, sizeof seed);
    deal_stream_init(&stream, key);
    ck_assert_msg(totem_rules.create(&told->match, 1, asked, &refusal), "%s", refusal.field);
    json_decref(asked);
    for (unsigned seat = 0; seat < seats_of(told); seat++)
        tell(told, seat, json_pack("{s:o}", "options", told_options(&totem_rules, &told->match)));
    totem_rules.deal(&told->match, &stream);
    tell_table(told, NULL, &told->match);
}

static void end(struct told *told)
{
    for (unsigned seat = 0; seat < TOTEM_SEATS_MAX; seat++)
        json_decref(told->states[seat]);
}

static void change(struct told *told, const struct totem_match *after)
{
    tell_table(told, &told->match, after);
    told->match = *after;
}

/* ---- what it makes of it */

static bool read_position(const struct told *told, unsigned seat, struct totem *game)
{
    return totem_state_position(game, &told->known[seat], told->states[seat], (int)seat);
}

/* Each seat knows exactly what its computer player in the server would. */
static void check_known(const struct told *told)
{
    for (unsigned seat = 0; seat < seats_of(told); seat++) {
        struct totem_match known;
        struct totem game;
        totem_computer.know(&told->match, seat, &known);
        ck_assert_msg(read_position(told, seat, &game), "not read by %u: %s", seat,
                      json_dumps(told->states[seat], JSON_COMPACT));
        ck_assert_mem_eq(&game, &known.game, sizeof game);
    }
}

static void check_plan(const struct told *told, unsigned seat, unsigned level, uint64_t seed)
{
    const struct game_thinker *thinker = &totem_thinker;
    const struct totem_known *known = &told->known[seat];
    atomic_bool cancel = false;
    struct totem_match seen;
    struct game_plan plan;
    char move[PROTOCOL_MOVE_BYTES + 1];
    void *question = calloc(1, thinker->question_size);
    const bool acts = (totem_acting_seats(&told->match.game) >> seat & 1) != 0;
    ck_assert(thinker->ask(question, known, told->states[seat], (int)seat) == acts);
    if (acts) {
        totem_computer.know(&told->match, seat, &seen);
        move[totem_computer.choose(&seen, seat, level, seed, NULL, move)] = '\0';
        thinker->think(question, level, seed, &cancel, NULL, thinker->memory_bytes(level), &plan);
        ck_assert_uint_eq(plan.count, 1);
        ck_assert_str_eq(plan.moves[0].text, move);
        atomic_store(&cancel, true);
        thinker->think(question, level, seed, &cancel, NULL, 0, &plan);
        ck_assert_uint_eq(plan.count, 0);
    }
    free(question);
}

/* ---- whole matches */

static unsigned any_acting_family(const struct totem *game, struct rng *rng)
{
    const unsigned acting = totem_acting(game);
    unsigned family = rng_below(rng, TOTEM_FAMILIES);
    while ((acting >> family & 1) == 0)
        family = (family + 1) % TOTEM_FAMILIES;
    return family;
}

/* A family that may act does anything that it may. */
static void act(struct told *told, struct rng *rng)
{
    struct totem_match after = told->match;
    const unsigned family = any_acting_family(&after.game, rng);
    struct totem_command command;
    struct totem_births births;
    if (rng_below(rng, 2) == 0)
        arena_random_command(&after.game, family, rng_next(rng), &command);
    else
        totem_computer_choose(&after.game, family, TOTEM_LEVEL_SIMPLE, rng_next(rng), &command);
    totem_match_births(&after, &births);
    ck_assert(totem_play(&after.game, totem_seat_of(&after.game.options, family), &command, &births,
                         NULL) == TOTEM_OK);
    change(told, &after);
}

static void give_up(struct told *told, unsigned seat)
{
    struct totem_match after = told->match;
    struct game_change changed;
    if (totem_rules.forfeit(&after, seat, &changed))
        change(told, &after);
}

/* Whoever has written something takes it back. */
static void take_back(struct told *told)
{
    struct totem_match after = told->match;
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (totem_may_take_back(&after.game, family))
            totem_take_back(&after.game, family);
    }
    change(told, &after);
}

static void check_over(const struct told *told)
{
    for (unsigned seat = 0; seat < seats_of(told); seat++)
        ck_assert(!read_position(told, seat, &(struct totem){.round = 1}));
}

static void play(struct told *told, uint64_t seed)
{
    struct rng rng = {seed};
    ck_assert_uint_gt(seats_of(told), 0);
    while (told->match.game.step != TOTEM_STEP_OVER) {
        const uint32_t what = rng_below(&rng, 1000);
        check_known(told);
        if (what % 10 == 0)
            check_plan(told, what / 10 % seats_of(told), 1 + what / 100 % TOTEM_LEVELS, seed);
        if (what < 2)
            give_up(told, rng_below(&rng, seats_of(told)));
        else if (what < 100)
            take_back(told);
        else
            act(told, &rng);
    }
    check_over(told);
}

static const char *const OPTIONS[] = {
    "{}",
    "{\"players\": 2}",
    "{\"players\": 3, \"first\": \"G\"}",
    "{\"spells\": \"A\", \"meals\": \"A\", \"village\": true, \"rounds\": 9}",
    "{\"spells\": \"B\", \"meals\": \"B\", \"totem_a\": true}",
    "{\"players\": 2, \"spells\": \"B\", \"meals\": \"B\", \"totem_b\": true}",
    "{\"players\": 3, \"spells\": \"A\", \"meals\": \"B\", \"totem_a\": true, \"totem_b\": true}",
};
enum { MATCHES = 6 };

START_TEST(knows_what_the_server_knows)
{
    for (unsigned i = 0; i < MATCHES; i++) {
        struct told told;
        const uint64_t seed = (uint64_t)_i * 100 + i;
        begin(&told, OPTIONS[_i], seed);
        play(&told, seed);
        end(&told);
    }
}
END_TEST

/* ---- what cannot be */

static const struct {
    const char *what, *patch;
} SPOILT[] = {
    {"no table", "{\"table\": null}"},
    {"no options", "{\"options\": null}"},
    {"one player", "{\"options\": {\"players\": 1}}"},
    {"no round", "{\"table\": {\"round\": null}}"},
    {"no such step", "{\"table\": {\"step\": \"dance\"}}"},
    {"it is over", "{\"table\": {\"step\": \"over\", \"acting\": null}}"},
    {"nobody acts", "{\"table\": {\"acting\": []}}"},
    {"a stranger acts", "{\"table\": {\"acting\": [\"X\"]}}"},
    {"hungry without need", "{\"table\": {\"hungry\": [{\"family\": \"R\", \"count\": 1}]}}"},
    {"no families", "{\"table\": {\"families\": null}}"},
    {"a family too few", "{\"table\": {\"families\": {\"Y\": null}}}"},
    {"too many pieces", "{\"table\": {\"families\": {\"R\": {\"pieces\": 7}}}}"},
    {"less than no bird", "{\"table\": {\"families\": {\"R\": {\"birds\": -1}}}}"},
    {"eleven spells chosen", "{\"table\": {\"families\": {\"G\": {\"chosen\": 11}}}}"},
    {"less than no spell", "{\"table\": {\"families\": {\"G\": {\"chosen\": -1}}}}"},
    {"nobody lives there", "{\"table\": {\"huts\": null}}"},
    {"strangers live there", "{\"table\": {\"huts\": {\"R1\": {\"people\": \"xyz\"}}}}"},
    {"eleven spells on a hut", "{\"table\": {\"huts\": {\"R1\": {\"down\": {\"G\": 11}}}}}"},
    {"a spell on no hut", "{\"table\": {\"mine\": {\"R\": {\"down\": {\"T\": \"Z9\"}}}}}"},
    {"a note too early", "{\"table\": {\"families\": {\"R\": {\"written\": true}}}}"},
};

START_TEST(refuses_what_cannot_be)
{
    struct told told;
    struct totem game = {.round = 77};
    begin(&told, "{}", 1);
    ck_assert(read_position(&told, 0, &(struct totem){.round = 1}));
    json_t *patch = json_loads(SPOILT[_i].patch, 0, NULL);
    ck_assert(merge_patch(&told.states[0], patch));
    ck_assert_msg(!read_position(&told, 0, &game), "%s", SPOILT[_i].what);
    ck_assert_uint_eq(game.round, 77);
    json_decref(patch);
    end(&told);
}
END_TEST

/* No such seat; and a match of which the beginning was not heard. */
START_TEST(refuses_what_is_not_ours)
{
    static const int seats[] = {-1, TOTEM_SEATS_MAX, 1000};
    const struct totem_known nothing = {.first = '\0'};
    struct totem game;
    struct told told;
    begin(&told, "{}", 1);
    for (size_t i = 0; i < sizeof seats / sizeof seats[0]; i++)
        ck_assert(!totem_state_position(&game, &told.known[0], told.states[0], seats[i]));
    ck_assert(!totem_state_position(&game, &nothing, told.states[0], 0));
    end(&told);
}
END_TEST

/* More people than any position's text has room for. */
START_TEST(refuses_what_is_too_large)
{
    char people[2 * TOTEM_POSITION_TEXT];
    struct totem game;
    struct told told;
    begin(&told, "{}", 1);
    memset(people, 'w', sizeof people - 1);
    people[sizeof people - 1] = '\0';
    json_t *patch = json_pack("{s:{s:{s:{s:s}}}}", "table", "huts", "R1", "people", people);
    ck_assert(merge_patch(&told.states[0], patch));
    ck_assert(!read_position(&told, 0, &game));
    json_decref(patch);
    end(&told);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("totem thinker");
    TCase *tests = tcase_create("totem thinker");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, knows_what_the_server_knows, 0, sizeof OPTIONS / sizeof OPTIONS[0]);
    tcase_add_loop_test(tests, refuses_what_cannot_be, 0, sizeof SPOILT / sizeof SPOILT[0]);
    tcase_add_test(tests, refuses_what_is_not_ours);
    tcase_add_test(tests, refuses_what_is_too_large);
    suite_add_tcase(suite, tests);
    return run_suites(srunner_create(suite));
}
