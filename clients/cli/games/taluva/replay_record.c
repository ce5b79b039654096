/*
 * The words that Taluva writes into the text record of a match (protocol/record.md): options, deal,
 * turns and result. To prove the deal it is repeated with the stream of random numbers that follows
 * from the secret and everybody's nonces.
 */
#include "parts.h"
#include "replay_parts.h"
#include <rules/box.h>
#include <rules/notation.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct replay *replay;
    const struct record *record;
    struct taluva_options options;
    struct taluva_deal drawn; /* what the stream decided besides the stack */
    taluva_tile deck[TALUVA_TILES_MAX];
    size_t deck_count;
    struct taluva game;
    size_t dealt; /* tiles that left the deck */
};

/* ---- options and deal */

static const char *option(const struct reading *reading, const char *name)
{
    const char *value = record_find(reading->record->options, reading->record->option_count, name);
    return value ? value : "";
}

static const char *dealt(const struct reading *reading, const char *name)
{
    const char *value = record_find(reading->record->deal, reading->record->deal_count, name);
    return value ? value : "";
}

static bool is_yes(const char *value)
{
    return strcmp(value, "yes") == 0;
}

/* A small number alone in its text; -1 if it is none. */
static int read_number(const char *text)
{
    char *end;
    long number = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
    return number >= 0 && number < 256 && *end == '\0' ? (int)number : -1;
}

/* Blank-separated tiles; how many, or -1. */
static int read_tiles(const char *text, taluva_tile *out, int max)
{
    int count = 0;
    while (*text) {
        size_t len = strcspn(text, " ");
        if (count == max || !taluva_tile_parse(text, len, &out[count++]))
            return -1;
        text += len;
        if (*text == ' ' && *++text == '\0')
            return -1;
    }
    return count;
}

static bool read_two_hex(struct reading *reading)
{
    taluva_tile tiles[TALUVA_TWO_HEX_MAX];
    int count = read_tiles(dealt(reading, "two_hex"), tiles, TALUVA_TWO_HEX_MAX);
    for (int i = 0; i < count; i++) {
        if (!taluva_tile_is_two_hex(tiles[i]))
            return false;
        unsigned bit = 1U << (tiles[i] - TALUVA_TILE_TWO_HEX);
        reading->options.two_hex = (uint8_t)(reading->options.two_hex | bit);
    }
    return count >= 0;
}

static bool read_deck(struct reading *reading)
{
    int count = read_tiles(dealt(reading, "deck"), reading->deck, TALUVA_TILES_MAX);
    for (int i = 0; i < count; i++) {
        if (taluva_tile_is_two_hex(reading->deck[i]))
            return false;
    }
    reading->deck_count = count > 0 ? (size_t)count : 0;
    return count > 0;
}

static bool read_options(struct reading *reading)
{
    enum taluva_zone zone;
    int players = read_number(option(reading, "players")),
        tiles = read_number(option(reading, "tiles"));
    int first = read_number(dealt(reading, "first"));
    if (players < 0 || tiles < 0 || first < 0 || !taluva_zone_find(option(reading, "zone"), &zone))
        return false;
    reading->drawn = (struct taluva_deal){
        .draw_first = strcmp(option(reading, "first"), "drawn") == 0,
        .draw_two_hex = is_yes(option(reading, "two_hex")),
    };
    reading->options = (struct taluva_options){
        .seats = (uint8_t)players,
        .first = (uint8_t)first,
        .tiles = (uint8_t)tiles,
        .zone = (uint8_t)zone,
        .huts_anywhere = strcmp(option(reading, "huts"), "anywhere") == 0,
        .teams = is_yes(option(reading, "teams")),
        .ranking = is_yes(option(reading, "ranking")),
        .boats = is_yes(option(reading, "boats")),
    };
    return read_two_hex(reading);
}

static bool read_game(struct reading *reading)
{
    struct replay *replay = reading->replay;
    if (!read_options(reading) || !read_deck(reading)) {
        replay_differs(replay, "the options or the deal cannot be read");
        return false;
    }
    enum taluva_status status = taluva_init(&reading->game, &reading->options);
    if (status == TALUVA_OK && reading->deck_count != reading->options.tiles)
        replay_differs(replay, "%zu tiles were dealt, not %d", reading->deck_count,
                       reading->options.tiles);
    if (status != TALUVA_OK)
        replay_differs(replay, "%s", taluva_status_text(status));
    return status == TALUVA_OK && reading->deck_count == reading->options.tiles;
}

