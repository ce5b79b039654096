/*
 * At the table for programs: every message of the server is a line out, every line in is a request.
 * Lines of our own have "local" instead of "id" or "push".
 */
#include "input.h"
#include "play_enter.h"
#include "play_seek.h"
#include "record_fetch.h"
#include <cli/file.h>
#include <cli/state.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct script {
    struct online *online;
    struct play_plan *plan;
    struct input *input;
    char room[PROTOCOL_ROOM_BYTES + 1];
    struct record_fetch fetch;
    bool input_ended, over;
};

/* A match without a server, which waits for what nobody says any more. */
static bool is_stuck(const struct script *script)
{
    const struct wire_client *client = script->online->client;
    const struct wire_room *room = wire_client_room(client, script->room);
    return script->plan->here && room && room->state && wire_client_pending(client) == 0 &&
           state_acts(room->state, room->seat);
}

static void stop_if_done(struct script *script)
{
    if (script->input_ended && !script->fetch.busy && (script->over || is_stuck(script)))
        online_stop(script->online, EXIT_OK);
}

static void on_answer(void *user, const json_t *ok, const json_t *error)
{
    (void)ok;
    (void)error;
    stop_if_done(user);
}

/* ---- the end */

static void on_record(void *user, const char *text, const json_t *error)
{
    struct script *script = user;
    const char *path = script->plan->here->record;
    const bool written = text && file_create(path, text, strlen(text));
    const char *why = error ? state_text(error, "message") : strerror(errno);
    if (written)
        online_print_local(script->online, "record", json_pack("{s:s}", "file", path));
    else
        online_print_local(script->online, "no_record", json_pack("{s:s}", "why", why));
    if (written)
        stop_if_done(script);
    else
        online_stop(script->online, EXIT_FILE);
}

static void keep_record(struct script *script)
{
    if (script->plan->here && script->plan->here->record)
        record_fetch_begin(&script->fetch, script->online->client, script->room, on_record, script);
}

static void bad_line(struct script *script, const char *why)
{
    online_print_local(script->online, "bad_line", json_pack("{s:s}", "why", why));
}

static void quit(struct script *script)
{
    if (!seek_leaves(EXIT_OK))
        online_stop(script->online, EXIT_OK);
}

static void local_line(struct script *script, const char *what)
{
    if (strcmp(what, "quit") == 0)
        quit(script);
    else if (strcmp(what, "cut") == 0)
        wire_client_cut(script->online->client);
    else
        bad_line(script, "there is no such local request");
}

static void on_line(void *user, const char *line)
{
    struct script *script = user;
    json_error_t error;
    if (*line == '\0')
        return;
    json_t *request = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    const char *local = json_string_value(json_object_get(request, "local"));
    if (!request) {
        bad_line(script, error.text);
    } else if (local) {
        local_line(script, local);
        json_decref(request);
    } else if (!json_is_string(json_object_get(request, "op"))) {
        bad_line(script, "a request is an object with \"op\"");
        json_decref(request);
    } else if (!play_may_ask(script->plan, json_string_value(json_object_get(request, "op")))) {
        bad_line(script, "`watch` only watches; `join` plays");
        json_decref(request);
    } else if (wire_client_request(script->online->client, request, on_answer, script) < 0) {
        bad_line(script, "too long, or too many requests wait for their reply");
    }
}

static void on_end(void *user)
{
    struct script *script = user;
    script->input_ended = true;
    stop_if_done(script);
}

static void look_at_room(struct script *script, const struct wire_room *room)
{
    if (script->over || !state_is(room->state, "over"))
        return;
    script->over = true;
    online_print_local(script->online, "over",
                       json_pack("{s:s, s:I, s:i, s:O}", "room", room->id, "seq",
                                 (json_int_t)room->seq, "seat", room->seat, "state", room->state));
    keep_record(script);
    stop_if_done(script);
}

static void on_view(struct online *online, const struct wire_room *room)
{
    look_at_room(online->user, room);
}

static void on_event(struct online *online, const struct wire_room *room, const json_t *push)
{
    (void)push;
    look_at_room(online->user, room);
}

static void on_push(struct online *online, const struct wire_room *room, const json_t *push)
{
    (void)online;
    (void)room;
    seek_hear(push);
}

static bool on_interrupted(struct online *online)
{
    (void)online;
    return seek_leaves(EXIT_INTERRUPTED);
}

static void on_entered(struct online *online, const char *room, const json_t *error)
{
    struct script *script = online->user;
    if (error) {
        online_stop(online, EXIT_REFUSED);
        return;
    }
    snprintf(script->room, sizeof script->room, "%s", room);
    if (script->plan->ready)
        seat_ready(online, room, NULL, NULL);
}

static void on_ready(struct online *online)
{
    static const struct input_events events = {on_line, on_end};
    struct script *script = online->user;
    script->online = online;
    play_enter(online, script->plan, on_entered);
    script->input = input_create(&online->loop, &events, script);
}

static void on_ended(struct online *online)
{
    struct script *script = online->user;
    input_destroy(script->input);
    seek_end();
}

int play_script(const struct invocation *invocation, struct play_plan *plan)
{
    static const struct online_app app = {.ready = on_ready,
                                          .view = on_view,
                                          .event = on_event,
                                          .push = on_push,
                                          .interrupted = on_interrupted,
                                          .ended = on_ended};
    struct script script = {.plan = plan};
    const int code = play_online(invocation, plan, &app, &script);
    record_fetch_release(&script.fetch);
    return code;
}
