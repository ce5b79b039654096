/*
 * What can be typed at the table: moves, and the commands of one sorted table.
 */
#include "input.h"
#include "legal_page.h"
#include "play_hint.h"
#include "refusal.h"
#include "table.h"
#include <cli/encoding.h>
#include <cli/state.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct table_command {
    const char *name, *operands, *help;
    void (*run)(struct table *table, const char *text); /* what follows the name, trimmed */
};

/* ---- asking the server */

static void run_seatless(struct table *table, const char *op)
{
    table_ask(table, request_make(op, table->room, NULL, NULL));
}

static void run_undo(struct table *table, const char *text)
{
    (void)text;
    run_seatless(table, "undo");
}

static void run_start(struct table *table, const char *text)
{
    (void)text;
    run_seatless(table, "start");
}

static void run_ready(struct table *table, const char *text)
{
    if (strcmp(text, "no") != 0) {
        table_ask(table, seat_ready_request(table->room));
        return;
    }
    json_t *request = request_make("ready", table->room, NULL, NULL);
    json_object_set_new(request, "ready", json_false());
    table_ask(table, request);
}

/* The number of the level with this name, from 1; 0: it is none. */
static int read_level(const struct table *table, const char *word, size_t len)
{
    for (int i = 0; table->game->levels[i]; i++) {
        if (strlen(table->game->levels[i]) == len && memcmp(table->game->levels[i], word, len) == 0)
            return i + 1;
    }
    return 0;
}

/* "[SEAT] [COLOUR]", and of a computer player "[LEVEL]". */
static void run_seating(struct table *table, const char *op, const char *text)
{
    json_t *request = request_make(op, table->room, NULL, NULL);
    while (*text) {
        size_t len = strcspn(text, " ");
        int seat = table_find_seat(table, text, len);
        int level = strcmp(op, "bot") == 0 ? read_level(table, text, len) : 0;
        if (seat >= 0)
            json_object_set_new(request, "seat", json_integer(seat));
        else if (level > 0)
            json_object_set_new(request, "level", json_integer(level));
        else
            json_object_set_new(request, "colour", json_stringn(text, len));
        text += len + strspn(text + len, " ");
    }
    table_ask(table, request);
}

static void run_sit(struct table *table, const char *text)
{
    run_seating(table, "sit", text);
}

static void run_bot(struct table *table, const char *text)
{
    run_seating(table, "bot", text);
}

static void run_unseat(struct table *table, const char *text)
{
    if (table_find_seat(table, text, strlen(text)) < 0)
        table_say(table, "Which seat? `unseat B` empties seat B.");
    else
        run_seating(table, "unseat", text);
}

static void run_resign(struct table *table, const char *text)
{
    if (strcmp(text, "yes") == 0)
        run_seatless(table, "resign");
    else
        table_say(table, "`resign yes` gives the match up, for good.");
}

static void run_offer(struct table *table, const char *text)
{
    if (*text == '\0')
        table_say(table,
                  "What? `offer pause`, `offer resume`, `offer call_off`, `offer computer` or "
                  "`offer claim`.");
    else
        table_ask(table, request_make("offer", table->room, "what", text));
}

static void run_withdraw(struct table *table, const char *text)
{
    if (*text == '\0')
        table_say(table, "What? `withdraw pause`, `withdraw resume` or `withdraw call_off`.");
    else
        table_ask(table, request_make("withdraw", table->room, "what", text));
}

static void run_say(struct table *table, const char *text)
{
    if (*text)
        table_ask(table, request_make("say", table->room, "text", text));
}

static void run_check(struct table *table, const char *text);

/* ---- going on */

static void on_followed(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    char text[512];
    (void)ok;
    if (error) {
        refusal_text(text, sizeof text, error);
        table_say(table, "%s", text);
    }
}

void table_follow_rematch(struct table *table)
{
    const char *to = state_text(table_state(table), "rematch");
    const struct wire_room *room = table_room(table);
    if (!room || strlen(to) != PROTOCOL_ROOM_BYTES) {
        table_say(table, "There is no rematch; `rematch` asks for one.");
        return;
    }
    bool watch = table_seat(table) == WIRE_NO_SEAT;
    char next[PROTOCOL_ROOM_BYTES + 1];
    memcpy(next, to, sizeof next);
    table_ask(table, request_make("leave", table->room, NULL, NULL));
    memcpy(table->room, next, sizeof table->room);
    wire_client_request(table->online->client,
                        request_make(watch ? "watch" : "join", next, NULL, NULL), on_followed,
                        table);
}

