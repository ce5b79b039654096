#include "parts.h"
#include <string.h>

static const json_t *member_at(const json_t *object, const char *key)
{
    return json_object_get(object, key);
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(member_at(object, key));
    return text ? text : "";
}

/* ---- from the state of a match just started */

/* "turns" or "owner", "A", "B", in the order of the rules' numbers. */
static uint8_t variant_of(const json_t *options, const char *key)
{
    const char *text = text_at(options, key);
    return strcmp(text, "A") == 0 ? 1 : strcmp(text, "B") == 0 ? 2 : 0;
}

static bool family_of(char letter, uint8_t *out)
{
    const char *found = letter != '\0' ? strchr(totem_family_letters, letter) : NULL;
    if (found)
        *out = (uint8_t)(found - totem_family_letters);
    return found != NULL;
}

bool totem_copy_begin(struct totem_copy *copy, const json_t *state)
{
    const json_t *options = member_at(state, "options");
    struct totem_options own = {
        .players = (uint8_t)json_integer_value(member_at(options, "players")),
        .rounds = (uint8_t)json_integer_value(member_at(options, "rounds")),
        .spells = variant_of(options, "spells"),
        .meals = variant_of(options, "meals"),
        .village = json_is_true(member_at(options, "village")),
        .totem_a = json_is_true(member_at(options, "totem_a")),
        .totem_b = json_is_true(member_at(options, "totem_b")),
    };
    memset(copy, 0, sizeof *copy);
    if (!family_of(*text_at(member_at(state, "table"), "first"), &own.first) ||
        totem_check_options(&own) != TOTEM_OK)
        return false;
    totem_init(&copy->game, &own);
    return true;
}

/* ---- playing along */

/* "born@R1=ggb": the first of the children are boys, it does not matter which. */
static void read_born(const char *word, size_t len, struct totem_births *births)
{
    struct scan scan = {word, word + len};
    uint8_t family;
    if (!scan_text(&scan, "born@") || scan.end - scan.at < 2 || !family_of(scan.at[0], &family) ||
        scan.at[1] < '1' || scan.at[1] >= '1' + TOTEM_HUTS)
        return;
    unsigned boys = 0;
    for (const char *child = scan.at; child < scan.end; child++)
        boys += *child == totem_kind_letters[TOTEM_BOY];
    births->words[family * TOTEM_HUTS + (unsigned)(scan.at[1] - '1')] =
        (uint16_t)((1U << boys) - 1);
}

static void read_births(const json_t *event, struct totem_births *births)
{
    size_t i;
    json_t *word;
    memset(births, 0, sizeof *births);
    json_array_foreach((json_t *)(uintptr_t)member_at(event, "effects"), i, word)
    {
        if (json_is_string(word))
            read_born(json_string_value(word), json_string_length(word), births);
    }
}

/* The viewer's own text of the move, and what followed from it. */
static void scan_births(struct scan push, struct totem_births *births)
{
    const char *text;
    size_t len;
    memset(births, 0, sizeof *births);
    if (!scan_string(&push, &text, &len) || !scan_text(&push, ",\"effects\":["))
        return;
    while (scan_text(&push, "\"") && scan_string(&push, &text, &len)) {
        read_born(text, len, births);
        (void)scan_text(&push, ",");
    }
}

static bool play_command(struct totem_copy *copy, const char *move)
{
    return totem_command_parse(move, strlen(move), &copy->command) &&
           totem_play(&copy->game, totem_seat_of(&copy->game.options, copy->command.family),
                      &copy->command, &copy->births, NULL) == TOTEM_OK;
}

bool totem_copy_play(struct totem_copy *copy, const char *move, const json_t *event)
{
    copy->before = copy->game;
    read_births(event, &copy->births);
    return play_command(copy, move);
}

bool totem_copy_follow(struct totem_copy *copy, const char *move, struct scan push)
{
    scan_births(push, &copy->births);
    return play_command(copy, move);
}

