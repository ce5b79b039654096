/*
 * The words that Totem writes into the text record of a match (§7.3): options, the first family, a
 * command a turn, and the result. Births are not written; they follow from the secret.
 */
#include "replay_parts.h"
#include <protocol/encoding.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct replay *replay;
    const struct record *record;
    struct totem game;
    uint8_t key[DEAL_KEY_BYTES];
};

static const char *option(const struct reading *reading, const char *name)
{
    const char *value = record_find(reading->record->options, reading->record->option_count, name);
    return value ? value : "";
}

/* A number alone in its text; 0 if it is none. */
static unsigned read_number(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    return number > 0 && number < 256 && *end == '\0' ? (unsigned)number : 0;
}

static bool is_yes(const struct reading *reading, const char *name)
{
    return strcmp(option(reading, name), "yes") == 0;
}

static bool read_options(const struct reading *reading, struct totem_options *options)
{
    const struct record *record = reading->record;
    const char *first = record_find(record->deal, record->deal_count, "first");
    *options = (struct totem_options){
        .players = (uint8_t)read_number(option(reading, "players")),
        .rounds = (uint8_t)read_number(option(reading, "rounds")),
        .village = is_yes(reading, "village"),
        .totem_a = is_yes(reading, "totem_a"),
        .totem_b = is_yes(reading, "totem_b"),
    };
    return totem_option_spells(option(reading, "spells"), &options->spells) &&
           totem_option_meals(option(reading, "meals"), &options->meals) &&
           totem_option_family(first ? first : "", &options->first) &&
           totem_check_options(options) == TOTEM_OK;
}

/* The key is needed for the births even if nothing is to be proved. */
static bool read_key(struct reading *reading)
{
    const char *nonces[PROTOCOL_SEATS], *hex = reading->record->secret;
    uint8_t secret[DEAL_SECRET_BYTES];
    if (!hex || !hex_decode(secret, sizeof secret, hex, strlen(hex)))
        return false;
    for (size_t seat = 0; seat < reading->record->seat_count; seat++)
        nonces[seat] = reading->record->seats[seat].nonce;
    deal_key(reading->key, secret, nonces, reading->record->seat_count);
    return true;
}

static void prove_first(struct reading *reading, const struct totem_options *options)
{
    if (strcmp(option(reading, "first"), "drawn") == 0 &&
        totem_first_draw(options, reading->key) != options->first)
        replay_differs(reading->replay, "%c should have been the first family",
                       totem_family_letters[totem_first_draw(options, reading->key)]);
}

/* ---- turns */

static bool must(struct reading *reading, enum totem_status status, const char *text)
{
    if (status != TOTEM_OK)
        replay_differs(reading->replay, "%s: %s", text, totem_status_text(status));
    return status == TOTEM_OK;
}

static bool play_turn(struct reading *reading, const struct record_line *line,
                      const struct totem_births *births)
{
    struct totem_command command;
    struct totem_played played = {.line = line, .command = &command};
    reading->replay->turn = line->number;
    reading->replay->turns++;
    if (!totem_command_parse(line->text, strlen(line->text), &command))
        return must(reading, TOTEM_BAD_COMMAND, line->text);
    if (!must(reading, totem_play(&reading->game, line->seat, &command, births, &played.effects),
              line->text))
        return false;
    totem_replay_picture(reading->replay, reading->record, &played, &reading->game);
    return true;
}

static bool play_forfeit(struct reading *reading, const struct record_line *line,
                         const struct totem_births *births)
{
    struct totem_played played = {.line = line};
    if (!must(reading, totem_forfeit(&reading->game, line->seat, births, &played.effects),
              line->text))
        return false;
    totem_replay_picture(reading->replay, reading->record, &played, &reading->game);
    return true;
}

static bool play_line(struct reading *reading, const struct record_line *line)
{
    struct totem_births births;
    totem_births_draw(&births, reading->key, reading->game.round);
    if (line->number)
        return play_turn(reading, line, &births);
    if (strcmp(line->text, "resigned") != 0 && strcmp(line->text, "timed_out") != 0)
        return true; /* pauses and stand-ins leave the village alone */
    return play_forfeit(reading, line, &births);
}

/* ---- the result */

static size_t add_seats(char *text, size_t len, size_t size, unsigned set, char separator)
{
    for (unsigned seat = 0; seat < TOTEM_SEATS_MAX; seat++) {
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

static void compare_result(struct reading *reading)
{
    const struct record *record = reading->record;
    const char *why = record_find(record->result, record->result_count, "why");
    struct totem_outcome outcome;
    char winners[32] = "", ranks[64] = "";
    size_t len = 0;
    reading->replay->turn = 0;
    if (record->result_count == 0 ||
        (why && (strcmp(why, "called-off") == 0 || strcmp(why, "abandoned") == 0)))
        return; /* the room's decision, not the rules' */
    totem_outcome(&reading->game, &outcome);
    compare_word(reading, "why", totem_end_name((enum totem_end)outcome.end));
    add_seats(winners, 0, sizeof winners, outcome.winners, ' ');
    compare_word(reading, "winners", winners);
    for (size_t i = 0; i < outcome.n_ranks; i++) {
        if (i > 0)
            len += (size_t)snprintf(ranks + len, sizeof ranks - len, " ");
        len = add_seats(ranks, len, sizeof ranks, outcome.ranks[i], ',');
    }
    compare_word(reading, "ranks", ranks);
}

void totem_replay_record(struct replay *replay, const struct record *record,
                         struct deal_stream *stream)
{
    struct reading reading = {.replay = replay, .record = record};
    struct totem_options options;
    if (!read_options(&reading, &options) || !read_key(&reading)) {
        replay_differs(replay, "the options or the deal cannot be read");
        return;
    }
    if (stream)
        prove_first(&reading, &options);
    totem_init(&reading.game, &options);
    totem_replay_picture(replay, record, NULL, &reading.game);
    for (size_t i = 0; i < record->line_count; i++) {
        if (!play_line(&reading, &record->lines[i]))
            return;
    }
    compare_result(&reading);
    totem_replay_position(replay, &reading.game);
}
