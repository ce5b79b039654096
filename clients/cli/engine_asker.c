#include "engine_asker.h"

#include <signal.h>

static void on_line(void *user, const char *text)
{
    const struct engine_asking *const asking = user;
    if (asking->listener)
        asking->listener->line(asking->listener->user, text);
}

static void on_best(void *user, const char *turn)
{
    struct engine_asking *const asking = user;
    asking->listener->best(asking->listener->user, turn);
    asking->listener = NULL;
    uv_stop(&asking->loop);
}

static void on_failed(void *user, const char *why)
{
    struct engine_asking *const asking = user;
    asking->why = why;
    uv_stop(&asking->loop);
}

static const char *ask(void *user, const struct engine_go *go,
                       const struct engine_listener *listener)
{
    struct engine_asking *const asking = user;
    if (asking->why)
        return asking->why;
    asking->listener = listener;
    engine_process_ask(asking->process, go);
    uv_run(&asking->loop, UV_RUN_DEFAULT); /* until one of the above */
    return asking->why;
}

static void close_loop(struct engine_asking *asking)
{
    uv_run(&asking->loop, UV_RUN_DEFAULT); /* until its handles are closed */
    uv_loop_close(&asking->loop);
    (void)signal(SIGPIPE, asking->pipe_before);
}

bool engine_asking_open(struct engine_asking *asking, const char *command,
                        struct engine_asker *asker)
{
    static const struct engine_events events = {
        .line = on_line, .best = on_best, .failed = on_failed};
    *asking = (struct engine_asking){.listener = NULL};
    if (uv_loop_init(&asking->loop) != 0)
        return false;
    /* An engine that has gone is told by the call that fails. */
    asking->pipe_before = signal(SIGPIPE, SIG_IGN);
    asking->process = engine_process_start(&asking->loop, command, &events, asking);
    if (!asking->process)
        close_loop(asking);
    *asker = (struct engine_asker){.ask = ask, .user = asking};
    return asking->process != NULL;
}

void engine_asking_close(struct engine_asking *asking)
{
    engine_process_end(asking->process);
    close_loop(asking);
}
