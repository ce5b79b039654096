#include "duel.h"

#include "duel_engine.h"
#include "duel_table.h"
#include "known.h"
#include "parts.h"
#include "state_position.h"
#include "thinker.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum {
    BAD_LINES_MAX = 10, /* and refusals, since the latest event */
    REFUSALS_MAX = 20,
    GOODBYE_MS = 2000, /* for a program to end by itself */
    BYTES_A_SIMULATION = 2000,
    BYTES_ANYHOW = 16 * 1024,
};

struct sitting {
    unsigned side;
    bool is_program; /* that speaks for itself */
    bool is_engine;
    struct program program;
    unsigned bad_lines, refusals;
    struct known known; /* of the computer */
};

struct match {
    const struct duel *duel;
    struct duel_result *result;
    struct duel_table table;
    unsigned seats;
    struct sitting at[DUEL_SEATS];
    void *question, *memory[2];
};

unsigned duel_side(unsigned seats, unsigned seat, unsigned swapped)
{
    if (seats % 2 == 0)
        return (seat + swapped) % 2;
    return (seat == 0) == (swapped == 0) ? 0 : 1;
}

static double seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double seconds_of_children(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static bool fail(struct match *match, const char *what, const json_t *reply)
{
    char *text = reply ? json_dumps(reply, JSON_COMPACT) : NULL;
    snprintf(match->result->why, sizeof match->result->why, "%s%s%s", what, text ? ": " : "",
             text ? text : "");
    free(text);
    return false;
}

static const json_t *state_of(const struct match *match)
{
    return match->table.links[DUEL_HOST].state;
}

static bool is_playing(const struct match *match)
{
    const char *phase = json_string_value(json_object_get(state_of(match), "phase"));
    return phase && strcmp(phase, "playing") == 0;
}

/* ---- what a seat is told */

static void tell_local(struct sitting *at, const char *what, json_t *rest)
{
    json_t *all = json_pack("{s:s}", "local", what);
    json_object_update(all, rest);
    char *text = json_dumps(all, JSON_COMPACT);
    if (text)
        program_tell(&at->program, text, strlen(text));
    free(text);
    json_decref(all);
    json_decref(rest);
}

static void heard(void *ctx, size_t link, const json_t *message, const char *bytes, size_t len)
{
    struct match *match = ctx;
    if (link == DUEL_HOST)
        return;
    struct sitting *at = &match->at[link];
    const bool is_event = json_object_get(message, "patch") != NULL;
    if (at->is_program)
        program_tell(&at->program, bytes, len);
    else if (is_event)
        known_hear(&at->known, message);
    at->refusals += json_object_get(message, "error") != NULL;
    if (is_event)
        at->refusals = at->bad_lines = 0;
}

/* ---- before the match */

static bool enter(struct match *match, unsigned seat)
{
    struct sitting *at = &match->at[seat];
    const char *const names[] = {"first", "second"};
    const json_t *ok = duel_table_hello(&match->table, seat, names[at->side]);
    json_t *join =
        json_pack("{s:s, s:s, s:i}", "op", "join", "room", match->table.room, "seat", (int)seat);
    if (at->is_program) {
        json_t *greeting = json_deep_copy(ok);
        json_object_del(greeting, "token");
        tell_local(at, "online", greeting);
        tell_local(at, "sent", json_pack("{s:O}", "request", join));
    } else {
        json_object_set_new(join, "have", json_integer(0)); /* the computer hears all events */
    }
    const json_t *reply = duel_table_ask(&match->table, seat, join);
    if (!json_object_get(reply, "ok"))
        return fail(match, "no seat", reply);
    reply = duel_table_ask(
        &match->table, seat,
        json_pack("{s:s, s:s, s:b}", "op", "ready", "room", match->table.room, "ready", 1));
    return json_object_get(reply, "ok") ? true : fail(match, "not ready", reply);
}

static bool make_room(struct match *match)
{
    struct duel_table *table = &match->table;
    if (!duel_table_hello(table, DUEL_HOST, "host"))
        return fail(match, "no server", NULL);
    const json_t *reply = duel_table_ask(
        table, DUEL_HOST, json_pack("{s:s, s:O}", "op", "create", "options", match->duel->options));
    const char *room = json_string_value(json_object_get(json_object_get(reply, "ok"), "room"));
    if (!room)
        return fail(match, "no room", reply);
    snprintf(table->room, sizeof table->room, "%s", room);
    reply = duel_table_ask(table, DUEL_HOST,
                           json_pack("{s:s, s:s}", "op", "watch", "room", table->room));
    const json_t *options = json_object_get(state_of(match), "options");
    match->seats = (unsigned)json_integer_value(json_object_get(options, "players"));
    const char *deal =
        json_string_value(json_object_get(json_object_get(state_of(match), "fair"), "commitment"));
    snprintf(match->result->deal, sizeof match->result->deal, "%s", deal ? deal : "");
    return match->seats >= 2 && match->seats <= DUEL_SEATS ? true : fail(match, "no view", reply);
}

static struct duel_engine engine_of(const struct match *match)
{
    return (struct duel_engine){
        .type = &taluva_engine,
        .limits = match->duel->limits,
        .patience_ms = match->duel->patience_ms,
    };
}

static bool start_process(const struct match *match, struct sitting *at, const char *command)
{
    const struct duel_engine engine = engine_of(match);
    return at->is_engine ? duel_engine_start(&at->program, command, &engine)
                         : program_start(&at->program, command);
}

static bool seat_all(struct match *match)
{
    for (unsigned seat = 0; seat < match->seats; seat++) {
        struct sitting *at = &match->at[seat];
        at->side = duel_side(match->seats, seat, match->duel->swapped);
        const struct duellist *who = &match->duel->sides[at->side];
        at->is_engine = who->is_engine;
        at->is_program = who->command && !who->is_engine;
        if (who->command && !start_process(match, at, who->command))
            return fail(match, "a program cannot be started", NULL);
        if (!enter(match, seat))
            return false;
    }
    const json_t *reply =
        duel_table_ask(&match->table, DUEL_HOST,
                       json_pack("{s:s, s:s}", "op", "start", "room", match->table.room));
    return json_object_get(reply, "ok") ? true : fail(match, "no start", reply);
}

/* ---- the computer's turn */

static size_t memory_bytes(const struct duellist *who)
{
    if (who->level > 0)
        return taluva_thinker.memory_bytes(who->level);
    return who->simulations > 0 ? (size_t)who->simulations * BYTES_A_SIMULATION + BYTES_ANYHOW : 0;
}

/* The whole of what a search finds, without a level's ways. */
static bool search(struct match *match, unsigned seat, uint64_t seed, struct game_plan *plan)
{
    const struct sitting *at = &match->at[seat];
    const struct duellist *who = &match->duel->sides[at->side];
    struct taluva game;
    struct computer_question question = {
        .game = &game,
        .seed = seed,
        .simulations = who->simulations,
        .best_only = true,
        .memory = match->memory[at->side],
        .memory_bytes = memory_bytes(who),
    };
    struct computer_turn turn = {.parts = COMPUTER_PART_DRAW};
    struct computer_answer answer;
    if (!state_position(&game, match->table.links[seat].state, &at->known))
        return false;
    known_unseen(&at->known, game.options.seats, question.unseen);
    if (game.step != TALUVA_STEP_DRAW || taluva_may_take(&game) != TALUVA_TAKE_DRAW) {
        computer_think(&question, &answer);
        turn = answer.turns[0];
    }
    *plan = (struct game_plan){.count = 0};
    taluva_plan_turn(plan, &game, &turn);
    return true;
}

static bool choose_at_level(struct match *match, unsigned seat, uint64_t seed,
                            struct game_plan *plan)
{
    const struct sitting *at = &match->at[seat];
    const struct duellist *who = &match->duel->sides[at->side];
    const struct game_thinker *thinker = &taluva_thinker;
    const atomic_bool never = false;
    if (!thinker->ask(match->question, &at->known, match->table.links[seat].state, (int)seat))
        return false;
    thinker->think(match->question, who->level, seed, &never, match->memory[at->side],
                   memory_bytes(who), plan);
    return true;
}

static bool ask_engine(struct match *match, unsigned seat, uint64_t seed, struct game_plan *plan)
{
    struct sitting *at = &match->at[seat];
    const struct duel_engine engine = engine_of(match);
    if (!taluva_thinker.ask(match->question, &at->known, match->table.links[seat].state, (int)seat))
        return false;
    duel_engine_ask(&at->program, &engine, match->question, seed, plan);
    return true;
}

static bool think(struct match *match, unsigned seat, struct game_plan *plan)
{
    const struct sitting *at = &match->at[seat];
    const uint64_t turn = (uint64_t)match->table.links[seat].seq;
    const uint64_t seed = match->duel->seed * 7919 + turn * 8 + seat;
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
    const bool is_level = match->duel->sides[at->side].level > 0;
    if (!(at->is_engine ? ask_engine
          : is_level    ? choose_at_level
                        : search)(match, seat, seed, plan))
        return fail(match, "a state that is no position", match->table.links[seat].state);
    match->result->cpu_s[at->side] += seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    match->result->wall_s[at->side] += seconds(CLOCK_MONOTONIC) - wall;
    return true;
}

static bool play_computer(struct match *match, unsigned seat)
{
    struct game_plan plan;
    if (!think(match, seat, &plan))
        return false;
    for (unsigned i = 0; i < plan.count; i++) {
        const json_t *reply = duel_table_ask(
            &match->table, seat,
            json_pack("{s:s, s:s, s:s, s:b}", "op", "move", "room", match->table.room, "move",
                      plan.moves[i].text, "confirm", plan.moves[i].confirm));
        if (!json_object_get(reply, "ok"))
            return fail(match, "the computer's move was refused", reply);
        match->result->moves[match->at[seat].side]++;
    }
    return true;
}

/* ---- a program's turn */

static void bad_line(struct sitting *at, const char *why)
{
    at->bad_lines++;
    tell_local(at, "bad_line", json_pack("{s:s}", "why", why));
}

static void take_line(struct match *match, unsigned seat, const char *line)
{
    struct sitting *at = &match->at[seat];
    json_error_t error;
    json_t *request = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    const char *op = json_string_value(json_object_get(request, "op"));
    if (!request) {
        bad_line(at, error.text);
    } else if (!op) {
        bad_line(at, "a request is an object with \"op\"");
    } else {
        const bool is_move = strcmp(op, "move") == 0;
        json_object_set_new(request, "id", json_integer(duel_table_id(&match->table, seat)));
        tell_local(at, "sent", json_pack("{s:O}", "request", request));
        duel_table_send(&match->table, seat, request);
        match->result->moves[at->side] +=
            is_move && json_object_get(match->table.links[seat].reply, "ok");
    }
    json_decref(request);
}

/* What all programs have said. */
static void hear_programs(struct match *match, int timeout_ms)
{
    struct program *programs[DUEL_SEATS];
    size_t count = 0;
    for (unsigned seat = 0; seat < match->seats; seat++) {
        if (match->at[seat].is_program)
            programs[count++] = &match->at[seat].program;
    }
    programs_wait(programs, count, timeout_ms);
    for (unsigned seat = 0; seat < match->seats; seat++) {
        struct sitting *at = &match->at[seat];
        const char *line;
        while (at->is_program && at->bad_lines <= BAD_LINES_MAX && is_playing(match) &&
               (line = program_line(&at->program)))
            take_line(match, seat, line);
        if (at->program.fault == PROGRAM_FINE && at->bad_lines > BAD_LINES_MAX)
            at->program.fault = PROGRAM_RUBBISH;
        if (at->program.fault == PROGRAM_FINE && at->refusals > REFUSALS_MAX)
            at->program.fault = PROGRAM_REFUSED;
    }
}

/* Until it has moved, or is at fault. */
static void wait_for_program(struct match *match, unsigned seat)
{
    struct sitting *at = &match->at[seat];
    const int64_t seq = match->table.links[DUEL_HOST].seq;
    const double begun = seconds(CLOCK_MONOTONIC);
    double waited = 0;
    while (match->table.links[DUEL_HOST].seq == seq && at->program.fault == PROGRAM_FINE) {
        const double left = (double)match->duel->patience_ms - 1000 * waited;
        if (left <= 0)
            at->program.fault = PROGRAM_SILENT;
        else
            hear_programs(match, left < 1000 ? (int)left + 1 : 1000);
        waited = seconds(CLOCK_MONOTONIC) - begun;
    }
    match->result->wall_s[at->side] += waited;
}

/* Programs that are at fault leave the match. */
static void dismiss(struct match *match)
{
    for (unsigned seat = 0; seat < match->seats && is_playing(match); seat++) {
        struct sitting *at = &match->at[seat];
        if (at->program.pid == 0 || at->program.fault == PROGRAM_FINE)
            continue;
        if (match->result->faults[at->side] == PROGRAM_FINE)
            match->result->faults[at->side] = at->program.fault;
        program_stop(&at->program, 0);
        (void)duel_table_ask(&match->table, seat,
                             json_pack("{s:s, s:s}", "op", "resign", "room", match->table.room));
    }
}

/* ---- the match */

static bool play(struct match *match)
{
    while (is_playing(match)) {
        dismiss(match);
        const json_t *acting = json_array_get(json_object_get(state_of(match), "acting"), 0);
        const unsigned seat = (unsigned)json_integer_value(acting);
        if (!is_playing(match))
            break;
        if (!acting || seat >= match->seats)
            return fail(match, "nobody may act", state_of(match));
        if (match->at[seat].is_program)
            wait_for_program(match, seat);
        else if (!play_computer(match, seat))
            return false;
    }
    return true;
}

/* The others that a seat leaves behind: a half for each with whom it shares a rank. */
static double left_behind(const json_t *ranks, unsigned seats, unsigned seat)
{
    char key[12];
    snprintf(key, sizeof key, "%u", seat);
    const json_int_t own = json_integer_value(json_object_get(ranks, key));
    double sum = 0;
    for (unsigned other = 0; other < seats; other++) {
        snprintf(key, sizeof key, "%u", other);
        const json_int_t rank = json_integer_value(json_object_get(ranks, key));
        if (other != seat)
            sum += rank > own ? 1 : rank == own ? 0.5 : 0;
    }
    return sum;
}

static double won(const json_t *state, unsigned seats, unsigned seat)
{
    const json_t *result = json_object_get(state, "result");
    const json_t *options = json_object_get(state, "options");
    const bool teams = json_is_true(json_object_get(options, "teams"));
    char key[12];
    if (json_is_true(json_object_get(options, "ranking")))
        return left_behind(json_object_get(result, "ranks"), seats, seat);
    snprintf(key, sizeof key, "%u", teams ? seat % 2 : seat);
    return json_is_true(json_object_get(json_object_get(result, "winners"), key));
}

static void count_result(struct match *match)
{
    struct duel_result *result = match->result;
    const json_t *state = state_of(match);
    double mine = 0, all = 0;
    unsigned own = 0;
    for (unsigned seat = 0; seat < match->seats; seat++) {
        const bool first = match->at[seat].side == 0;
        const double share = won(state, match->seats, seat);
        all += share;
        mine += first ? share : 0;
        own += first;
    }
    const char *why = json_string_value(json_object_get(json_object_get(state, "result"), "why"));
    snprintf(result->reason, sizeof result->reason, "%s", why ? why : "");
    result->fair = (double)own / match->seats;
    result->share = all > 0 ? mine / all : result->fair;
    result->played = true;
}

static void say_goodbye(struct match *match)
{
    const double before = seconds_of_children();
    double last = before;
    for (unsigned seat = 0; seat < match->seats; seat++) {
        struct sitting *at = &match->at[seat];
        if (at->program.pid == 0)
            continue;
        if (match->result->played && at->is_program)
            tell_local(at, "over",
                       json_pack("{s:s, s:I, s:i, s:O}", "room", match->table.room, "seq",
                                 (json_int_t)match->table.links[seat].seq, "seat", (int)seat,
                                 "state", state_of(match)));
        program_stop(&at->program, GOODBYE_MS);
        match->result->cpu_s[at->side] += seconds_of_children() - last;
        last = seconds_of_children();
    }
}

static bool prepare(struct match *match)
{
    match->question = malloc(taluva_thinker.question_size);
    for (unsigned side = 0; side < 2; side++) {
        const size_t bytes = memory_bytes(&match->duel->sides[side]);
        match->memory[side] = bytes > 0 ? malloc(bytes) : NULL;
        if (bytes > 0 && !match->memory[side])
            return fail(match, "memory ran out", NULL);
    }
    if (!match->question || !duel_table_init(&match->table, match->duel->seed))
        return fail(match, "memory ran out", NULL);
    match->table.heard = heard;
    match->table.ctx = match;
    return true;
}

void duel_play(const struct duel *duel, struct duel_result *result)
{
    struct match *match = calloc(1, sizeof *match);
    memset(result, 0, sizeof *result);
    if (!match) {
        snprintf(result->why, sizeof result->why, "memory ran out");
        return;
    }
    match->duel = duel;
    match->result = result;
    if (prepare(match) && make_room(match) && seat_all(match) && play(match))
        count_result(match);
    say_goodbye(match);
    duel_table_release(&match->table);
    free(match->question);
    free(match->memory[0]);
    free(match->memory[1]);
    free(match);
}
