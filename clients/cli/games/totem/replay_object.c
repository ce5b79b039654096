/*
 * A game of Totem as one JSON object: every position, view, event, count and checksum, and the
 * result; and a refusal as one, with its reason (tests/vectors/README.md has the forms).
 */
#include "replay_parts.h"
#include <cli/crc32.h>
#include <protocol/encoding.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 3000 };

struct walk {
    struct replay *replay;
    struct totem game;
    uint8_t key[DEAL_KEY_BYTES];
};

void totem_replay_position(struct replay *replay, const struct totem *game)
{
    char text[TOTEM_POSITION_TEXT];
    if (!replay->positions)
        return;
    totem_position_format(game, TOTEM_SERVER, text);
    fprintf(replay->out, "%s\n", text);
}

/* ---- comparing */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void compare_text(struct walk *walk, const char *what, const char *found,
                         const char *expected)
{
    if (strcmp(found, expected) != 0)
        replay_differs(walk->replay, "%s: %s, expected %s", what, found, expected);
}

static void compare_crc(struct walk *walk, const char *what, int audience, const char *text,
                        const json_t *expected)
{
    const char *crc = json_string_value(expected);
    char found[9];
    snprintf(found, sizeof found, "%08x", crc32_add(0, text, strlen(text)));
    if (crc && strcmp(found, crc) == 0)
        return;
    if (audience >= 0)
        replay_differs(walk->replay, "%s %d: %s", what, audience, text);
    else
        replay_differs(walk->replay, "%s: %s", what, text);
}

/* ---- options and chance */

bool totem_option_spells(const char *text, uint8_t *out)
{
    *out = strcmp(text, "A") == 0   ? TOTEM_SPELLS_A
           : strcmp(text, "B") == 0 ? TOTEM_SPELLS_B
                                    : TOTEM_SPELLS_TURNS;
    return *out != TOTEM_SPELLS_TURNS || strcmp(text, "turns") == 0;
}

bool totem_option_meals(const char *text, uint8_t *out)
{
    *out = strcmp(text, "A") == 0   ? TOTEM_MEALS_A
           : strcmp(text, "B") == 0 ? TOTEM_MEALS_B
                                    : TOTEM_MEALS_OWNER;
    return *out != TOTEM_MEALS_OWNER || strcmp(text, "owner") == 0;
}

bool totem_option_family(const char *text, uint8_t *out)
{
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (text[0] == totem_family_letters[family] && text[1] == '\0') {
            *out = (uint8_t)family;
            return true;
        }
    }
    return false;
}

static bool read_key(struct walk *walk, const json_t *object, unsigned players)
{
    const json_t *nonces = json_object_get(object, "nonces");
    const char *secret_hex = text_of(object, "secret"), *key_hex = text_of(object, "key");
    const char *list[TOTEM_SEATS_MAX];
    uint8_t secret[DEAL_SECRET_BYTES], stated[DEAL_KEY_BYTES];
    if (!hex_decode(secret, sizeof secret, secret_hex, strlen(secret_hex)) ||
        json_array_size(nonces) != players)
        return false;
    for (unsigned seat = 0; seat < players; seat++)
        list[seat] = json_string_value(json_array_get(nonces, seat));
    deal_key(walk->key, secret, list, players);
    if (!hex_decode(stated, sizeof stated, key_hex, strlen(key_hex)) ||
        memcmp(stated, walk->key, sizeof stated) != 0)
        replay_differs(walk->replay, "the key does not follow from the secret and the nonces");
    return true;
}

static bool read_options(struct walk *walk, const json_t *object, struct totem_options *options)
{
    const json_t *from = json_object_get(object, "options");
    json_int_t players = json_integer_value(json_object_get(from, "players"));
    json_int_t rounds = json_integer_value(json_object_get(from, "rounds"));
    const char *first = text_of(from, "first");
    if (players < 2 || players > TOTEM_SEATS_MAX || rounds < 1 || rounds > TOTEM_ROUNDS_MAX)
        return false;
    *options = (struct totem_options){
        .players = (uint8_t)players,
        .rounds = (uint8_t)rounds,
        .village = json_is_true(json_object_get(from, "village")),
        .totem_a = json_is_true(json_object_get(from, "totem_a")),
        .totem_b = json_is_true(json_object_get(from, "totem_b")),
    };
    if (!totem_option_spells(text_of(from, "spells"), &options->spells) ||
        !totem_option_meals(text_of(from, "meals"), &options->meals) ||
        !read_key(walk, object, options->players))
        return false;
    if (strcmp(first, "drawn") == 0)
        options->first = (uint8_t)totem_first_draw(options, walk->key);
    else if (!totem_option_family(first, &options->first))
        return false;
    return totem_check_options(options) == TOTEM_OK;
}

