/*
 * The computer as an engine: protocol/engine.md. A thought is made on one of libuv's threads, so
 * that `stop` and `ping` are heard meanwhile; any other line waits until it is over.
 */
#include "input.h"
#include <base/program.h>
#include <cli/game.h>
#include <stdlib.h>
#include <string.h>

enum { MS_MAX = 24 * 60 * 60 * 1000 };
#define MS_NOT_SAID UINT64_MAX

/* One thought, which belongs to its thread meanwhile. */
struct thought {
    struct engine_question question;
    void *position;
    atomic_bool cancel;
    char bytes[ENGINE_ANSWER_BYTES];
    struct text answer;
};

struct engine {
    const struct game_engine *type;
    unsigned level;
    uint64_t simulations;
    uv_loop_t loop;
    struct input *input;
    uv_timer_t timer;
    uv_work_t work;
    struct thought thought;
    void *position;
    bool greeted, has_position, thinking, ended, quits;
    char *waiting; /* a line that came during a thought; NULL: none */
};

static const char search_word[] = "search";

static void print_line(const char *text)
{
    fputs(text, stdout);
    fputc('\n', stdout);
    program_flush_output();
}

static void print_error(const char *code, const char *why)
{
    printf("error %s %s\n", code, why);
    program_flush_output();
}

/* ---- words */

/* What stands behind `go`; what it does not say is as the engine was told before. */
static bool take_limits(const char *text, struct engine_question *question, uint64_t *ms)
{
    const struct {
        const char *word;
        uint64_t max, *number;
    } known[] = {
        {"ms", MS_MAX, ms},
        {"simulations", ENGINE_SIMULATIONS_MAX, &question->simulations},
        {"lines", ENGINE_LINES_MAX, &question->lines},
        {"seed", ENGINE_NUMBER_MAX, &question->seed},
    };
    enum { KNOWN = sizeof known / sizeof known[0] };
    bool taken[KNOWN] = {false};
    while (*text) {
        size_t i = 0;
        const char *rest = NULL;
        while (i < KNOWN && !(rest = engine_behind(text, known[i].word)))
            i++;
        if (i == KNOWN || taken[i] || !engine_take_number(&rest, known[i].max, known[i].number))
            return false;
        taken[i] = true;
        text = rest;
    }
    if (taken[0] && !taken[1])
        question->simulations = ENGINE_SIMULATIONS_MAX; /* the time alone bounds it */
    return true;
}

/* ---- thinking */

static void on_think(uv_work_t *work)
{
    struct engine *const engine = work->data;
    struct thought *const thought = &engine->thought;
    engine->type->think(thought->position, &thought->question, &thought->answer);
}

static void end_program(struct engine *engine)
{
    engine->quits = true;
    atomic_store(&engine->thought.cancel, true);
    if (!uv_is_closing((uv_handle_t *)&engine->timer)) {
        input_destroy(engine->input);
        uv_close((uv_handle_t *)&engine->timer, NULL);
    }
}

static void take_line(struct engine *engine, const char *line);

/* The line that has waited, if it does not begin another thought all that follow. */
static void go_on(struct engine *engine)
{
    char *const line = engine->waiting;
    engine->waiting = NULL;
    if (line)
        take_line(engine, line);
    free(line);
    if (engine->thinking)
        return;
    if (engine->ended)
        end_program(engine);
    else
        input_hold(engine->input, false);
}

static void on_thought(uv_work_t *work, int status)
{
    struct engine *const engine = work->data;
    (void)status;
    engine->thinking = false;
    uv_timer_stop(&engine->timer);
    if (engine->quits)
        return;
    fputs(engine->thought.answer.bytes, stdout);
    program_flush_output();
    go_on(engine);
}

static void on_time(uv_timer_t *timer)
{
    struct engine *const engine = timer->data;
    atomic_store(&engine->thought.cancel, true);
}

static void begin_thought(struct engine *engine, uint64_t ms)
{
    struct thought *const thought = &engine->thought;
    memcpy(thought->position, engine->position, engine->type->position_size);
    thought->answer = (struct text){.bytes = thought->bytes, .size = sizeof thought->bytes};
    thought->bytes[0] = '\0';
    atomic_store(&thought->cancel, false);
    engine->work.data = engine;
    engine->thinking = uv_queue_work(&engine->loop, &engine->work, on_think, on_thought) == 0;
    if (engine->thinking && ms != MS_NOT_SAID)
        uv_timer_start(&engine->timer, on_time, ms, 0);
}

/* ---- lines */

static void hear_hello(struct engine *engine, const char *rest)
{
    if (engine->greeted || strcmp(rest, "1") != 0) {
        print_error("bad", "this engine speaks version 1");
        return;
    }
    engine->greeted = true;
    printf("name taluva %s\noption level word %s", TALUVA_VERSION, search_word);
    for (unsigned i = 0; engine->type->levels[i]; i++)
        printf(" %s", engine->type->levels[i]);
    printf("\noption simulations number %d 0 %d\n", ENGINE_SIMULATIONS_USUAL,
           ENGINE_SIMULATIONS_MAX);
    print_line("ready");
}

static bool set_level(struct engine *engine, const char *word)
{
    const char *const *const levels = engine->type->levels;
    unsigned level = 0;
    while (levels[level] && strcmp(levels[level], word) != 0)
        level++;
    if (!levels[level] && strcmp(word, search_word) != 0)
        return false;
    engine->level = levels[level] ? level + 1 : 0;
    return true;
}

