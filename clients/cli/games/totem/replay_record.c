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

static const char *option_text(const struct reading *reading, const char *name)
{
    return replay_option(reading->record, name);
}

static bool read_flags(const struct reading *reading, struct totem_options *options)
{
    struct replay *replay = reading->replay;
    const struct record *record = reading->record;
    return replay_option_flag(replay, record, "village", &options->village) &&
           replay_option_flag(replay, record, "totem_a", &options->totem_a) &&
           replay_option_flag(replay, record, "totem_b", &options->totem_b);
}

static bool read_words(const struct reading *reading, struct totem_options *options)
{
    const struct record *record = reading->record;
    const char *asked = option_text(reading, "first"),
               *first = record_find(record->deal, record->deal_count, "first");
    int players = replay_number(option_text(reading, "players")),
        rounds = replay_number(option_text(reading, "rounds"));
    options->players = (uint8_t)players;
    options->rounds = (uint8_t)rounds;
    return players > 0 && rounds > 0 && first &&
           totem_option_spells(option_text(reading, "spells"), &options->spells) &&
           totem_option_meals(option_text(reading, "meals"), &options->meals) &&
           totem_option_family(first, &options->first) &&
           (strcmp(asked, "drawn") == 0 || strcmp(asked, first) == 0) &&
           totem_check_options(options) == TOTEM_OK;
}

static bool read_options(const struct reading *reading, struct totem_options *options)
{
    static const char *const names[] = {"players", "first",   "rounds",  "village", "spells",
                                        "meals",   "totem_a", "totem_b", NULL};
    *options = (struct totem_options){0};
    if (!replay_option_names(reading->replay, reading->record, names) ||
        !read_flags(reading, options))
        return false;
    if (read_words(reading, options))
        return true;
    replay_differs(reading->replay, "the options or the deal cannot be read");
    return false;
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
    if (strcmp(option_text(reading, "first"), "drawn") != 0)
        return;
    unsigned first = totem_first_draw(options, reading->key);
    if (first != options->first)
        replay_differs(reading->replay,
                       "%c should have been the first family: a nonce is not what the seat gave, "
                       "or Deal.first was changed",
                       totem_family_letters[first]);
}

/* ---- turns */

static bool must_be_ok(struct reading *reading, enum totem_status status, const char *text)
{
    if (status != TOTEM_OK)
        replay_differs(reading->replay, "%s: %s", text, totem_status_text(status));
    return status == TOTEM_OK;
}

/* Who is there to be settled was born, from the second round on: other nonces give other births. */
static void blame_nonces(struct reading *reading, enum totem_status status,
                         const struct totem_command *command)
{
    if (reading->replay->proof && reading->game.round > 1 && command->verb == TOTEM_VERB_SETTLE &&
        (status == TOTEM_UNKNOWN_PEOPLE || status == TOTEM_PEOPLE_LEFT))
        replay_differs(reading->replay,
                       "these are not the births of the secret and the nonces: a nonce is not what "
                       "the seat gave, or this command was changed");
}

static bool play_turn(struct reading *reading, const struct record_line *line,
                      const struct totem_births *births)
{
    struct totem_command command;
    struct totem_played played = {.line = line, .command = &command};
    reading->replay->turn = line->number;
    reading->replay->turns++;
    if (!totem_command_parse(line->text, strlen(line->text), &command))
        return must_be_ok(reading, TOTEM_BAD_COMMAND, line->text);
    enum totem_status status =
        totem_play(&reading->game, line->seat, &command, births, &played.effects);
    if (!must_be_ok(reading, status, line->text)) {
        blame_nonces(reading, status, &command);
        return false;
    }
    totem_replay_picture(reading->replay, reading->record, &played, &reading->game);
    return true;
}

static bool play_forfeit(struct reading *reading, const struct record_line *line,
                         const struct totem_births *births)
{
    struct totem_played played = {.line = line};
    if (!must_be_ok(reading, totem_forfeit(&reading->game, line->seat, births, &played.effects),
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
    if (!replay_leaves(line))
        return true; /* pauses and stand-ins leave the village alone */
    return play_forfeit(reading, line, &births);
}

/* ---- the result */

static void compare_result(struct reading *reading)
{
    struct totem_outcome outcome;
    enum totem_end end = (enum totem_end)reading->game.end;
    reading->replay->turn = 0;
    if (!replay_compare_end(reading->replay, reading->record,
                            end == TOTEM_END_NONE ? NULL : totem_end_name(end)))
        return;
    totem_outcome(&reading->game, &outcome);
    replay_compare_sets(reading->replay, reading->record, outcome.winners, outcome.ranks,
                        outcome.n_ranks);
}

void totem_replay_record(struct replay *replay, const struct record *record,
                         struct deal_stream *stream)
{
    struct reading reading = {.replay = replay, .record = record};
    struct totem_options options;
    if (!read_options(&reading, &options))
        return;
    if (!read_key(&reading)) {
        replay_differs(replay, "the secret cannot be read");
        return;
    }
    replay_check_seats(replay, record, options.players);
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
