#include "event_text.h"
#include "play_enter.h"
#include "play_here.h"
#include "play_seek.h"
#include "table.h"
#include <cli/state.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { TICK_MS = 1000 };

/* ---- from the server */

/* Once, when there is a picture: what its signs mean. */
static void announce_legend(struct table *table)
{
    if (table->legend_told || !table->screen.has_picture || !table->game->legend ||
        !state_at(table_state(table), "table"))
        return;
    table->legend_told = true;
    table_say_lines(table, table->game->legend);
}

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

static void refresh_table(struct table *table);

static void say_winners(struct table *table)
{
    char text[SCREEN_LINE_MAX];
    winners_text(text, sizeof text, table_state(table));
    if (*text)
        table_say(table, "%s", text);
}

/* Once: who has won, how the match is kept, what can be learnt from it, and what can be typed now.
 */
static void announce_end(struct table *table)
{
    bool over = state_is(table_state(table), "over"), told = table->end_told;
    const struct play_here *here = table->plan->here;
    const char *room = table->room;
    char command[ONLINE_COMMAND];
    table->end_told = over;
    if (!over)
        table->record_kept = table->record_asked = false; /* of the match before */
    if (!over || told)
        return;
    say_winners(table);
    if (here && here->record)
        table_keep_record(table, here->record, refresh_table);
    if (here && (here->record || !table->screen.terminal.is_terminal))
        return;
    online_command(command, table->online, "record", room);
    if (table->screen.terminal.is_terminal)
        table_say(table, "`record` writes the match to %s.taluva, `log` shows what happened.",
                  room);
    else
        table_say(table, "`%s -o %s.taluva` fetches the match.", command, room);
    if (table->game->analyse)
        table_say(table, "`taluva analyse %s.taluva` then shows luck, mistakes and better turns.",
                  room);
    if (table->screen.terminal.is_terminal)
        table_say(table, "%s`quit` leaves.",
                  table_seat(table) == WIRE_NO_SEAT ? "" : "`rematch` plays once more, ");
}

static void stop_if_unattended(struct table *table)
{
    if (state_is(table_state(table), "over") && !table->screen.terminal.is_terminal &&
        !table->fetch.busy)
        online_stop(table->online, EXIT_OK);
}

/* The way to a match that begins by itself is not worth a word. */
static bool is_quiet(const struct table *table)
{
    return table->plan->here && state_is(table_state(table), "lobby");
}

static void refresh_table(struct table *table)
{
    if (is_quiet(table))
        return;
    table_choose_rest(table);
    table_ask_legal(table);
    table_prompt(table);
    announce_legend(table);
    announce_turn(table);
    announce_end(table);
    screen_mouse(&table->screen, table_may_choose(table));
    table_paint(table);
    stop_if_unattended(table);
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
    if (view != table->view) {
        table->game->view_destroy(table->view);
        table->choosing = false; /* that went with the view */
    }
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
    if (!table->screen.has_picture && !is_quiet(table))
        table_print(table);
    refresh_table(table);
}

static void on_entered(struct online *online, const char *room, const json_t *error);

/* Whoever is at this terminal goes together, and begins at once; of several, whoever asked for it
 * goes. */
static void go_to_rematch(struct table *table, const char *to, int asked_by)
{
    char before[sizeof table->room];
    if (!table->plan->here && asked_by == table_seat(table)) {
        table_follow_rematch(table);
    } else if (!table->plan->here) {
        table_say(table, "`follow` goes there.");
    } else if (strlen(to) == PROTOCOL_ROOM_BYTES) {
        memcpy(before, table->room, sizeof before);
        memcpy(table->room, to, sizeof table->room);
        play_again(table->online, table->plan, before, to, on_entered);
    }
}

/* To who has not agreed: what they can type. */
static void say_how_to_agree(struct table *table, const struct wire_room *room)
{
    if (room->seat != WIRE_NO_SEAT && state_offer_to(room->state, room->seat))
        table_say(table, "Type `yes` to agree.");
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
    if (*line && !is_quiet(table)) {
        table_prompt_anew(table); /* below the line stands what is asked after it, not before */
        screen_say(&table->screen, line);
    }
    if (strcmp(state_text(event, "kind"), "offered") == 0 && !is_quiet(table))
        say_how_to_agree(table, room);
    if (strcmp(state_text(event, "kind"), "rematched") == 0)
        go_to_rematch(table, state_text(event, "to"), state_number(event, "seat"));
    refresh_table(table);
}

