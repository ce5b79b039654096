/*
 * What can be typed at the table: moves, and the commands of one sorted table.
 */
#include "move_input.h"
#include "play_table.h"
#include "table.h"
#include <cli/file.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct table_command {
    const char *name, *operands, *help;
    void (*run)(struct table *table, const char *text); /* what stands behind the name, trimmed */
};

/* --- asking the server --- */

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
        seat_ready(table->online, table->room, NULL);
        return;
    }
    json_t *request = request_make("ready", table->room, NULL, NULL);
    json_object_set_new(request, "ready", json_false());
    table_ask(table, request);
}

/* "A" or "0" is a seat; -1 if it is none. */
static int read_seat(const char *word, size_t len)
{
    if (len != 1)
        return -1;
    if (*word >= '0' && *word <= '4')
        return *word - '0';
    return *word >= 'A' && *word <= 'E'   ? *word - 'A'
           : *word >= 'a' && *word <= 'e' ? *word - 'a'
                                          : -1;
}

/* "[SEAT] [COLOUR]" */
static void run_seating(struct table *table, const char *op, const char *text)
{
    json_t *request = request_make(op, table->room, NULL, NULL);
    while (*text) {
        size_t len = strcspn(text, " ");
        int seat = read_seat(text, len);
        if (seat >= 0)
            json_object_set_new(request, "seat", json_integer(seat));
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
    if (read_seat(text, strlen(text)) < 0)
        table_say(table, "Whom? `unseat B` empties seat B.");
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
        table_say(table, "What? `offer pause`, `offer resume` or `offer call_off`.");
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

/* --- going on --- */

static void on_followed(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    char text[512];
    (void)ok;
    if (error) {
        refusal_text(text, sizeof(text), error);
        table_say(table, "%s", text);
    }
}

static void run_follow(struct table *table, const char *text)
{
    const char *to = state_text(table_state(table), "rematch");
    const struct wire_room *room = table_room(table);
    (void)text;
    if (!room || strlen(to) != PROTOCOL_ROOM_BYTES) {
        table_say(table, "There is no rematch; `rematch` asks for one.");
        return;
    }
    bool watch = room->seat == WIRE_NO_SEAT;
    char next[PROTOCOL_ROOM_BYTES + 1];
    memcpy(next, to, sizeof(next));
    table_ask(table, request_make("leave", table->room, NULL, NULL));
    memcpy(table->room, next, sizeof(table->room));
    wire_client_request(table->online->client,
                        request_make(watch ? "watch" : "join", next, NULL, NULL), on_followed,
                        table);
}

static void run_rematch(struct table *table, const char *text)
{
    (void)text;
    if (*state_text(table_state(table), "rematch"))
        run_follow(table, "");
    else
        run_seatless(table, "rematch");
}

static void on_record(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    char path[64], text[512];
    const char *record = json_string_value(json_object_get(ok, "record"));
    if (!record) {
        refusal_text(text, sizeof(text), error);
        table_say(table, "%s", text);
        return;
    }
    snprintf(path, sizeof(path), "%s.taluva", table->room);
    if (file_replace(path, record, strlen(record), false))
        table_say(table, "The record is in %s; `taluva verify %s` proves it after the end.", path,
                  path);
    else
        table_say(table, "%s: %s", path, strerror(errno));
}

static void run_record(struct table *table, const char *text)
{
    (void)text;
    wire_client_request(table->online->client, request_make("record", table->room, NULL, NULL),
                        on_record, table);
}

static void run_quit(struct table *table, const char *text)
{
    (void)text;
    online_stop(table->online, EXIT_OK);
}

/* --- looking --- */

static void run_show(struct table *table, const char *text)
{
    (void)text;
    table->panned = false;
    table_paint(table);
    if (!table->screen.has_picture)
        table_print(table);
}

static void run_centre(struct table *table, const char *text)
{
    struct map_at at;
    const char *end = map_at_parse(text, &at);
    if (*text && (!end || *end)) {
        table_say(table, "`centre 2,-1` shows that hex, `centre` follows the play again.");
        return;
    }
    if (*text)
        table->focus = at;
    run_show(table, "");
}

static void run_small(struct table *table, const char *text)
{
    (void)text;
    table->window.small = !table->window.small;
    table->window.placed = false;
    run_show(table, "");
}

static void run_coordinates(struct table *table, const char *text)
{
    (void)text;
    table->window.coordinates = !table->window.coordinates;
    run_show(table, "");
}

static void run_turn(struct table *table, const char *text)
{
    text += *text == ':';
    if (*text >= '0' && *text <= '5' && text[1] == '\0')
        table->rotation = *text - '0';
    else if (*text == '\0')
        table->rotation = (table->rotation + 1) % 6;
    else
        table_say(table, "A tile is turned in directions 0 (east, then clockwise) to 5.");
    table_paint(table);
}

/* --- legal moves --- */

static bool is_eliminating(const json_t *legal, const char *move)
{
    size_t i;
    json_t *value;
    json_array_foreach(json_object_get(legal, "eliminating"), i, value)
    {
        if (strcmp(json_string_value(value), move) == 0)
            return true;
    }
    return false;
}

/* As it is typed, marked if it would put its player out. False if the filter is not in it. */
static bool write_legal(const struct table *table, const json_t *legal, const char *move,
                        char *text, size_t size)
{
    const char *tile = state_text(table_state(table), "table.turn.tile");
    typed_write(text, size, move, tile);
    size_t len = strlen(text);
    if (!strstr(text, table->filter))
        return false;
    if (is_eliminating(legal, move) && len + 4 < size)
        memcpy(text + len, " (!)", 5);
    return true;
}

/* A page of moves from the `listed`-th on, in columns; how many are left. */
static size_t print_page(struct table *table, const json_t *legal, FILE *out)
{
    enum { COLUMN = 17 };
    size_t across = (size_t)(table_page_columns(table) / COLUMN);
    size_t room = across * (size_t)(table_page_rows(table) - 4), seen = 0, shown = 0, i;
    json_t *value;
    json_array_foreach(json_object_get(legal, "moves"), i, value)
    {
        char text[64];
        if (!write_legal(table, legal, json_string_value(value), text, sizeof(text)))
            continue;
        if (seen++ < table->listed || shown == room)
            continue;
        fprintf(out, "%-*s%s", COLUMN, text, ++shown % across == 0 ? "\n" : "");
    }
    fputs(shown % across ? "\n" : "", out);
    table->listed += shown;
    if (shown == 0)
        fputs("None.\n", out);
    return seen - table->listed;
}

static void show_page(struct table *table, const json_t *legal)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out)
        return;
    size_t left = print_page(table, legal, out);
    if (left > 0)
        fprintf(out, "\n%zu more: `moves more`; only some: `moves :4`\n", left);
    if (fclose(out) == 0)
        table_show_page(table, text);
    free(text);
}