static void run_follow(struct table *table, const char *text)
{
    (void)text;
    table_follow_rematch(table);
}

static void run_rematch(struct table *table, const char *text)
{
    (void)text;
    if (*state_text(table_state(table), "rematch"))
        table_follow_rematch(table);
    else
        run_seatless(table, "rematch");
}

static void run_record(struct table *table, const char *text)
{
    table_keep_record(table, *text ? text : NULL, table_paint);
}

static void run_report(struct table *table, const char *text)
{
    table_report(table, text);
}

static void run_quit(struct table *table, const char *text)
{
    table_quit(table, text);
}

/* ---- looking */

static void on_hint(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    char *page = NULL, text[512];
    size_t len;
    if (!ok) {
        refusal_text(text, sizeof text, error);
        table_say(table, "%s", text);
        return;
    }
    FILE *out = open_memstream(&page, &len);
    if (!out)
        return;
    struct game_room room = table_game_room(table);
    hint_print(table->game, &room, json_object_get(ok, "turns"), out);
    if (fclose(out) == 0)
        table_show_page(table, page);
    free(page);
}

static void run_hint(struct table *table, const char *text)
{
    (void)text;
    table_request(table, request_make("hint", table->room, NULL, NULL), on_hint);
}

static void run_log(struct table *table, const char *text)
{
    (void)text;
    table_show_log(table);
}

static void run_show(struct table *table, const char *text)
{
    (void)text;
    table->game->view_follow(table->view);
    table_show(table);
}

static void run_view_command(struct table *table, const struct game_view_command *command,
                             const char *text)
{
    char answer[SCREEN_LINE_MAX] = "";
    struct game_room room = table_game_room(table);
    bool changed = command->run(table->view, &room, text, answer, sizeof answer);
    if (*answer)
        table_say(table, "%s", answer);
    if (changed)
        table_show(table);
    else
        table_paint(table);
}

/* ---- legal moves */

/* Below the map, which stays in sight. */
static void show_legal(struct table *table, const json_t *legal)
{
    struct game_room room = table_game_room(table);
    const struct terminal *terminal = &table->screen.terminal;
    const int lines = terminal->rows - table->screen.top_rows;
    const struct legal_page page = {
        .game = table->game,
        .room = &room,
        .legal = legal,
        .filter = table->filter,
        .skip = table->listed,
        .columns = terminal->columns,
        .rows = table->screen.has_picture ? lines - 3 : INT_MAX,
    };
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out)
        return;
    table->listed += legal_page_print(&page, out);
    if (fclose(out) == 0)
        table_say_lines(table, text);
    free(text);
}

static void run_moves(struct table *table, const char *text)
{
    const json_t *legal = table_legal(table), *state = table_state(table);
    if (!legal) {
        table_say(table, table_is_ours(table)        ? "Not known yet, try again."
                         : state_is(state, "lobby")  ? "The match has not begun."
                         : state_is(state, "over")   ? "The match is over."
                         : state_is(state, "paused") ? "The match is paused."
                                                     : "It is not your move.");
        return;
    }
    if (strcmp(text, "more") != 0) {
        snprintf(table->filter, sizeof table->filter, "%s", text);
        table->listed = 0;
    }
    show_legal(table, legal);
}

static void run_yes(struct table *table, const char *text)
{
    char move[sizeof table->to_confirm];
    (void)text;
    memcpy(move, table->to_confirm, sizeof move);
    const struct wire_room *room = table_room(table);
    const char *what = room ? state_offer_to(room->state, table_seat(table)) : NULL;
    if (*move)
        table_move(table, move, true);
    else if (what && table_seat(table) != WIRE_NO_SEAT)
        run_offer(table, what);
    else
        table_say(table, "There is nothing to confirm, and nothing that others offer.");
}

/* ---- moves that are typed */

static enum game_input read_move(struct table *table, const char *line, struct game_move *move)
{
    struct game_room room = table_game_room(table);
    return table->game->move_read(move, line, table->view, &room);
}

static void on_checked(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    char text[512] = "That would be allowed.";
    (void)ok;
    if (error)
        refusal_text(text, sizeof text, error);
    table_say(table, "%s", text);
}

