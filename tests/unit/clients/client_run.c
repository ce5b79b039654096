#include "client_run.h"

#include "../../support/scratch_path.h"
#include "fake_server.h"
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void type_text(struct client_run *run, const char *text)
{
    uv_buf_t buffer = uv_buf_init((char *)(uintptr_t)text, (unsigned)strlen(text));
    if (run->terminal) {
        ck_assert_int_eq(write(run->terminal, text, strlen(text)), (ssize_t)strlen(text));
        return;
    }
    ck_assert_int_eq(uv_try_write((uv_stream_t *)&run->in, &buffer, 1), (int)strlen(text));
}

/* The server's messages and the typed input arrive independently, in any order. */
static void type_if_seen(struct client_run *run)
{
    const struct client_step *step = run->waiting;
    if (!step || (step->sees && !strstr(run->text, step->sees)))
        return;
    run->waiting = NULL;
    if (!*step->wants) {
        for (size_t i = 0; i < CLIENT_SAY_MAX && step->says[i]; i++)
            fake_server_send(run->server, step->says[i], 0);
    }
    if (step->types)
        type_text(run, step->types);
    if (run->script[run->at].wants && !*run->script[run->at].wants)
        run->waiting = &run->script[run->at++];
}

static void on_message(void *user, int connection, const json_t *message)
{
    struct client_run *run = user;
    const struct client_step *step = &run->script[run->at];
    char *text = json_dumps(message, JSON_COMPACT);
    (void)connection;
    ck_assert_msg(step->wants && strstr(text, step->wants), "wanted %s, got %s",
                  step->wants ? step->wants : "nothing", text);
    run->at++;
    for (size_t i = 0; i < CLIENT_SAY_MAX && step->says[i]; i++) {
        char line[2048];
        const char *hole = strchr(step->says[i], '$');
        long long id = (long long)json_integer_value(json_object_get(message, "id"));
        if (hole)
            snprintf(line, sizeof line, "%.*s%lld%s", (int)(hole - step->says[i]), step->says[i],
                     id, hole + 1);
        fake_server_send(run->server, hole ? line : step->says[i], 0);
    }
    run->waiting = step->types ? step : run->waiting;
    type_if_seen(run);
    free(text);
}

static void on_allocate(uv_handle_t *handle, size_t wanted, uv_buf_t *buffer)
{
    struct client_run *run = handle->data;
    (void)wanted;
    *buffer = uv_buf_init(run->piece, sizeof run->piece);
}

static void stop_if_done(struct client_run *run)
{
    if (run->ended && run->closed)
        uv_stop(&run->loop);
}

static void on_output(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
    struct client_run *run = stream->data;
    if (count < 0) {
        run->closed = true;
        stop_if_done(run);
        return;
    }
    ck_assert_uint_lt(run->len + (size_t)count, sizeof run->text);
    memcpy(run->text + run->len, buffer->base, (size_t)count);
    run->len += (size_t)count;
    type_if_seen(run);
}

static void on_exit_of_client(uv_process_t *process, int64_t status, int signal)
{
    struct client_run *run = process->data;
    run->status = signal ? -signal : status;
    run->ended = true;
    stop_if_done(run);
}

static void on_limit(uv_timer_t *timer)
{
    const struct client_run *run = timer->data;
    ck_abort_msg("the client does not end; at step %zu it has printed: %s", run->at, run->text);
}

/* Without a script what the client prints as errors is taken too. */
static void open_terminal(struct client_run *run, uv_file ends[2])
{
    const struct winsize size = {.ws_col = 80, .ws_row = 24};
    ends[0] = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(ends[0] >= 0 && grantpt(ends[0]) == 0 && unlockpt(ends[0]) == 0);
    ends[1] = open(ptsname(ends[0]), O_RDWR | O_NOCTTY);
    ck_assert(ends[1] >= 0 && ioctl(ends[0], TIOCSWINSZ, &size) == 0);
    run->terminal = ends[0];
    ck_assert_int_eq(setenv("TERM", "xterm", 1), 0);
}

