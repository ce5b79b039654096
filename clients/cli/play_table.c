#include "play_table.h"

#include "event_text.h"
#include <cli/state.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TICK_MS = 1000, PAN_COLUMNS = 12, PAN_ROWS = 4 };

/* ---- what is known */

const struct wire_room *table_room(const struct table *table)
{
    return *table->room ? wire_client_room(table->online->client, table->room) : NULL;
}

const json_t *table_state(const struct table *table)
{
    const struct wire_room *room = table_room(table);
    return room ? room->state : NULL;
}

bool table_is_ours(const struct table *table)
{
    const struct wire_room *room = table_room(table);
    return room && room->seat != WIRE_NO_SEAT && state_is(room->state, "playing") &&
           state_acts(room->state, room->seat);
}

const json_t *table_legal(const struct table *table)
{
    const struct wire_room *room = table_room(table);
    return room && table_is_ours(table) && table->legal_seq == room->seq ? table->legal : NULL;
}

/* ---- saying */

void table_say(struct table *table, const char *format, ...)
{
    char line[SCREEN_LINE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    screen_say(&table->screen, line);
}

/* The prompt names what the player has to do. */
static void set_prompt(struct table *table)
{
    char asked[48] = "", text[64];
    if (!table->prompt)
        return;
    struct game_room room = table_game_room(table);
    if (table_is_ours(table))
        table->game->prompt(asked, sizeof asked, &room);
    snprintf(text, sizeof text, "%s> ", asked);
    prompt_hide(table->prompt);
    prompt_text(table->prompt, text);
    prompt_show(table->prompt);
}

/* ---- asking */

static void on_reply(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    char text[512];
    (void)ok;
    if (!error)
        return;
    refusal_text(text, sizeof text, error);
    table_say(table, "%s", text);
}

void table_ask(struct table *table, json_t *request)
{
    if (wire_client_request(table->online->client, request, on_reply, table) < 0)
        table_say(table, "That was too long, or too many requests wait for a reply.");
}

static void on_moved(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    const char *code = json_string_value(json_object_get(error, "code"));
    bool eliminates = code && strcmp(code, "eliminates_you") == 0;
    on_reply(user, ok, error);
    if (eliminates)
        table_say(table, "Type `yes` to play %s all the same.", table->to_confirm);
    else
        table->to_confirm[0] = '\0';
}

void table_move(struct table *table, const char *move, bool confirm)
{
    json_t *request = request_make("move", table->room, "move", move);
    if (confirm)
        json_object_set_new(request, "confirm", json_true());
    snprintf(table->to_confirm, sizeof table->to_confirm, "%s", move);
    wire_client_request(table->online->client, request, on_moved, table);
}

static void on_legal(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    const struct wire_room *room = table_room(table);
    (void)error;
    if (!ok || !room || json_integer_value(json_object_get(ok, "seq")) != room->seq)
        return;
    json_decref(table->legal);
    table->legal = json_deep_copy(ok);
    table->legal_seq = room->seq;
    table->listed = 0;
    table_paint(table);
}

/* Legal moves are asked for as soon as it is our move: for Tab, `moves` and the picture. */
static void ask_legal(struct table *table)
{
    const struct wire_room *room = table_room(table);
    if (!table_is_ours(table) || table->legal_seq == room->seq)
        return;
    json_decref(table->legal);
    table->legal = NULL;
    table->legal_seq = room->seq;
    wire_client_request(table->online->client, request_make("moves", table->room, NULL, NULL),
                        on_legal, table);
}

/* ---- from the server */

static void announce_turn(struct table *table)
{
    struct panel panel = table_panel(table);
    char now[128];
    if (!table_is_ours(table))
        return;
    panel_now(now, sizeof now, &panel);
    if (!table->screen.has_picture)
        table_say(table, "%s.", now);
}

/* Once: how the match is kept, and what can be learnt from it. */
static void announce_end(struct table *table)
{
    bool over = state_is(table_state(table), "over"), told = table->end_told;
    const char *room = table->room;
    table->end_told = over;
    if (!over || told)
        return;
    if (table->screen.terminal.is_terminal)
        table_say(table, "`record` writes the match to %s.taluva.", room);
    else
        table_say(table, "`taluva record %s -o %s.taluva --server %s` fetches the match.", room,
                  room, table->online->server);
    if (table->game->analyse)
        table_say(table, "`taluva analyse %s.taluva` then shows luck, mistakes and better turns.",
                  room);
}

static void refresh(struct table *table)
{
    ask_legal(table);
    set_prompt(table);
    announce_turn(table);
    announce_end(table);
    table_paint(table);
}

static void stop_if_unattended(struct table *table)
{
    if (state_is(table_state(table), "over") && !table->screen.terminal.is_terminal)
        online_stop(table->online, EXIT_OK);
}

/* False, and the end, if nobody here knows the room's game. */
static bool take_game(struct table *table, const struct wire_room *room)
{
    const char *name = state_text(room->state, "game");
    const struct game *game = games_find(name);
    struct game_view *view = game && game != table->game ? game->view_create(false) : table->view;
    if (!game || !view) {
        online_say(table->online, "This program cannot show the game '%s'.", name);
        online_stop(table->online, EXIT_USAGE);
        return false;
    }
    if (view != table->view)
        table->game->view_destroy(table->view);
    table->game = game;
    table->view = view;
    return true;
}

static void on_view(struct online *online, const struct wire_room *room)
{
    struct table *table = online->user;
    if ((*table->room && strcmp(room->id, table->room) != 0) || !take_game(table, room))
        return;
    memcpy(table->room, room->id, sizeof table->room);
    table->game->view_reset(table->view);
    if (!table->screen.has_picture)
        table_print(table);
    refresh(table);
    stop_if_unattended(table);
}

static void on_event(struct online *online, const struct wire_room *room, const json_t *push)
{
    struct table *table = online->user;
    char line[SCREEN_LINE_MAX];
    const json_t *event = json_object_get(push, "event");
    if (strcmp(room->id, table->room) != 0)
        return;
    table->game->view_event(table->view, push);
    event_text(line, sizeof line, table->game, room->state, event);
    if (*line)
        screen_say(&table->screen, line);
    if (strcmp(state_text(event, "kind"), "rematched") == 0)
        table_say(table, "`follow` goes there.");
    refresh(table);
    stop_if_unattended(table);
}

static void on_push(struct online *online, const struct wire_room *room, const json_t *push)
{
    struct table *table = online->user;
    char line[SCREEN_LINE_MAX];
    if (room && strcmp(room->id, table->room) != 0)
        return;
    push_text(line, sizeof line, room ? room->state : NULL, push);
    if (*line)
        screen_say(&table->screen, line);
    table_paint(table);
}

static void on_gone(struct online *online, const char *room, const json_t *error)
{
    struct table *table = online->user;
    if (strcmp(room, table->room) == 0)
        online_refused(online, error);
}

static void on_away(struct online *online, const char *reason, int64_t retry_ms)
{
    struct table *table = online->user;
    (void)reason;
    if (strcmp(table->status, "cut off") != 0)
        table_say(table, "%s; trying again.",
                  online->was_ready ? "The connection was cut" : "The server cannot be reached");
    else if (retry_ms > 5000)
        table_say(table, "The server still cannot be reached; the next attempt is in %d s.",
                  (int)(retry_ms / 1000));
    table->status = "cut off";
    table_paint(table);
}

static void on_back(struct online *online)
{
    struct table *table = online->user;
    table->status = "connected";
    table_say(table, "Connected again.");
    table_paint(table); /* what was missed comes as events */
}

static void say_line(struct online *online, const char *line)
{
    struct table *table = online->user;
    screen_say(&table->screen, line);
}

/* ---- from the person */

static void on_line(void *user, const char *line)
{
    table_line(user, line);
}

static void on_end(void *user)
{
    struct table *table = user;
    if (table->screen.terminal.is_terminal)
        online_stop(table->online, EXIT_OK);
    /* After the end of a pipe the client only watches until the match is over. */
}

static void on_key(void *user, enum prompt_key key)
{
    struct table *table = user;
    int columns = 0, rows = 0;
    switch (key) {
    case PROMPT_UP:
        rows = -PAN_ROWS;
        break;
    case PROMPT_DOWN:
        rows = PAN_ROWS;
        break;
    case PROMPT_LEFT:
        columns = -PAN_COLUMNS;
        break;
    case PROMPT_RIGHT:
        columns = PAN_COLUMNS;
        break;
    case PROMPT_REDRAW:
        screen_redraw(&table->screen);
        table_paint(table);
        return;
    }
    table->game->view_pan(table->view, columns, rows);
    table_paint(table);
}

static void on_complete(void *user, const char *text, char *insert, size_t size)
{
    table_complete(user, text, insert, size);
}

static void on_resized(uv_signal_t *signal, int number)
{
    struct table *table = signal->data;
    (void)number;
    screen_redraw(&table->screen);
    table_paint(table);
}

static void on_tick(uv_timer_t *timer)
{
    struct table *table = timer->data;
    const json_t *clock = state_at(table_state(table), "clock.seats");
    if (clock && state_is(table_state(table), "playing"))
        table_paint(table);
}

/* ---- starting and stopping */

static void entered(struct online *online, const char *room, const json_t *error)
{
    struct table *table = online->user;
    if (error) {
        online_refused(online, error);
        return;
    }
    memcpy(table->room, room, strlen(room) + 1);
    if (table->plan->ready)
        seat_ready(online, room, NULL, NULL);
    table_say(table, "Room %s. `help` lists what can be typed.", room);
    refresh(table);
}

static void start_input(struct table *table)
{
    static const struct prompt_events prompt_events = {on_line, on_end, on_key, on_complete};
    static const struct input_events input_events = {on_line, on_end};
    if (table->screen.terminal.is_terminal)
        table->prompt = prompt_create(&table->online->loop, &prompt_events, table);
    else
        table->input = input_create(&table->online->loop, &input_events, table);
    table->screen.prompt = table->prompt;
    if (!table->prompt && !table->input)
        online_stop(table->online, EXIT_MEMORY);
}

static void on_ready(struct online *online)
{
    struct table *table = online->user;
    table->online = online;
    table->status = "connected";
    uv_timer_init(&online->loop, &table->tick);
    uv_signal_init(&online->loop, &table->resized);
    table->tick.data = table->resized.data = table;
    table->has_handles = true;
    uv_timer_start(&table->tick, on_tick, TICK_MS, TICK_MS);
    uv_signal_start(&table->resized, on_resized, SIGWINCH);
    start_input(table);
    play_enter(online, table->plan, entered);
    table_paint(table);
}

static void on_ended(struct online *online)
{
    struct table *table = online->user;
    prompt_destroy(table->prompt);
    input_destroy(table->input);
    table->screen.prompt = table->prompt = NULL;
    if (table->has_handles) {
        uv_close((uv_handle_t *)&table->tick, NULL);
        uv_close((uv_handle_t *)&table->resized, NULL);
    }
    json_decref(table->legal);
    free(table->page);
}

/* After the picture is gone: how to come back, and the last lines that were printed. */
static void say_goodbye(const struct table *table)
{
    unsigned count = table->screen.kept_count < 3 ? table->screen.kept_count : 3;
    if (!table->screen.terminal.is_terminal)
        return;
    for (unsigned i = table->screen.kept_count - count; i < table->screen.kept_count; i++)
        printf("%s\n", table->screen.kept[i % SCREEN_LINES_KEPT]);
    if (*table->room)
        printf("Your place is kept: taluva %s %s\n", table->plan->watch ? "watch" : "join",
               table->room);
}

int play_table(const struct invocation *invocation, struct play_plan *plan)
{
    static const struct online_app app = {
        .ready = on_ready,
        .back = on_back,
        .away = on_away,
        .view = on_view,
        .event = on_event,
        .push = on_push,
        .gone = on_gone,
        .say = say_line,
        .ended = on_ended,
    };
    const struct game *game = invocation->game;
    struct game_view *view = game->view_create(invocation->online.small);
    struct table *table = calloc(1, sizeof *table);
    if (!table || !view) {
        game->view_destroy(view);
        free(table);
        return EXIT_MEMORY;
    }
    table->game = game;
    table->view = view;
    table->plan = plan;
    table->status = "connecting";
    screen_open(&table->screen, invocation->online.ascii, invocation->online.no_color);
    int code = online_run(invocation, &app, table);
    screen_close(&table->screen);
    say_goodbye(table);
    table->game->view_destroy(table->view);
    free(table);
    return code;
}