static void run_check(struct table *table, const char *text)
{
    struct game_move move;
    enum game_input outcome = read_move(table, text, &move);
    if (outcome != GAME_INPUT_MOVE) {
        table_say(table, "%s", outcome == GAME_INPUT_WRONG ? move.problem : "Check which move?");
        return;
    }
    table_request(table, request_make("check", table->room, "move", move.text), on_checked);
}

/* ---- the table */

static void run_help(struct table *table, const char *text);

/* clang-format off */
static const struct table_command rows[] = {
    {"bot", "[SEAT] [COLOUR] [LEVEL]", "the host seats a computer player", run_bot},
    {"check", "MOVE", "asks if a move is legal", run_check},
    {"follow", "", "goes to the room of the rematch", run_follow},
    {"help", "[COMMAND]", "this", run_help},
    {"hint", "", "the best turns, by the server's computer; all are told of it", run_hint},
    {"log", "", "what was said and done so far; Page Up shows it too", run_log},
    {"moves", "[FILTER]", "lists what you may do now; `moves more` goes on", run_moves},
    {"offer", "WHAT", "pause, resume or call_off: done when all agree; computer: plays for who is away; claim: who is away is out", run_offer},
    {"quit", "[yes]", "leaves the program; on a server the seat stays yours", run_quit},
    {"ready", "[no]", "you are ready to begin", run_ready},
    {"record", "[FILE]", "writes the record of the match to a new file", run_record},
    {"rematch", "", "a new match, seats rotated", run_rematch},
    {"report", "SEAT WHY [TEXT]", "tells those who look after the server who sits there, and what was said last; "
        "nobody is told who has reported. WHY is talk, name, cheating, stalling or other", run_report},
    {"resign", "yes", "gives the match up", run_resign},
    {"say", "TEXT", "a line to everybody in the room", run_say},
    {"show", "", "draws everything again", run_show},
    {"sit", "[SEAT] [COLOUR]", "changes seat or colour, before the start", run_sit},
    {"start", "", "begins the match, once all are ready", run_start},
    {"undo", "", "takes your last move back, while the game allows it", run_undo},
    {"unseat", "SEAT", "the host empties a seat", run_unseat},
    {"withdraw", "WHAT", "withdraws an offer", run_withdraw},
    {"yes", "", "confirms what was asked, or agrees to what is offered", run_yes},
};
/* clang-format on */

enum { ROWS = sizeof rows / sizeof rows[0] };

/* A command of the client or of the game's view, by name. */
struct found_command {
    const char *name, *operands, *help;
    const struct table_command *own; /* one of them is NULL */
    const struct game_view_command *views;
};

/* The same of a game in which nobody chooses a colour. */
static const struct {
    const char *name, *operands, *help;
} colourless[] = {
    {"bot", "[SEAT] [LEVEL]", "the host seats a computer player"},
    {"sit", "[SEAT]", "changes seat, before the start"},
};

static struct found_command found_own(const struct game *game, const struct table_command *row)
{
    struct found_command found = {row->name, row->operands, row->help, row, NULL};
    for (size_t i = 0; !game->colours && i < sizeof colourless / sizeof colourless[0]; i++) {
        if (strcmp(colourless[i].name, row->name) == 0) {
            found.operands = colourless[i].operands;
            found.help = colourless[i].help;
        }
    }
    return found;
}

static struct found_command found_views(const struct game_view_command *row)
{
    return (struct found_command){row->name, row->operands, row->help, NULL, row};
}

static bool is_nearer(const char *name, const char *after, const char *best)
{
    return strcmp(name, after) > 0 && (!best || strcmp(name, best) < 0);
}

/* The first command whose name is behind `after`; no name at the end. */
static struct found_command next_command(const struct game *game, const char *after)
{
    struct found_command best = {0};
    for (size_t i = 0; i < ROWS; i++) {
        if (is_nearer(rows[i].name, after, best.name))
            best = found_own(game, &rows[i]);
    }
    for (const struct game_view_command *row = game->view_commands; row->name; row++) {
        if (is_nearer(row->name, after, best.name))
            best = found_views(row);
    }
    return best;
}

const char *table_command_next(const struct table *table, const char *after)
{
    return next_command(table->game, after).name;
}

static bool find(const struct table *table, const char *word, size_t len,
                 struct found_command *found)
{
    for (const char *at = "";; at = found->name) {
        *found = next_command(table->game, at);
        if (!found->name)
            return false;
        if (strlen(found->name) == len && memcmp(found->name, word, len) == 0)
            return true;
    }
}

enum { HELP_COLUMNS = 52 };