static void run_moves(struct table *table, const char *text)
{
    const json_t *legal = table_legal(table);
    if (!legal) {
        table_say(table,
                  table_is_ours(table) ? "Not known yet, try again." : "It is not your move.");
        return;
    }
    if (strcmp(text, "more") != 0) {
        snprintf(table->filter, sizeof(table->filter), "%s", text);
        table->listed = 0;
    }
    show_page(table, legal);
}

static void run_yes(struct table *table, const char *text)
{
    char move[sizeof(table->to_confirm)];
    (void)text;
    memcpy(move, table->to_confirm, sizeof(move));
    if (*move)
        table_move(table, move, true);
    else
        table_say(table, "There is nothing to confirm.");
}

/* --- moves that are typed --- */

static enum move_input_outcome read_move(struct table *table, const char *line, struct typed *typed)
{
    struct map map;
    const json_t *state = table_state(table);
    if (!table_map(&map, state, false, NULL))
        return MOVE_INPUT_UNKNOWN;
    struct typed_at at = {&map, state_text(state, "table.turn.tile"), table->rotation};
    enum move_input_outcome outcome = typed_read(typed, line, &at);
    map_release(&map);
    return outcome;
}

static void on_checked(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    char text[512] = "That would be allowed.";
    (void)ok;
    if (error)
        refusal_text(text, sizeof(text), error);
    table_say(table, "%s", text);
}

static void run_check(struct table *table, const char *text)
{
    struct typed typed;
    enum move_input_outcome outcome = read_move(table, text, &typed);
    if (outcome != MOVE_INPUT_OK) {
        table_say(table, "%s", outcome == MOVE_INPUT_WRONG ? typed.problem : "Check which move?");
        return;
    }
    wire_client_request(table->online->client,
                        request_make("check", table->room, "move", typed.move), on_checked, table);
}