bool taluva_read_deal(struct replay *replay, const struct record *record,
                      struct taluva_options *options, taluva_tile deck[TALUVA_TILES_MAX])
{
    struct reading reading = {.replay = replay, .record = record};
    if (!read_game(&reading))
        return false;
    *options = reading.options;
    memcpy(deck, reading.deck, sizeof reading.deck);
    return true;
}

/* ---- turns */

static bool must(struct reading *reading, enum taluva_status status, const char *word, size_t len)
{
    if (status != TALUVA_OK)
        replay_differs(reading->replay, "%.*s: %s", (int)len, word, taluva_status_text(status));
    return status == TALUVA_OK;
}

static bool draw(struct reading *reading)
{
    if (reading->dealt >= reading->deck_count)
        return must(reading, TALUVA_STACK_EMPTY, "draw", 4);
    taluva_tile tile = reading->deck[reading->dealt];
    enum taluva_status status = taluva_draw(&reading->game, reading->game.seat, tile, NULL);
    reading->dealt += status == TALUVA_OK;
    return must(reading, status, "draw", 4);
}

/* Where there is nothing to choose, the tile is drawn as the turn begins. */
static bool draw_if_forced(struct reading *reading)
{
    const struct taluva *game = &reading->game;
    if (game->step != TALUVA_STEP_DRAW || taluva_may_take(game) != TALUVA_TAKE_DRAW)
        return true;
    return draw(reading);
}

static bool play_place(struct reading *reading, const struct taluva_placement *placement,
                       const char *word, size_t len)
{
    if (reading->game.step == TALUVA_STEP_DRAW && !taluva_tile_is_two_hex(placement->tile) &&
        !draw(reading))
        return false;
    return must(reading, taluva_place(&reading->game, reading->game.seat, placement, true, NULL),
                word, len);
}

/* One word of a turn, but for `none`. `seat` is whose turn it is. */
static bool play_word(struct reading *reading, uint8_t seat, const char *word, size_t len)
{
    struct taluva_placement placement;
    struct taluva_build build;
    if (reading->game.seat != seat) {
        replay_differs(reading->replay, "%.*s: seat %d was not to move", (int)len, word, seat);
        return false;
    }
    if (len == 4 && memcmp(word, "draw", 4) == 0)
        return reading->game.step == TALUVA_STEP_PLACE || draw(reading);
    if (taluva_placement_parse(word, len, &placement, NULL))
        return play_place(reading, &placement, word, len);
    if (taluva_build_parse(word, len, &build, NULL))
        return must(reading, taluva_build(&reading->game, seat, &build, NULL), word, len);
    replay_differs(reading->replay, "%.*s is no move", (int)len, word);
    return false;
}

/* `none` is the last word of a turn whose placement eliminated its player, and of no other. */
static bool check_none(struct reading *reading, uint8_t seat, bool said)
{
    bool eliminated = reading->game.state[seat] == TALUVA_SEAT_ELIMINATED;
    if (said && !eliminated)
        replay_differs(reading->replay, "none, but seat %d could build", seat);
    else if (eliminated && !said)
        replay_differs(reading->replay, "the placement eliminates seat %d: none is missing", seat);
    return said == eliminated;
}

static bool play_turn(struct reading *reading, const struct record_line *line)
{
    bool none = false;
    reading->replay->turns++;
    if (line->seat >= reading->options.seats) {
        replay_differs(reading->replay, "there is no seat %d", line->seat);
        return false;
    }
    for (const char *word = line->text; *word;) {
        size_t len = strcspn(word, " ");
        if (none) {
            replay_differs(reading->replay, "%.*s behind none", (int)len, word);
            return false;
        }
        none = len == 4 && memcmp(word, "none", 4) == 0;
        if (!none && !play_word(reading, line->seat, word, len))
            return false;
        word += len + (word[len] == ' ');
    }
    if (!check_none(reading, line->seat, none))
        return false;
    taluva_replay_picture(reading->replay, reading->record, line, &reading->game);
    return true;
}

