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
    bool begun;   /* the last turn was not finished */
};

/* ---- options and deal */

static const char *option_text(const struct reading *reading, const char *name)
{
    return replay_option(reading->record, name);
}

static const char *dealt_text(const struct reading *reading, const char *name)
{
    const char *value = record_find(reading->record->deal, reading->record->deal_count, name);
    return value ? value : "";
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
    int count = read_tiles(dealt_text(reading, "two_hex"), tiles, TALUVA_TWO_HEX_MAX);
    for (int i = 0; i < count; i++) {
        if (!taluva_tile_is_two_hex(tiles[i]))
            return false;
        unsigned bit = 1U << (tiles[i] - TALUVA_TILE_TWO_HEX);
        if (reading->options.two_hex >= bit)
            return false; /* they stand in their order */
        reading->options.two_hex = (uint8_t)(reading->options.two_hex | bit);
    }
    return count >= 0 && (count > 0) == reading->drawn.draw_two_hex;
}

static bool read_deck(struct reading *reading)
{
    int count = read_tiles(dealt_text(reading, "deck"), reading->deck, TALUVA_TILES_MAX);
    for (int i = 0; i < count; i++) {
        if (taluva_tile_is_two_hex(reading->deck[i]))
            return false;
    }
    reading->deck_count = count > 0 ? (size_t)count : 0;
    return count > 0;
}

static bool read_flags(struct reading *reading)
{
    struct taluva_options *options = &reading->options;
    struct replay *replay = reading->replay;
    const struct record *record = reading->record;
    return replay_option_flag(replay, record, "teams", &options->teams) &&
           replay_option_flag(replay, record, "ranking", &options->ranking) &&
           replay_option_flag(replay, record, "boats", &options->boats) &&
           replay_option_flag(replay, record, "two_hex", &reading->drawn.draw_two_hex);
}

/* Who begins: drawn, or as the options say. */
static bool read_first(struct reading *reading)
{
    const char *asked = option_text(reading, "first");
    int first = replay_number(dealt_text(reading, "first"));
    reading->drawn.draw_first = strcmp(asked, "drawn") == 0;
    reading->options.first = (uint8_t)first;
    return first >= 0 && (reading->drawn.draw_first || replay_number(asked) == first);
}

static bool read_words(struct reading *reading)
{
    enum taluva_zone zone;
    int players = replay_number(option_text(reading, "players")),
        tiles = replay_number(option_text(reading, "tiles"));
    const char *huts = option_text(reading, "huts");
    reading->options.huts_anywhere = strcmp(huts, "anywhere") == 0;
    if (players < 0 || tiles < 0 || !taluva_zone_find(option_text(reading, "zone"), &zone) ||
        (!reading->options.huts_anywhere && strcmp(huts, "isolated") != 0))
        return false;
    reading->options.seats = (uint8_t)players;
    reading->options.tiles = (uint8_t)tiles;
    reading->options.zone = (uint8_t)zone;
    return true;
}

/* A preset that does not allow the other options is called custom. */
static bool check_preset(struct reading *reading)
{
    const struct taluva_options *options = &reading->options;
    const char *name = option_text(reading, "preset");
    const struct taluva_preset *preset = taluva_preset_find(name);
    if (strcmp(name, "custom") == 0 ||
        (preset &&
         taluva_preset_allows(preset, options->seats, options->tiles, options->huts_anywhere)))
        return true;
    replay_differs(reading->replay, "the preset %s does not allow these options", name);
    return false;
}

static bool read_options(struct reading *reading)
{
    static const char *const names[] = {"preset",  "players", "tiles",   "huts", "first", "teams",
                                        "ranking", "boats",   "two_hex", "zone", NULL};
    if (!replay_option_names(reading->replay, reading->record, names) || !read_flags(reading))
        return false;
    if (read_words(reading) && read_first(reading) && read_two_hex(reading) && read_deck(reading))
        return check_preset(reading);
    replay_differs(reading->replay, "the options or the deal cannot be read");
    return false;
}

