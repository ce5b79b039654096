#include "input.h"

#include <cli/encoding.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct input {
    uv_poll_t poll; /* pipes, sockets, terminals */
    uv_idle_t idle; /* files, which cannot be polled and never block */
    bool is_polled;
    bool held;
    bool ended;
    bool has_begun; /* a line was given */
    struct input_events events;
    void *user;
    size_t len;
    char line[INPUT_LINE_MAX + 1];
    size_t next, count; /* bytes that were read and are not looked at */
    char bytes[4096];
};

static uv_handle_t *handle_of(struct input *input)
{
    return input->is_polled ? (uv_handle_t *)&input->poll : (uv_handle_t *)&input->idle;
}

static void pause_reading(struct input *input)
{
    if (input->is_polled)
        uv_poll_stop(&input->poll);
    else
        uv_idle_stop(&input->idle);
}

static void stop_input(struct input *input)
{
    input->ended = true;
    pause_reading(input);
}

static void give_line(struct input *input)
{
    input->line[input->len] = '\0';
    if (input->len > 0 && input->line[input->len - 1] == '\r')
        input->line[input->len - 1] = '\0';
    const char *line = input->has_begun ? input->line : encoding_skip_mark(input->line, input->len);
    input->has_begun = true;
    input->len = 0;
    input->events.line(input->user, line);
}

static void take_bytes(struct input *input)
{
    while (input->next < input->count && !input->held && !input->ended) {
        const char byte = input->bytes[input->next];
        const bool is_full = input->len == INPUT_LINE_MAX;
        if (!is_full || byte == '\n')
            input->next++; /* else it begins the next line, which may have to wait */
        if (is_full || byte == '\n')
            give_line(input);
        else if (byte != '\0')
            input->line[input->len++] = byte;
    }
}

static void read_some(struct input *input)
{
    ssize_t len = read(STDIN_FILENO, input->bytes, sizeof input->bytes);
    if (len > 0) {
        input->next = 0;
        input->count = (size_t)len;
        take_bytes(input);
        return;
    }
    if (len < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    stop_input(input);
    if (input->len > 0)
        give_line(input);
    if (!uv_is_closing(handle_of(input))) /* by that line */
        input->events.end(input->user);
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    read_some(poll->data);
}

static void on_idle(uv_idle_t *idle)
{
    read_some(idle->data);
}

static void read_on(struct input *input)
{
    if (input->is_polled)
        uv_poll_start(&input->poll, UV_READABLE | UV_DISCONNECT, on_poll);
    else
        uv_idle_start(&input->idle, on_idle);
}

void input_hold(struct input *input, bool on)
{
    if (input->held == on || input->ended)
        return;
    input->held = on;
    if (on) {
        pause_reading(input);
        return;
    }
    take_bytes(input);
    if (!input->held && !input->ended)
        read_on(input);
}

bool input_poll_init(uv_loop_t *loop, uv_poll_t *poll)
{
    if (uv_poll_init(loop, poll, STDIN_FILENO) != 0)
        return false;
    int flags = fcntl(STDIN_FILENO, F_GETFL);
    if (flags >= 0)
        (void)fcntl(STDIN_FILENO, F_SETFL, flags & ~O_NONBLOCK);
    return true;
}

struct input *input_create(uv_loop_t *loop, const struct input_events *events, void *user)
{
    struct input *input = calloc(1, sizeof *input);
    if (!input)
        return NULL;
    input->events = *events;
    input->user = user;
    input->is_polled = input_poll_init(loop, &input->poll);
    if (!input->is_polled)
        uv_idle_init(loop, &input->idle);
    handle_of(input)->data = input;
    read_on(input);
    return input;
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void input_destroy(struct input *input)
{
    if (!input)
        return;
    stop_input(input);
    uv_close(handle_of(input), on_closed);
}