static void spawn(struct client_run *run, char **arguments)
{
    uv_file ends[2];
    if (run->terminal)
        open_terminal(run, ends);
    else
        ck_assert_int_eq(uv_pipe(ends, 0, 0), 0);
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&run->in},
        {.flags = UV_INHERIT_FD, .data.fd = ends[1]},
        {.flags = UV_INHERIT_FD, .data.fd = run->script ? 2 : ends[1]},
    };
    if (run->terminal)
        stdio[0] = stdio[1];
    uv_process_options_t options = {
        .file = "/proc/self/exe",
        .args = arguments,
        .stdio = stdio,
        .stdio_count = 3,
        .exit_cb = on_exit_of_client,
    };
    if (!run->terminal)
        uv_pipe_init(&run->loop, &run->in, 0);
    uv_pipe_init(&run->loop, &run->out, 0);
    run->out.data = run->process.data = run;
    ck_assert_int_eq(uv_pipe_open(&run->out, ends[0]), 0);
    ck_assert_int_eq(uv_spawn(&run->loop, &run->process, &options), 0);
    ck_assert_int_eq(close(ends[1]), 0);
    uv_read_start((uv_stream_t *)&run->out, on_allocate, on_output);
}

static void run_all(struct client_run *run, const struct client_step *script,
                    const char *const *words, bool at_terminal)
{
    char folder[SCRATCH_BYTES], server[64], file[80];
    char *arguments[CLIENT_ARGUMENTS_MAX] = {(char[]){"taluva"}, (char[]){"--as-client"}};
    size_t count = 2;
    *run = (struct client_run){.script = script, .terminal = at_terminal ? -1 : 0};
    ck_assert_ptr_nonnull(mkdtemp(scratch_path(folder, "taluva-test", false)));
    ck_assert_int_eq(setenv("XDG_STATE_HOME", folder, 1), 0);
    ck_assert_int_eq(setenv("XDG_CONFIG_HOME", folder, 1), 0);
    ck_assert_int_eq(uv_loop_init(&run->loop), 0);
    uv_timer_init(&run->loop, &run->limit);
    run->limit.data = run;
    uv_timer_start(&run->limit, on_limit, 60000, 0);
    for (; *words; words++)
        arguments[count++] = (char *)(uintptr_t)*words;
    if (script) {
        run->server = fake_server_create(&run->loop, on_message, run);
        snprintf(server, sizeof server, "--server=ws://127.0.0.1:%d/ws",
                 fake_server_port(run->server));
        arguments[count++] = server;
    }
    spawn(run, arguments);
    uv_run(&run->loop, UV_RUN_DEFAULT);
    ck_assert_msg(!script || !script[run->at].wants, "the client did not send %s; it printed: %s",
                  script ? script[run->at].wants : "", run->text);
    if (run->server)
        fake_server_destroy(run->server);
    if (!at_terminal)
        uv_close((uv_handle_t *)&run->in, NULL);
    uv_close((uv_handle_t *)&run->out, NULL);
    uv_close((uv_handle_t *)&run->process, NULL);
    uv_close((uv_handle_t *)&run->limit, NULL);
    uv_run(&run->loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&run->loop), 0);
    snprintf(file, sizeof file, "%s/taluva", folder);
    (void)rmdir(file);
    (void)rmdir(folder);
}

void client_run_with(struct client_run *run, const struct client_step *script,
                     const char *const *words)
{
    run_all(run, script, words, false);
}

void client_run_at_terminal(struct client_run *run, const struct client_step *script,
                            const char *const *words)
{
    run_all(run, script, words, true);
}

void client_run_said(const struct client_run *run, const char *text)
{
    ck_assert_msg(strstr(run->text, text), "\"%s\" was not printed: %s", text, run->text);
}