/* ---- one step */

static int compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void compare_list(struct walk *walk, const struct totem_command *list, size_t count,
                         const json_t *expected)
{
    char(*lines)[TOTEM_COMMAND_TEXT] = calloc(count + 1, sizeof *lines);
    uint32_t crc = 0;
    char found[9];
    if (!lines)
        return;
    for (size_t i = 0; i < count; i++)
        totem_command_format(&list[i], lines[i]);
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++) {
        crc = i > 0 ? crc32_add(crc, "\n", 1) : crc;
        crc = crc32_add(crc, lines[i], strlen(lines[i]));
    }
    free(lines);
    snprintf(found, sizeof found, "%08x", crc);
    compare_text(walk, "legal", found,
                 json_string_value(expected) ? json_string_value(expected) : "none");
}

/* How many commands the family has, and which; where there are too many the file is silent. */
static void compare_legal(struct walk *walk, unsigned family, const json_t *step)
{
    const json_t *number = json_object_get(step, "n"), *legal = json_object_get(step, "legal");
    struct totem_command *list = malloc(LIST_MAX * sizeof *list);
    if (!list) {
        replay_differs(walk->replay, "memory ran out");
        return;
    }
    size_t count = totem_list(&walk->game, family, list, LIST_MAX);
    bool silent = count == 0 || count > LIST_MAX;
    if (number && (silent ? json_integer_value(number) <= LIST_MAX
                          : json_integer_value(number) != (json_int_t)count))
        replay_differs(walk->replay, "%zu commands, expected %d", count,
                       (int)json_integer_value(number));
    if (legal || !silent)
        compare_list(walk, list, silent ? 0 : count, legal);
    free(list);
}

static void compare_views(struct walk *walk, const json_t *step)
{
    const json_t *views = json_object_get(step, "views");
    char text[TOTEM_POSITION_TEXT];
    totem_position_format(&walk->game, TOTEM_SERVER, text);
    compare_crc(walk, "position", -1, text, json_object_get(step, "full"));
    if (json_array_size(views) != walk->game.options.players + 1U)
        replay_differs(walk->replay, "views: not as many as who look on");
    totem_position_format(&walk->game, TOTEM_WATCHER, text);
    compare_crc(walk, "watcher's view", -1, text, json_array_get(views, 0));
    for (int seat = 0; seat < walk->game.options.players; seat++) {
        totem_position_format(&walk->game, (unsigned)seat, text);
        compare_crc(walk, "view of seat", seat, text, json_array_get(views, (size_t)seat + 1));
    }
}

static void compare_events(struct walk *walk, const struct totem_command *command,
                           const struct totem_effects *effects, const json_t *step)
{
    const json_t *events = json_object_get(step, "events");
    char text[TOTEM_EVENT_TEXT];
    totem_event_format(&walk->game.options, NULL, effects, TOTEM_SERVER, text);
    compare_text(walk, "effects", text, text_of(step, "fx"));
    if (json_array_size(events) != walk->game.options.players + 1U)
        replay_differs(walk->replay, "events: not as many as who listen");
    totem_event_format(&walk->game.options, command, effects, TOTEM_WATCHER, text);
    compare_crc(walk, "watcher's event", -1, text, json_array_get(events, 0));
    for (int seat = 0; seat < walk->game.options.players; seat++) {
        totem_event_format(&walk->game.options, command, effects, (unsigned)seat, text);
        compare_crc(walk, "event of seat", seat, text, json_array_get(events, (size_t)seat + 1));
    }
}