/* All of them with what they take, one after the other, so that a small picture has room. */
static void print_commands(const struct game *game, FILE *out)
{
    int column = 0;
    struct found_command found = next_command(game, "");
    while (found.name) {
        const struct found_command next = next_command(game, found.name);
        char text[64];
        const int len = snprintf(text, sizeof text, "%s%s%s%s", found.name,
                                 *found.operands ? " " : "", found.operands, next.name ? "," : "");
        const bool fits = column > 0 && column + 1 + len <= HELP_COLUMNS;
        fprintf(out, "%s%s", fits ? " " : column > 0 ? "\n" : "", text);
        column = fits ? column + 1 + len : len;
        found = next;
    }
    fputc('\n', out);
}

/* What `help` explains by a name. */
static void print_pages(const struct game *game, FILE *out)
{
    int column = fprintf(out, "`help NAME` explains a command");
    for (const struct game_page *page = game->pages; page && page->name; page++) {
        const bool fits = column + 3 + (int)strlen(page->name) <= HELP_COLUMNS;
        const int len = fprintf(out, fits ? ", %s" : ",\n%s", page->name);
        column = fits ? column + len : len - 2;
    }
    fputs(".\n", out);
}

static void print_help(const struct game *game, FILE *out)
{
    fputs(game->input_help, out);
    if (game->chooser)
        fputs(game->chooser->help, out);
    fputs("Tab completes; Shift, Alt or Control with an arrow\n"
          "moves the picture. Enter comes back from here.\n",
          out);
    print_pages(game, out);
    print_commands(game, out);
}

static void run_help(struct table *table, const char *text)
{
    struct found_command found;
    const struct game_page *of_game = game_find_page(table->game, text);
    char *page = NULL;
    size_t len;
    if (of_game) {
        table_show_page(table, of_game->text);
        return;
    }
    if (find(table, text, strlen(text), &found)) {
        table_say(table, "%s%s%s: %s.", found.name, *found.operands ? " " : "", found.operands,
                  found.help);
        return;
    }
    if (*text) {
        table_say(table, "There is no help on '%s'; `help` alone lists what there is.", text);
        return;
    }
    FILE *out = open_memstream(&page, &len);
    if (!out)
        return;
    print_help(table->game, out);
    if (fclose(out) == 0)
        table_show_page(table, page);
    free(page);
}

/* Where players have secrets all are asked, also those who can do one thing alone. */
static const char *only_move(const struct table *table)
{
    const json_t *moves = json_object_get(table_legal(table), "moves");
    const bool is_one = table->game->has_secrets && json_array_size(moves) == 1;
    return is_one ? json_string_value(json_array_get(moves, 0)) : NULL;
}

/* An empty line plays only what decides nothing; else it tells who expected more of Enter. */
static void run_empty_line(struct table *table)
{
    const char *move = *table->room && table_may_choose(table) ? only_move(table) : NULL;
    if (move)
        table_move(table, move, false);
    else if (*table->room && table_may_choose(table))
        table_say(table, "Arrows choose a move, or type it: `moves` lists what may be typed.");
}

static void run_line(struct table *table, const char *line)
{
    struct game_move move;
    line += strspn(line, " \t");
    size_t len = strcspn(line, " \t");
    table_close_page(table);
    struct found_command found;
    if (len == 0)
        run_empty_line(table);
    if (len == 0 || (!*table->room && (len != 4 || memcmp(line, "quit", 4) != 0)))
        return; /* before there is a table, one can only go */
    if (find(table, line, len, &found)) {
        const char *text = line + len + strspn(line + len, " \t");
        if (found.own)
            found.own->run(table, text);
        else
            run_view_command(table, found.views, text);
        return;
    }
    switch (read_move(table, line, &move)) {
    case GAME_INPUT_MOVE:
        table_move(table, move.text, move.confirm);
        return;
    case GAME_INPUT_WRONG:
        table_say(table, "%s", move.problem);
        return;
    case GAME_INPUT_UNKNOWN:
        table_say(table, "I do not know '%.*s'; `help` lists what can be typed.", (int)len, line);
        return;
    }
}

void table_line(struct table *table, const char *line)
{
    char converted[2 * INPUT_LINE_MAX];
    const char *text = encoding_read(converted, sizeof converted, line);
    if (text)
        run_line(table, text);
    else
        table_say(table, "This line is not UTF-8, nor text of the locale's encoding, %s.",
                  encoding_of_locale());
}