static void hear_set(struct engine *engine, const char *rest)
{
    const char *const level = engine_behind(rest, "level");
    const char *simulations = engine_behind(rest, "simulations");
    uint64_t number;
    if (level && set_level(engine, level))
        return;
    if (simulations && engine_take_number(&simulations, ENGINE_SIMULATIONS_MAX, &number) &&
        !*simulations)
        engine->simulations = number;
    else
        print_error("bad", "there is no such option, or it cannot be that");
}

static void hear_position(struct engine *engine, const char *rest)
{
    const char *why;
    /* The one of a thought that is over: a line that is refused leaves the other as it is. */
    void *const position = engine->thought.position;
    if (!engine->type->position_read(position, rest, &why)) {
        print_error("bad", why);
        return;
    }
    engine->thought.position = engine->position;
    engine->position = position;
    engine->has_position = true;
}

static void hear_go(struct engine *engine, const char *rest)
{
    struct engine_question *const question = &engine->thought.question;
    uint64_t ms = MS_NOT_SAID;
    *question = (struct engine_question){
        .level = engine->level,
        .simulations = engine->simulations,
        .lines = 1,
        .cancel = &engine->thought.cancel,
    };
    if (!engine->has_position)
        print_error("early", "there is no position");
    else if (!take_limits(rest, question, &ms))
        print_error("bad", "the limits are not as they should be");
    else
        begin_thought(engine, ms);
}

static void hear_match(struct engine *engine, const char *rest)
{
    (void)engine; /* it remembers nothing */
    (void)rest;
}

/* A line that has its time, or comes when there is no thought. */
static void take_line(struct engine *engine, const char *line)
{
    static const struct {
        const char *word;
        void (*hear)(struct engine *engine, const char *rest);
    } known[] = {
        {"set", hear_set},
        {"match", hear_match},
        {"position", hear_position},
        {"go", hear_go},
    };
    const char *const hello = engine_behind(line, "taluva-engine");
    if (hello) {
        hear_hello(engine, hello);
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const char *const rest = engine_behind(line, known[i].word);
        if (rest && engine->greeted)
            known[i].hear(engine, rest);
        else if (rest)
            print_error("early", "`taluva-engine 1` comes first");
        if (rest)
            return;
    }
    print_error("unknown", "there is no such line");
}

static void wait_with(struct engine *engine, const char *line)
{
    engine->waiting = strdup(line);
    if (!engine->waiting)
        print_error("bad", "memory ran out");
    else
        input_hold(engine->input, true);
}

static void on_line(void *user, const char *line)
{
    struct engine *const engine = user;
    const char *const ping = engine_behind(line, "ping");
    if (engine->quits || !*line)
        return;
    if (strlen(line) > ENGINE_LINE_BYTES) {
        print_error("bad", "the line is too long");
        return;
    }
    if (ping)
        printf("pong%s%s\n", *ping ? " " : "", ping);
    else if (engine_behind(line, "quit"))
        end_program(engine);
    else if (engine_behind(line, "stop"))
        atomic_store(&engine->thought.cancel, true);
    else if (engine->thinking)
        wait_with(engine, line);
    else
        take_line(engine, line);
    program_flush_output();
}

static void on_end(void *user)
{
    struct engine *const engine = user;
    engine->ended = true;
    if (!engine->thinking)
        end_program(engine);
}

/* ---- the command */

static void engine_release(struct engine *engine)
{
    free(engine->position);
    free(engine->thought.position);
    free(engine->waiting);
    free(engine);
}

static struct engine *engine_make(const struct game_engine *type)
{
    struct engine *const engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->type = type;
    engine->simulations = ENGINE_SIMULATIONS_USUAL;
    engine->position = malloc(type->position_size);
    engine->thought.position = malloc(type->position_size);
    if (engine->position && engine->thought.position && uv_loop_init(&engine->loop) == 0)
        return engine;
    engine_release(engine);
    return NULL;
}

static int run_loop(struct engine *engine)
{
    static const struct input_events events = {.line = on_line, .end = on_end};
    uv_timer_init(&engine->loop, &engine->timer);
    engine->timer.data = engine;
    engine->input = input_create(&engine->loop, &events, engine);
    const int status = engine->input ? EXIT_OK : EXIT_MEMORY;
    if (!engine->input)
        uv_close((uv_handle_t *)&engine->timer, NULL);
    uv_run(&engine->loop, UV_RUN_DEFAULT);
    uv_loop_close(&engine->loop);
    return status;
}

static int run_command(const struct invocation *invocation)
{
    const struct game *const game = invocation->game;
    if (!game->engine) {
        fprintf(stderr, "taluva engine: there is none of %s\n", game->name);
        return EXIT_USAGE;
    }
    struct engine *const engine = engine_make(game->engine);
    if (!engine)
        return EXIT_MEMORY;
    const int status = run_loop(engine);
    engine_release(engine);
    return status;
}

const struct command command_engine = {
    .name = "engine",
    .operands = "",
    .summary = "Say what to play in a position, for programs",
    .details =
        "Reads lines on the standard input that show a position and ask for its best turn, and\n"
        "answers on the standard output, as protocol/engine.md has it. Any program that speaks so\n"
        "plays in rooms with `taluva bot ROOM --engine CMD`, and against others with\n"
        "`taluva-contest engine:CMD`.",
    .operands_min = 0,
    .operands_max = 0,
    .run = run_command,
};
