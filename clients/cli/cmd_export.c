#include "online.h"
#include <cli/state.h>
#include <protocol/export.h>
#include <stdio.h>
#include <string.h>

/* So many matches at most: a server that never comes to an end is left. */
enum { GAMES_MAX = 1000000 };

struct export
{
    struct online *online;
    json_t *all;   /* what is printed at the end */
    json_t *games; /* the matches so far, of `all` */
    size_t step;
};

static void ask_page(struct export *export, const char *after);

static void begin_export(struct export *export, const json_t *hello)
{
    for (size_t at = 0; at < EXPORT_HELLO; at++) {
        json_t *member = json_object_get(hello, export_hello[at]);
        if (member)
            json_object_set(export->all, export_hello[at], member);
    }
    json_object_set(export->all, "games", export->games);
}

static void finish_export(struct export *export)
{
    const struct online *online = export->online;
    if (!online->invocation->online.json && json_dumpf(export->all, stdout, JSON_INDENT(2)) == 0)
        putchar('\n');
    online_stop(export->online, EXIT_OK);
}

static void go_on(struct export *export)
{
    const bool account = json_object_get(export->all, "account");
    export->step++;
    while (export->step < EXPORT_STEPS && export_steps[export->step].of_account && !account)
        export->step++;
    if (export->step < EXPORT_STEPS)
        ask_page(export, NULL);
    else
        finish_export(export);
}

/* The name of the room of the last match, if there are more; NULL: there are none. */
static const char *take_games(const struct export *export, const json_t *ok)
{
    json_t *page = json_object_get(ok, "games");
    const size_t count = json_array_size(page);
    json_array_extend(export->games, page);
    if (!json_is_true(json_object_get(ok, "more")) || count == 0 ||
        json_array_size(export->games) >= GAMES_MAX)
        return NULL;
    return state_text(json_array_get(page, count - 1), "room");
}

/* A server that takes no passkeys has none to tell of. */
static bool is_left_out(const struct export_step *step, const json_t *error)
{
    return strcmp(step->op, "passkeys") == 0 &&
           strcmp(state_text(error, "code"), "passkeys_off") == 0;
}

static void on_answer(void *user, const json_t *ok, const json_t *error)
{
    struct export *export = user;
    const struct export_step *step = &export_steps[export->step];
    if (error && !is_left_out(step, error)) {
        online_refused(export->online, error);
        return;
    }
    if (strcmp(step->op, "games") == 0) {
        const char *after = take_games(export, ok);
        if (after) {
            ask_page(export, after);
            return;
        }
    } else if (ok) {
        json_object_set_new(export->all, step->op, json_deep_copy(ok));
    }
    go_on(export);
}

static void ask_page(struct export *export, const char *after)
{
    const char *op = export_steps[export->step].op;
    const bool named = strcmp(op, "profile") == 0;
    const char *handle = state_text(json_object_get(export->all, "account"), "handle");
    json_t *request = request_make(op, NULL, named ? "handle" : "after", named ? handle : after);
    wire_client_request(export->online->client, request, on_answer, export);
}

static void on_ready(struct online *online)
{
    struct export *export = online->user;
    export->online = online;
    begin_export(export, online->hello);
    ask_page(export, NULL);
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.needs_session = true, .ready = on_ready};
    struct export export = {.all = json_object(), .games = json_array()};
    const int status = online_run(invocation, &app, &export);
    json_decref(export.games);
    json_decref(export.all);
    return status;
}

const struct command command_export = {
    .name = "export",
    .operands = "",
    .summary = "Print all that the server has of you",
    .details =
        "One JSON object: who you are there, your account, the profile that others see, what was\n"
        "decided of reports about you and what you have reported, your devices, passkeys, "
        "programs\n"
        "and their tokens, the invitations that you have made, whom you have blocked and whom you\n"
        "follow, your ratings, how reliable you were and what you seek, the seats that you hold,\n"
        "and all your finished matches, whose records `taluva record ROOM` fetches. What opens\n"
        "your account is not in it, as the server keeps hashes of that alone. A script gets the\n"
        "same by HTTP, see `export` in protocol/README.md.",
    .online = true,
    .asks_once = true,
    .run = run_command,
};