static void on_push(struct online *online, const struct wire_room *room, const json_t *push)
{
    struct table *table = online->user;
    char line[SCREEN_LINE_MAX];
    seek_hear(push);
    if (room && strcmp(room->id, table->room) != 0)
        return;
    push_text(line, sizeof line, room ? room->state : NULL, push);
    if (*line && !is_quiet(table))
        screen_say(&table->screen, line);
    table_paint(table);
}

static void on_gone(struct online *online, const char *room, const json_t *error)
{
    struct table *table = online->user;
    if (strcmp(room, table->room) == 0)
        online_refused(online, error);
}

static void on_told(struct online *online, int person, const struct wire_room *room,
                    const json_t *push)
{
    if (table_told(online->user, person, room, push))
        refresh_table(online->user);
}

static void on_away(struct online *online, const char *reason, int64_t retry_ms)
{
    struct table *table = online->user;
    if (!online->was_ready && strcmp(table->status, "cut off") != 0)
        table_say(table, "The server cannot be reached: %s. Trying again.", reason);
    else if (strcmp(table->status, "cut off") != 0)
        table_say(table, "The connection was cut; trying again.");
    else if (retry_ms > 5000)
        table_say(table, "The server still cannot be reached: %s. The next attempt is in %d s.",
                  reason, (int)(retry_ms / 1000));
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
    struct table *table = user;
    table->break_asked = false;
    if (table_lift_curtain(table))
        refresh_table(table);
    else
        table_line(table, line);
}

/* Without a server a pipe may hold what is played from the beginning: line for line in its turn. */
static void on_piped_line(void *user, const char *line)
{
    struct table *table = user;
    if (table->plan->here)
        input_hold(table->input, true);
    on_line(table, line);
}

/* A match without a server waits for nobody else. */
static void stop_if_stuck(struct table *table)
{
    if (!table->input_ended || !table->plan->here || !table_is_ours(table) ||
        wire_client_pending(table->online->client) > 0)
        return;
    table_say(table, "Nothing more is typed; the match is not over, and not kept.");
    online_stop(table->online, EXIT_OK);
}

static void on_pace(uv_prepare_t *pace)
{
    struct table *table = pace->data;
    const bool others_act = state_is(table_state(table), "playing") && !table_is_ours(table);
    if (table->input)
        input_hold(table->input, others_act || wire_client_pending(table->online->client) > 0);
    stop_if_stuck(table);
}

static void on_end(void *user)
{
    struct table *table = user;
    if (table->screen.terminal.is_terminal)
        table_stop(table);
    /* After the end of a pipe the client only watches until the match is over. */
    table->input_ended = true;
}

static void on_key(void *user, enum key_kind key)
{
    struct table *table = user;
    if (key == KEY_END) {
        if (!table_break(table))
            table_stop(table);
    } else if (key == KEY_REDRAW) {
        screen_redraw(&table->screen);
        table_paint(table);
    } else {
        table_pan(table, key);
    }
}

static bool on_press(void *user, const struct key *key)
{
    struct table *table = user;
    table->break_asked = false;
    return table_press(table, key);
}

static bool on_break(struct online *online)
{
    return table_break(online->user);
}

static bool on_interrupted(struct online *online)
{
    (void)online;
    return seek_leaves(EXIT_INTERRUPTED);
}

static void on_complete(void *user, const char *text, char *insert, size_t size)
{
    const struct table *table = user;
    if (!table->has_curtain)
        table_complete(user, text, insert, size);
}

/* Where the terminal is too small to keep the picture in sight, that is said. */
static void announce_size(struct table *table)
{
    char line[128];
    const struct terminal *terminal = &table->screen.terminal;
    if (!terminal->is_terminal || table->screen.has_picture)
        return;
    snprintf(line, sizeof line,
             "%dx%d is too small for the picture (%dx%d is needed); `show` prints it.",
             terminal->columns, terminal->rows, SCREEN_COLUMNS_LEAST, SCREEN_ROWS_LEAST);
    screen_note(&table->screen, line);
}

static void on_resized(uv_signal_t *signal, int number)
{
    struct table *table = signal->data;
    (void)number;
    screen_redraw(&table->screen);
    screen_mouse(&table->screen, table_may_choose(table));
    announce_size(table);
    table_paint(table);
}