static bool play_aside(struct reading *reading, const struct record_line *line)
{
    if (strcmp(line->text, "resigned") != 0 && strcmp(line->text, "timed_out") != 0)
        return true; /* pauses and stand-ins leave the island alone */
    if (line->seat >= reading->options.seats) {
        replay_differs(reading->replay, "%s: there is no such seat", line->text);
        return false;
    }
    if (!must(reading, taluva_forfeit(&reading->game, line->seat, NULL), line->text,
              strlen(line->text)))
        return false;
    taluva_replay_picture(reading->replay, reading->record, line, &reading->game);
    return true;
}

static bool play_lines(struct reading *reading)
{
    for (size_t i = 0; i < reading->record->line_count; i++) {
        const struct record_line *line = &reading->record->lines[i];
        reading->replay->turn = line->number ? line->number : reading->replay->turn;
        if (!draw_if_forced(reading))
            return false;
        if (!(line->number ? play_turn(reading, line) : play_aside(reading, line)))
            return false;
    }
    return true;
}

/* ---- the result */

static size_t add_seats(char *text, size_t len, size_t size, unsigned set, char separator)
{
    for (unsigned seat = 0; seat < 8; seat++) {
        if ((set & 1U << seat) == 0)
            continue;
        const char between[2] = {len > 0 && text[len - 1] != ' ' ? separator : '\0', '\0'};
        len += (size_t)snprintf(text + len, size - len, "%s%u", between, seat);
    }
    return len;
}

static void compare_word(struct reading *reading, const char *name, const char *found)
{
    const char *stated = record_find(reading->record->result, reading->record->result_count, name);
    if (!stated || strcmp(stated, found) != 0)
        replay_differs(reading->replay, "result %s: %s, but the record says %s", name, found,
                       stated ? stated : "nothing");
}

static void compare_ranks(struct reading *reading, const struct taluva_outcome *outcome)
{
    char text[64] = "";
    size_t len = 0;
    for (size_t i = 0; i < outcome->n_ranks; i++) {
        if (i > 0)
            len += (size_t)snprintf(text + len, sizeof text - len, " ");
        len = add_seats(text, len, sizeof text, outcome->ranks[i], ',');
    }
    compare_word(reading, "ranks", text);
}

static void compare_result(struct reading *reading)
{
    struct taluva_outcome outcome;
    char winners[32] = "";
    const char *why = record_find(reading->record->result, reading->record->result_count, "why");
    reading->replay->turn = 0;
    if (reading->record->result_count == 0)
        return;
    if (why && (strcmp(why, "called-off") == 0 || strcmp(why, "abandoned") == 0))
        return; /* the room's decision, not the rules' */
    taluva_outcome(&reading->game, &outcome);
    compare_word(reading, "why", taluva_end_name((enum taluva_end)outcome.end));
    add_seats(winners, 0, sizeof winners, outcome.winners, ' ');
    compare_word(reading, "winners", winners);
    if (!reading->options.teams)
        compare_ranks(reading, &outcome);
}

/* ---- the proof */

static uint32_t uniform(void *stream, uint32_t n)
{
    return deal_stream_below(stream, n);
}

static void prove_deal(struct reading *reading, struct deal_stream *stream)
{
    struct taluva_options options = reading->options;
    taluva_tile deck[TALUVA_TILES_MAX];
    enum taluva_status status = taluva_deal(&options, reading->drawn, uniform, stream, deck);
    if (status != TALUVA_OK)
        replay_differs(reading->replay, "deal: %s", taluva_status_text(status));
    else if (options.first != reading->options.first)
        replay_differs(reading->replay, "seat %d should have begun", options.first);
    else if (options.two_hex != reading->options.two_hex)
        replay_differs(reading->replay, "these are not the 2-Hex tiles that were dealt");
    else if (memcmp(deck, reading->deck, reading->deck_count) != 0)
        replay_differs(reading->replay, "this is not the stack that was dealt");
}

void taluva_replay_record(struct replay *replay, const struct record *record,
                          struct deal_stream *stream)
{
    struct reading reading = {.replay = replay, .record = record};
    if (!read_game(&reading))
        return;
    if (stream)
        prove_deal(&reading, stream);
    taluva_replay_picture(replay, record, NULL, &reading.game);
    if (!play_lines(&reading))
        return;
    compare_result(&reading);
    taluva_replay_position(replay, &reading.game);
}