/* ---- what an audience is told */

/* Skips the word in `text`, and the blank behind it. */
static bool skip_word(const char **text, const char *word)
{
    const size_t len = strcspn(*text, " ");
    if (!word || strlen(word) != len || memcmp(*text, word, len) != 0)
        return false;
    *text += len + ((*text)[len] == ' ');
    return true;
}

bool totem_copy_tells(const struct totem_copy *copy, unsigned audience, const json_t *event)
{
    struct totem game = copy->before;
    struct totem_effects effects;
    char text[TOTEM_EVENT_TEXT];
    const char *rest = text;
    size_t i;
    json_t *word;
    if (totem_play(&game, totem_seat_of(&game.options, copy->command.family), &copy->command,
                   &copy->births, &effects) != TOTEM_OK)
        return false;
    totem_event_format(&game.options, &copy->command, &effects, totem_audience(audience), text);
    if (!skip_word(&rest, json_string_value(member_at(event, "move"))))
        return false;
    json_array_foreach((json_t *)(uintptr_t)member_at(event, "effects"), i, word)
    {
        if (!skip_word(&rest, json_string_value(word)))
            return false;
    }
    return *rest == '\0';
}

/* ---- what an audience is shown */

static bool has_number(const json_t *object, const char *key, int64_t wanted)
{
    const json_t *value = member_at(object, key);
    return json_is_integer(value) && json_integer_value(value) == wanted;
}

static unsigned seats_listed(const json_t *list)
{
    unsigned seats = 0;
    size_t i;
    json_t *seat;
    json_array_foreach((json_t *)(uintptr_t)list, i, seat)
    {
        seats |= 1U << (json_integer_value(seat) & (TOTEM_SEATS_MAX - 1));
    }
    return seats;
}

/* {"0": true, ...} */
static unsigned seats_marked(const json_t *object)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < TOTEM_SEATS_MAX; seat++) {
        const char key[2] = {(char)('0' + seat), '\0'};
        seats |= json_is_true(member_at(object, key)) ? 1U << seat : 0;
    }
    return seats;
}

/* The first member that is not what it must be. The names are of the rules' writing and live on. */
static const char *table_difference(const struct totem *game, unsigned audience,
                                    const json_t *table)
{
    static const char *const members[] = {"round",  "first",    "step", "acting", "hungry",
                                          "supply", "families", "huts", "mine",   NULL};
    json_t *expected = totem_table(game, audience);
    const char *difference = json_equal(expected, table) ? NULL : "the table";
    for (size_t i = 0; difference && members[i]; i++) {
        const json_t *is = member_at(table, members[i]), *wanted = member_at(expected, members[i]);
        if ((is || wanted) && !json_equal(is, wanted))
            difference = members[i];
    }
    json_decref(expected);
    return difference;
}

static const char *end_difference(const struct totem *game, const json_t *result)
{
    struct totem_outcome outcome;
    totem_outcome(game, &outcome);
    if (strcmp(text_at(result, "why"), totem_end_name((enum totem_end)outcome.end)) != 0)
        return "the end";
    return seats_marked(member_at(result, "winners")) == outcome.winners ? NULL : "who has won";
}

const char *totem_copy_difference(const struct totem_copy *copy, unsigned audience,
                                  const json_t *state, bool whole)
{
    const struct totem *game = &copy->game;
    const json_t *table = member_at(state, "table");
    if (strcmp(text_at(table, "step"), totem_step_name((enum totem_step)game->step)) != 0)
        return "the step";
    if (!has_number(table, "round", game->round))
        return "the round";
    if (seats_listed(member_at(state, "acting")) != totem_acting_seats(game))
        return "whose turn it is";
    const char *difference = whole ? table_difference(game, totem_audience(audience), table) : NULL;
    if (!difference && game->step == TOTEM_STEP_OVER)
        difference = end_difference(game, member_at(state, "result"));
    return difference;
}