/* Control-Z: the shell gets its terminal as it was. */
static void on_suspended(uv_signal_t *signal, int number)
{
    struct table *table = signal->data;
    (void)number;
    screen_suspend(&table->screen);
    (void)raise(SIGSTOP); /* goes on here when it is continued */
    screen_resume(&table->screen);
    screen_mouse(&table->screen, table_may_choose(table));
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

/* A session that has a seat in the room it watches: the seat is not played from here. */
static void warn_watcher(struct table *table)
{
    const struct wire_room *room = table_room(table);
    char command[ONLINE_COMMAND];
    if (!table->plan->watch || !room || room->seat == WIRE_NO_SEAT)
        return;
    online_command(command, table->online, "join", table->room);
    table_say(table, "You watch; seat %c, which is yours, is played with: %s",
              state_seat_letter(room->seat), command);
}

static void start_input(struct table *table)
{
    static const struct prompt_events prompt_events = {on_line, on_end, on_key, on_press,
                                                       on_complete};
    static const struct input_events input_events = {on_piped_line, on_end};
    if (table->screen.terminal.is_terminal)
        table->prompt = prompt_create(&table->online->loop, &prompt_events, table);
    else
        table->input = input_create(&table->online->loop, &input_events, table);
    table->screen.prompt = table->prompt;
    if (!table->prompt && !table->input)
        online_stop(table->online, EXIT_MEMORY);
}

/* Once: what can be typed. */
static void announce_help(struct table *table)
{
    const char *rules = game_find_page(table->game, "rules") ? ", `help rules` is the game" : "";
    const char *map = game_find_page(table->game, "map") ? ", `help map` the picture" : "";
    if (!table->plan->here)
        table_say(table, "Room %s. `help` lists what can be typed%s%s.", table->room, rules, map);
    else if (table->screen.terminal.is_terminal)
        table_say(table, "`help` lists what can be typed%s%s; `quit` ends.", rules, map);
}

static void on_entered(struct online *online, const char *room, const json_t *error)
{
    struct table *table = online->user;
    if (error) {
        play_refused(online, table->plan, error);
        return;
    }
    memcpy(table->room, room, strlen(room) + 1);
    if (!*room) {
        refresh_table(table);
        return;
    }
    if (!table->prompt && !table->input)
        start_input(table);
    if (table->plan->ready)
        seat_ready(online, room, NULL, NULL);
    announce_help(table);
    warn_watcher(table);
    announce_size(table);
    if (!table->plan->here)
        refresh_table(table); /* else the beginning of the match was shown */
}

static void on_ready(struct online *online)
{
    struct table *table = online->user;
    table->online = online;
    table->status = table->plan->here ? "" : "connected";
    uv_timer_init(&online->loop, &table->tick);
    uv_signal_init(&online->loop, &table->resized);
    uv_signal_init(&online->loop, &table->suspended);
    table->tick.data = table->resized.data = table->suspended.data = table;
    uv_prepare_init(&online->loop, &table->pace);
    table->pace.data = table;
    if (table->plan->here)
        uv_prepare_start(&table->pace, on_pace);
    table->has_handles = true;
    uv_timer_start(&table->tick, on_tick, TICK_MS, TICK_MS);
    uv_signal_start(&table->resized, on_resized, SIGWINCH);
    if (table->screen.terminal.is_terminal)
        uv_signal_start(&table->suspended, on_suspended, SIGTSTP);
    /* Commands that were written beforehand are read once there is a match to play. */
    if (table->screen.terminal.is_terminal || !table->plan->here)
        start_input(table);
    play_enter(online, table->plan, on_entered);
    table_paint(table);
}

static void on_ended(struct online *online)
{
    struct table *table = online->user;
    table->is_lost = table->plan->here && *table->room && !table->end_told;
    if (*table->room && !table->plan->here)
        online_command(table->back, online, table->plan->watch ? "watch" : "join", table->room);
    prompt_destroy(table->prompt);
    input_destroy(table->input);
    table->screen.prompt = table->prompt = NULL;
    if (table->has_handles) {
        uv_close((uv_handle_t *)&table->tick, NULL);
        uv_close((uv_handle_t *)&table->resized, NULL);
        uv_close((uv_handle_t *)&table->pace, NULL);
        uv_close((uv_handle_t *)&table->suspended, NULL);
    }
    seek_end();
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
    if (table->is_lost)
        puts("The match was not over, and is not kept.");
    if (*table->back)
        printf("%s: %s\n", table->plan->watch ? "To come back" : "Your place is kept", table->back);
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
        .told = on_told,
        .say = say_line,
        .control_c = on_break,
        .interrupted = on_interrupted,
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
    int code = play_online(invocation, plan, &app, table);
    screen_close(&table->screen);
    say_goodbye(table);
    record_fetch_release(&table->fetch);
    free(table->news);
    table->game->view_destroy(table->view);
    free(table);
    return code;
}