/* --- the table --- */

static void run_help(struct table *table, const char *text);

/* clang-format off */
static const struct table_command rows[] = {
    {"bot", "[SEAT] [COLOUR]", "the host seats a computer player", run_bot},
    {"centre", "[Q,R]", "shows that part of the island; alone: follows the play again", run_centre},
    {"check", "MOVE", "would it be allowed?", run_check},
    {"coordinates", "", "writes them on the land too, or no longer", run_coordinates},
    {"follow", "", "goes to the room of the rematch", run_follow},
    {"help", "[COMMAND]", "this", run_help},
    {"moves", "[FILTER]", "lists what you may do now; `moves more` goes on", run_moves},
    {"offer", "WHAT", "pause, resume or call_off: done when all agree", run_offer},
    {"quit", "", "leaves the program; the seat stays yours", run_quit},
    {"ready", "[no]", "you are ready to begin", run_ready},
    {"record", "", "writes the record of the match to a file", run_record},
    {"rematch", "", "the same again, seats rotated", run_rematch},
    {"resign", "yes", "gives the match up", run_resign},
    {"say", "TEXT", "a line to everybody in the room", run_say},
    {"show", "", "draws everything again", run_show},
    {"sit", "[SEAT] [COLOUR]", "changes seat or colour, before the start", run_sit},
    {"small", "", "small hexes, or large ones again", run_small},
    {"start", "", "begins the match, once all are ready", run_start},
    {"turn", "[K]", "turns the tile in the picture", run_turn},
    {"undo", "", "takes the tile back, before you build", run_undo},
    {"unseat", "SEAT", "the host empties a seat", run_unseat},
    {"withdraw", "WHAT", "takes an offer back", run_withdraw},
    {"yes", "", "confirms a tile that puts you out", run_yes},
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

const char *table_command_name(size_t i)
{
    return i < ROWS ? rows[i].name : NULL;
}

static const struct table_command *find(const char *word, size_t len)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strlen(rows[i].name) == len && memcmp(rows[i].name, word, len) == 0)
            return &rows[i];
    }
    return NULL;
}

static void print_help(FILE *out)
{
    fputs("Place: 2,-1:4   Draw: draw   Take: 2VL 2,-1:4\n"
          "Build: hut 1,0  tower 1,0  temple 1,0  boat 3,-1\n"
          "       expand 0,1 L\n"
          "Tab completes; Shift, Alt or Control with an arrow\n"
          "moves the picture. Enter comes back from here.\n\n",
          out);
    size_t half = (ROWS + 1) / 2;
    for (size_t i = 0; i < half; i++) {
        fprintf(out, "%-11s %-14s", rows[i].name, rows[i].operands);
        if (i + half < ROWS)
            fprintf(out, "  %-9s %s", rows[i + half].name, rows[i + half].operands);
        fputc('\n', out);
    }
    fputs("\n`help moves` tells more of one.\n", out);
}

static void run_help(struct table *table, const char *text)
{
    const struct table_command *row = find(text, strlen(text));
    char *page = NULL;
    size_t len;
    if (row) {
        table_say(table, "%s%s%s: %s.", row->name, *row->operands ? " " : "", row->operands,
                  row->help);
        return;
    }
    FILE *out = open_memstream(&page, &len);
    if (!out)
        return;
    print_help(out);
    if (fclose(out) == 0)
        table_show_page(table, page);
    free(page);
}

void table_line(struct table *table, const char *line)
{
    struct typed typed;
    line += strspn(line, " \t");
    size_t len = strcspn(line, " \t");
    table_close_page(table);
    if (len == 0 || !*table->room)
        return;
    const struct table_command *row = find(line, len);
    if (row) {
        row->run(table, line + len + strspn(line + len, " \t"));
        return;
    }
    switch (read_move(table, line, &typed)) {
    case MOVE_INPUT_OK:
        table_move(table, typed.move, typed.confirm);
        return;
    case MOVE_INPUT_WRONG:
        table_say(table, "%s", typed.problem);
        return;
    case MOVE_INPUT_UNKNOWN:
        table_say(table, "I do not know '%.*s'; `help` tells what can be typed.", (int)len, line);
        return;
    }
}