static bool play_step(struct walk *walk, const json_t *step)
{
    const char *text = text_of(step, "do");
    unsigned seat = (unsigned)json_integer_value(json_object_get(step, "seat"));
    bool forfeit = json_is_true(json_object_get(step, "forfeit"));
    struct totem_command command;
    struct totem_births births;
    struct totem_effects effects;
    enum totem_status status;
    totem_births_draw(&births, walk->key, walk->game.round);
    if (forfeit) {
        status = totem_forfeit(&walk->game, seat, &births, &effects);
    } else if (!totem_command_parse(text, strlen(text), &command)) {
        status = TOTEM_BAD_COMMAND;
    } else {
        status = totem_check(&walk->game, seat, &command);
        if (status == TOTEM_OK) {
            compare_legal(walk, command.family, step);
            status = totem_play(&walk->game, seat, &command, &births, &effects);
        }
    }
    if (status != TOTEM_OK) {
        replay_differs(walk->replay, "%s: %s", forfeit ? "forfeit" : text,
                       totem_status_code(status));
        return false;
    }
    compare_events(walk, forfeit ? NULL : &command, &effects, step);
    compare_views(walk, step);
    return true;
}

/* ---- the result */

static unsigned seat_set(const json_t *seats)
{
    unsigned set = 0;
    size_t i;
    json_t *seat;
    json_array_foreach(seats, i, seat)
    {
        json_int_t number = json_integer_value(seat);
        set |= number >= 0 && number < TOTEM_SEATS_MAX ? 1U << number : 0;
    }
    return set;
}

static void compare_result(struct walk *walk, const json_t *expected)
{
    const json_t *ranks = json_object_get(expected, "ranks");
    struct totem_outcome outcome;
    totem_outcome(&walk->game, &outcome);
    compare_text(walk, "result", totem_end_name((enum totem_end)outcome.end),
                 text_of(expected, "why"));
    if (outcome.winners != seat_set(json_object_get(expected, "winners")))
        replay_differs(walk->replay, "result: the winners differ (set %#x)", outcome.winners);
    if (json_array_size(ranks) != outcome.n_ranks)
        replay_differs(walk->replay, "result: %d ranks, expected %zu", outcome.n_ranks,
                       json_array_size(ranks));
    for (size_t i = 0; i < outcome.n_ranks; i++) {
        if (outcome.ranks[i] != seat_set(json_array_get(ranks, i)))
            replay_differs(walk->replay, "result: rank %zu differs", i + 1);
    }
}

static void compare_position(struct walk *walk, const char *what, const json_t *object)
{
    char text[TOTEM_POSITION_TEXT];
    totem_position_format(&walk->game, TOTEM_SERVER, text);
    compare_text(walk, what, text, text_of(object, what));
}

static void replay_game(struct replay *replay, const json_t *object)
{
    struct walk walk = {.replay = replay};
    struct totem_options options;
    size_t i;
    json_t *step;
    if (!read_options(&walk, object, &options)) {
        replay_differs(replay, "these options cannot be read");
        return;
    }
    totem_init(&walk.game, &options);
    compare_position(&walk, "start", object);
    json_array_foreach(json_object_get(object, "steps"), i, step)
    {
        replay->turns++;
        replay->turn = (unsigned)i + 1;
        if (!play_step(&walk, step))
            return;
    }
    replay->turn = 0;
    if (walk.game.step != TOTEM_STEP_OVER)
        replay_differs(replay, "the turns end, but the game is not over");
    compare_position(&walk, "end", object);
    compare_result(&walk, json_object_get(object, "result"));
    totem_replay_position(replay, &walk.game);
}

/* ---- a refusal */

static void replay_refusal(struct replay *replay, const json_t *object)
{
    struct walk walk = {.replay = replay};
    const char *position = text_of(object, "position"), *text = text_of(object, "command");
    unsigned seat = (unsigned)json_integer_value(json_object_get(object, "seat"));
    struct totem_command command;
    size_t offset;
    const char *what;
    replay->turns++;
    if (!totem_position_parse(position, strlen(position), &walk.game, &offset, &what)) {
        replay_differs(replay, "position, byte %zu: %s", offset, what);
        return;
    }
    compare_position(&walk, "position", object);
    enum totem_status status = TOTEM_BAD_COMMAND;
    if (totem_command_parse(text, strlen(text), &command))
        status = totem_check(&walk.game, seat, &command);
    compare_text(&walk, text, totem_status_code(status), text_of(object, "reason"));
    totem_replay_position(replay, &walk.game);
}

void totem_replay_object(struct replay *replay, const json_t *object)
{
    if (json_object_get(object, "reason"))
        replay_refusal(replay, object);
    else
        replay_game(replay, object);
}
