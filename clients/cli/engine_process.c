#include "engine_process.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    TIMEOUT_MS = 60 * 1000, /* for `ready`, and for `best` beyond what it was given */
    ENDING_MS = 2000,       /* to end by itself */
    ERRORS_MAX = 10,        /* lines that it did not follow */
    HANDLES = 4,
};

struct engine_process {
    uv_process_t process;
    uv_pipe_t input, output;
    uv_timer_t timer;
    unsigned open_handles;
    int64_t given_ms; /* for the answer to what was asked last */
    struct engine_events events;
    void *user;
    bool spawned, exited, ready, asked, ended, failed, is_new_match;
    unsigned errors;
    const char *why;                     /* it has failed, and whoever asks is to be told */
    char waiting[2 * ENGINE_LINE_BYTES]; /* said before it was ready */
    size_t waiting_len;
    char line[ENGINE_LINE_BYTES + 2];
    size_t line_len;
    char bytes[4096];
};

/* Which of them is found out first is chance. */
static const char gone[] = "it has ended, or closed its input or output";

/* ---- the end */

static void on_closed(uv_handle_t *handle)
{
    struct engine_process *const engine = handle->data;
    if (--engine->open_handles == 0)
        free(engine);
}

static void close_handle(uv_handle_t *handle)
{
    if (!uv_is_closing(handle))
        uv_close(handle, on_closed);
}

static void close_all(struct engine_process *engine)
{
    close_handle((uv_handle_t *)&engine->timer);
    close_handle((uv_handle_t *)&engine->input);
    close_handle((uv_handle_t *)&engine->output);
    close_handle((uv_handle_t *)&engine->process);
}

static void on_failed(uv_timer_t *timer)
{
    struct engine_process *const engine = timer->data;
    engine->events.failed(engine->user, engine->why);
}

/* Told from the loop, never to somebody who has just asked. */
static void fail_engine(struct engine_process *engine, const char *why)
{
    if (engine->failed || engine->ended)
        return;
    engine->failed = true;
    engine->why = why;
    uv_timer_start(&engine->timer, on_failed, 0, 0);
}

/* Its process group: the shell, and what the shell has started. */
static void kill_group(const struct engine_process *engine)
{
    (void)kill(-engine->process.pid, SIGKILL);
}

static void on_exit(uv_process_t *process, int64_t status, int signal)
{
    struct engine_process *const engine = process->data;
    (void)status;
    (void)signal;
    engine->exited = true;
    kill_group(engine); /* of the shell that is gone: nobody else would end them */
    if (engine->ended)
        close_all(engine);
    else
        fail_engine(engine, gone);
}

static void on_ending_over(uv_timer_t *timer)
{
    kill_group(timer->data);
}

void engine_process_end(struct engine_process *engine)
{
    if (!engine || engine->ended)
        return;
    engine->ended = true;
    if (!engine->spawned || engine->exited) {
        close_all(engine);
        return;
    }
    close_handle((uv_handle_t *)&engine->input);
    uv_timer_start(&engine->timer, on_ending_over, ENDING_MS, 0);
}

/* ---- lines to it */

struct sent {
    uv_write_t write;
    char bytes[];
};

static void on_written(uv_write_t *write, int status)
{
    struct engine_process *const engine = write->data;
    if (status < 0 && status != UV_ECANCELED)
        fail_engine(engine, gone);
    free(write);
}

static void send_bytes(struct engine_process *engine, const char *bytes, size_t len)
{
    struct sent *const sent = malloc(sizeof *sent + len);
    if (!sent) {
        fail_engine(engine, "memory ran out");
        return;
    }
    memcpy(sent->bytes, bytes, len);
    sent->write.data = engine;
    uv_buf_t buffer = uv_buf_init(sent->bytes, (unsigned)len);
    if (uv_write(&sent->write, (uv_stream_t *)&engine->input, &buffer, 1, on_written) != 0) {
        free(sent);
        fail_engine(engine, gone);
    }
}

__attribute__((format(printf, 2, 3))) static void tell_engine(struct engine_process *engine,
                                                              const char *format, ...)
{
    char line[ENGINE_LINE_BYTES + 64];
    va_list arguments;
    if (engine->failed || engine->ended)
        return;
    va_start(arguments, format);
    const int len = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (len < 0 || (size_t)len >= sizeof line) {
        fail_engine(engine, "the line for it is too long");
    } else if (engine->ready) {
        send_bytes(engine, line, (size_t)len);
    } else if (engine->waiting_len + (size_t)len <= sizeof engine->waiting) {
        memcpy(engine->waiting + engine->waiting_len, line, (size_t)len);
        engine->waiting_len += (size_t)len;
    }
}

static void on_timeout(uv_timer_t *timer)
{
    struct engine_process *const engine = timer->data;
    fail_engine(engine, engine->ready ? "it does not answer" : "it is not ready");
}

/* For as long as it may take; what has failed is told by the same timer. */
static void wait_for_it(struct engine_process *engine)
{
    if (engine->failed)
        return;
    const int64_t given = engine->ready && engine->given_ms > 0 ? engine->given_ms : 0;
    uv_timer_start(&engine->timer, on_timeout, TIMEOUT_MS + (uint64_t)given, 0);
}

void engine_process_new_match(struct engine_process *engine)
{
    engine->is_new_match = true; /* it may be thinking */
}