static bool read_game(struct reading *reading)
{
    struct replay *replay = reading->replay;
    if (!read_options(reading))
        return false;
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

static bool must_be_ok(struct reading *reading, enum taluva_status status, const char *word,
                       size_t len)
{
    if (status != TALUVA_OK)
        replay_differs(reading->replay, "%.*s: %s", (int)len, word, taluva_status_text(status));
    return status == TALUVA_OK;
}

static bool draw_tile(struct reading *reading)
{
    if (reading->dealt >= reading->deck_count)
        return must_be_ok(reading, TALUVA_STACK_EMPTY, "draw", 4);
    taluva_tile tile = reading->deck[reading->dealt];
    enum taluva_status status = taluva_draw(&reading->game, reading->game.seat, tile, NULL);
    reading->dealt += status == TALUVA_OK;
    return must_be_ok(reading, status, "draw", 4);
}

/* Where there is nothing to choose, the tile is drawn as the turn begins. */
static bool draw_if_forced(struct reading *reading)
{
    const struct taluva *game = &reading->game;
    if (game->step != TALUVA_STEP_DRAW || taluva_may_take(game) != TALUVA_TAKE_DRAW)
        return true;
    return draw_tile(reading);
}

static bool play_place(struct reading *reading, const struct taluva_placement *placement,
                       const char *word, size_t len)
{
    if (reading->game.step == TALUVA_STEP_DRAW && !taluva_tile_is_two_hex(placement->tile) &&
        !draw_tile(reading))
        return false;
    return must_be_ok(reading,
                      taluva_place(&reading->game, reading->game.seat, placement, true, NULL), word,
                      len);
}

/* A draw stands alone, and only where a 2-Hex tile might have been taken instead. */
static bool play_draw(struct reading *reading, const char *word)
{
    if (reading->drawn.draw_two_hex && word[4] == '\0')
        return reading->game.step == TALUVA_STEP_PLACE || draw_tile(reading);
    replay_differs(reading->replay, "a draw is not written in this turn");
    return false;
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
        return play_draw(reading, word);
    if (taluva_placement_parse(word, len, &placement, NULL))
        return play_place(reading, &placement, word, len);
    if (taluva_build_parse(word, len, &build, NULL))
        return must_be_ok(reading, taluva_build(&reading->game, seat, &build, NULL), word, len);
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

static bool play_words(struct reading *reading, const struct record_line *line)
{
    bool none = false;
    for (const char *word = line->text; *word;) {
        size_t len = strcspn(word, " ");
        if (none) {
            replay_differs(reading->replay, "%.*s behind none", (int)len, word);
            return false;
        }
        none = len == 4 && memcmp(word, "none", 4) == 0 && word > line->text;
        if (!none && !play_word(reading, line->seat, word, len))
            return false;
        word += len + (word[len] == ' ');
    }
    return check_none(reading, line->seat, none);
}

static bool play_turn(struct reading *reading, const struct record_line *line)
{
    reading->replay->turns++;
    if (line->seat >= reading->options.seats) {
        replay_differs(reading->replay, "there is no seat %d", line->seat);
        return false;
    }
    if (reading->begun) {
        replay_differs(reading->replay, "the turn before it was not finished");
        return false;
    }
    const struct taluva before = reading->game;
    if (!play_words(reading, line))
        return false;
    reading->begun = reading->game.end == TALUVA_END_NONE && reading->game.seat == line->seat;
    taluva_replay_picture(reading->replay, reading->record, line, &before, &reading->game);
    return true;
}

static bool play_aside(struct reading *reading, const struct record_line *line)
{
    if (!replay_leaves(line))
        return true; /* pauses and stand-ins leave the island alone */
    reading->begun &= reading->game.seat != line->seat;
    if (line->seat >= reading->options.seats) {
        replay_differs(reading->replay, "%s: there is no such seat", line->text);
        return false;
    }
    if (!must_be_ok(reading, taluva_forfeit(&reading->game, line->seat, NULL), line->text,
                    strlen(line->text)))
        return false;
    taluva_replay_picture(reading->replay, reading->record, line, NULL, &reading->game);
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

static void compare_totals(struct reading *reading, const struct taluva_outcome *outcome)
{
    static const char *const names[] = {"totals_0", "totals_1"};
    for (size_t team = 0; team < 2; team++) {
        const uint8_t *totals = outcome->totals[team];
        char text[32];
        snprintf(text, sizeof text, "%u %u %u %u", totals[TALUVA_TEMPLE], totals[TALUVA_TOWER],
                 totals[TALUVA_BOAT], totals[TALUVA_HUT]);
        replay_compare_word(reading->replay, reading->record, names[team], text);
    }
}

static void compare_no_totals(struct reading *reading)
{
    replay_compare_none(reading->replay, reading->record, "totals_0");
    replay_compare_none(reading->replay, reading->record, "totals_1");
}

static void compare_result(struct reading *reading)
{
    struct taluva_outcome outcome;
    enum taluva_end end = (enum taluva_end)reading->game.end;
    reading->replay->turn = 0;
    bool compare = replay_compare_end(reading->replay, reading->record,
                                      end == TALUVA_END_NONE ? NULL : taluva_end_name(end));
    if (!compare || !reading->options.teams)
        compare_no_totals(reading);
    if (!compare)
        return;
    taluva_outcome(&reading->game, &outcome);
    if (reading->options.teams)
        compare_totals(reading, &outcome);
    replay_compare_sets(reading->replay, reading->record, outcome.winners, outcome.ranks,
                        outcome.n_ranks);
}

/* ---- the proof */

static uint32_t draw_uniform(void *stream, uint32_t n)
{
    return deal_stream_below(stream, n);
}

/* A tile or two that were changed; with another nonce nearly all of them would be others. */
static void compare_decks(struct reading *reading, const taluva_tile dealt[TALUVA_TILES_MAX])
{
    size_t others = 0, first = 0;
    for (size_t i = reading->deck_count; i-- > 0;) {
        if (dealt[i] == reading->deck[i])
            continue;
        others++;
        first = i;
    }
    char is[TALUVA_TILE_TEXT], was[TALUVA_TILE_TEXT];
    taluva_tile_format(reading->deck[first], is);
    taluva_tile_format(dealt[first], was);
    if (2 * others >= reading->deck_count)
        replay_differs(reading->replay,
                       "this is not the stack that was dealt: a nonce is not what the seat gave, "
                       "or the whole deal was changed");
    else if (others > 0)
        replay_differs(reading->replay,
                       "this is not the stack that was dealt: tile %zu is %s and was %s", first + 1,
                       is, was);
}

static void prove_deal(struct reading *reading, struct deal_stream *stream)
{
    struct taluva_options options = reading->options;
    taluva_tile deck[TALUVA_TILES_MAX];
    enum taluva_status status = taluva_deal(&options, reading->drawn, draw_uniform, stream, deck);
    if (status != TALUVA_OK) {
        replay_differs(reading->replay, "deal: %s", taluva_status_text(status));
        return;
    }
    if (options.first != reading->options.first)
        replay_differs(reading->replay, "seat %d should have begun", options.first);
    if (options.two_hex != reading->options.two_hex)
        replay_differs(reading->replay, "these are not the 2-Hex tiles that were dealt");
    compare_decks(reading, deck);
}

void taluva_replay_record(struct replay *replay, const struct record *record,
                          struct deal_stream *stream)
{
    struct reading reading = {.replay = replay, .record = record};
    if (!read_game(&reading))
        return;
    replay_check_seats(replay, record, reading.options.seats);
    if (stream)
        prove_deal(&reading, stream);
    taluva_replay_picture(replay, record, NULL, NULL, &reading.game);
    if (!play_lines(&reading))
        return;
    compare_result(&reading);
    taluva_replay_position(replay, &reading.game);
}