static void write_limits(const struct engine_limits *limits, struct text *out)
{
    text_add(out, "%s", "");
    if (limits->simulations >= 0)
        text_add(out, " simulations %lld", (long long)limits->simulations);
    if (limits->ms >= 0)
        text_add(out, " ms %lld", (long long)limits->ms);
}

void engine_process_ask(struct engine_process *engine, const struct engine_go *go)
{
    char limits[80];
    struct text text = {.bytes = limits, .size = sizeof limits};
    write_limits(&go->limits, &text);
    engine->given_ms = go->limits.ms;
    engine->asked = true;
    if (engine->is_new_match)
        tell_engine(engine, "match\n");
    engine->is_new_match = false;
    tell_engine(engine, "position %s\n", go->position);
    tell_engine(engine, "go%s lines %u seed %llu\n", limits, go->lines,
                (unsigned long long)(go->seed & ENGINE_NUMBER_MAX));
    if (engine->ready)
        wait_for_it(engine);
}

void engine_process_stop(struct engine_process *engine)
{
    if (engine->asked)
        tell_engine(engine, "stop\n");
}

/* ---- lines from it */

static void hear_ready(struct engine_process *engine)
{
    if (engine->ready)
        return;
    engine->ready = true;
    uv_timer_stop(&engine->timer);
    if (engine->waiting_len > 0)
        send_bytes(engine, engine->waiting, engine->waiting_len);
    if (engine->asked)
        wait_for_it(engine);
}

static void hear_best(struct engine_process *engine, const char *turn)
{
    if (!engine->ready || !engine->asked)
        return; /* nobody wants to know, or what was asked has not been sent */
    engine->asked = false;
    uv_timer_stop(&engine->timer);
    engine->events.best(engine->user, turn);
}

static void hear_one_of_more(struct engine_process *engine, const char *text)
{
    if (engine->events.line && engine->ready && engine->asked)
        engine->events.line(engine->user, text);
}

static void hear_line(struct engine_process *engine, const char *line)
{
    const char *const best = engine_behind(line, "best"), *const one = engine_behind(line, "line");
    if (engine_behind(line, "ready"))
        hear_ready(engine);
    else if (best)
        hear_best(engine, best);
    else if (one)
        hear_one_of_more(engine, one);
    else if (engine_behind(line, "error") && (++engine->errors > ERRORS_MAX || engine->asked))
        fail_engine(engine, "it does not follow what it is told");
}

static void hear_bytes(struct engine_process *engine, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len && !engine->failed && !engine->ended; i++) {
        if (bytes[i] != '\n') {
            engine->line[engine->line_len++] = bytes[i];
            if (engine->line_len == sizeof engine->line)
                fail_engine(engine, "a line of it is too long");
            continue;
        }
        if (engine->line_len > 0 && engine->line[engine->line_len - 1] == '\r')
            engine->line_len--;
        engine->line[engine->line_len] = '\0';
        engine->line_len = 0;
        hear_line(engine, engine->line);
    }
}

static void on_alloc(uv_handle_t *handle, size_t wanted, uv_buf_t *buffer)
{
    struct engine_process *const engine = handle->data;
    (void)wanted;
    *buffer = uv_buf_init(engine->bytes, sizeof engine->bytes);
}

static void on_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buffer)
{
    struct engine_process *const engine = stream->data;
    if (len > 0)
        hear_bytes(engine, buffer->base, (size_t)len);
    else if (len < 0)
        fail_engine(engine, gone);
}

/* ---- the beginning */

static int spawn_shell(struct engine_process *engine, uv_loop_t *loop, char *command)
{
    char shell[] = "/bin/sh", option[] = "-c";
    char *arguments[] = {shell, option, command, NULL};
    uv_stdio_container_t descriptors[3] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&engine->input},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&engine->output},
        {.flags = UV_INHERIT_FD, .data.fd = 2},
    };
    const uv_process_options_t options = {
        .exit_cb = on_exit,
        .file = shell,
        .args = arguments,
        .flags = UV_PROCESS_DETACHED, /* a process group of its own */
        .stdio_count = 3,
        .stdio = descriptors,
    };
    return uv_spawn(loop, &engine->process, &options);
}

static void init_handles(struct engine_process *engine, uv_loop_t *loop)
{
    uv_timer_init(loop, &engine->timer);
    uv_pipe_init(loop, &engine->input, 0);
    uv_pipe_init(loop, &engine->output, 0);
    engine->timer.data = engine->input.data = engine->output.data = engine;
    engine->open_handles = HANDLES;
}

struct engine_process *engine_process_start(uv_loop_t *loop, const char *command,
                                            const struct engine_events *events, void *user)
{
    struct engine_process *const engine = calloc(1, sizeof *engine);
    char *const copy = strdup(command);
    if (!engine || !copy) {
        free(copy);
        free(engine);
        return NULL;
    }
    engine->events = *events;
    engine->user = user;
    init_handles(engine, loop);
    const int failed = spawn_shell(engine, loop, copy); /* the process is a handle even then */
    engine->process.data = engine;
    engine->spawned = failed == 0;
    free(copy);
    if (failed) {
        engine_process_end(engine);
        return NULL;
    }
    uv_read_start((uv_stream_t *)&engine->output, on_alloc, on_read);
    send_bytes(engine, "taluva-engine 1\n", sizeof "taluva-engine 1\n" - 1);
    wait_for_it(engine);
    return engine;
}
