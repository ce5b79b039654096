/* The options of a game of Totem: from `create`, to the state, to the record. */
#include "totem_match.h"
#include <assert.h>
#include <string.h>

enum { DEFAULT_PLAYERS = 4, DEFAULT_ROUNDS = 24 };

#define DRAWN_TEXT "drawn"

static const char *const spells_names[] = {
    [TOTEM_SPELLS_TURNS] = "turns", [TOTEM_SPELLS_A] = "A", [TOTEM_SPELLS_B] = "B"};
static const char *const meals_names[] = {
    [TOTEM_MEALS_OWNER] = "owner", [TOTEM_MEALS_A] = "A", [TOTEM_MEALS_B] = "B"};
enum { VARIANTS = 3 };

static bool refuse_option(struct refusal *refusal, const char *field)
{
    *refusal = (struct refusal){.error = PROTOCOL_BAD_OPTIONS, .field = field};
    return false;
}

/* ---- one option each: NULL leaves the default */

static bool read_number(uint8_t *out, const json_t *value, json_int_t min, json_int_t max)
{
    if (!value)
        return true;
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < min || number > max)
        return false;
    *out = (uint8_t)number;
    return true;
}

static bool read_bool(bool *out, const json_t *value)
{
    if (!value)
        return true;
    *out = json_is_true(value);
    return json_is_boolean(value);
}

static bool read_variant(uint8_t *out, const json_t *value, const char *const words[VARIANTS])
{
    const char *word = json_string_value(value);
    for (uint8_t i = 0; word && i < VARIANTS; i++) {
        if (strcmp(words[i], word) == 0) {
            *out = i;
            return true;
        }
    }
    return !value;
}

static bool read_first(struct totem_match *match, const json_t *value)
{
    const char *word = json_string_value(value);
    match->first_drawn = !value || (word && strcmp(word, DRAWN_TEXT) == 0);
    if (match->first_drawn)
        return true;
    const char *letter = word && strlen(word) == 1 ? strchr(totem_family_letters, *word) : NULL;
    if (!letter)
        return false;
    match->options.first = (uint8_t)(letter - totem_family_letters);
    return match->options.first < totem_families(&match->options);
}

/* ---- all of them */

static const char *const names[] = {"players", "first", "rounds",  "village",
                                    "spells",  "meals", "totem_a", "totem_b"};

static bool all_known(const json_t *options, struct refusal *refusal)
{
    size_t known = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        known += json_object_get(options, names[i]) != NULL;
    return known == json_object_size(options) || refuse_option(refusal, "options");
}

static bool read_all(struct totem_match *match, const json_t *options, struct refusal *refusal)
{
    struct totem_options *out = &match->options;
    out->players = DEFAULT_PLAYERS;
    if (!read_number(&out->players, json_object_get(options, "players"), 2, TOTEM_SEATS_MAX))
        return refuse_option(refusal, "options.players");
    if (!read_first(match, json_object_get(options, "first")))
        return refuse_option(refusal, "options.first");
    out->rounds = DEFAULT_ROUNDS;
    if (!read_number(&out->rounds, json_object_get(options, "rounds"), 1, TOTEM_ROUNDS_MAX))
        return refuse_option(refusal, "options.rounds");
    if (!read_bool(&out->village, json_object_get(options, "village")))
        return refuse_option(refusal, "options.village");
    if (!read_variant(&out->spells, json_object_get(options, "spells"), spells_names))
        return refuse_option(refusal, "options.spells");
    if (!read_variant(&out->meals, json_object_get(options, "meals"), meals_names))
        return refuse_option(refusal, "options.meals");
    if (!read_bool(&out->totem_a, json_object_get(options, "totem_a")))
        return refuse_option(refusal, "options.totem_a");
    if (!read_bool(&out->totem_b, json_object_get(options, "totem_b")))
        return refuse_option(refusal, "options.totem_b");
    return true;
}

bool totem_match_create(void *value, unsigned version, const json_t *options,
                        struct refusal *refusal)
{
    assert(version == 1); /* there has been no other yet */
    struct totem_match *match = value;
    if (!all_known(options, refusal) || !read_all(match, options, refusal))
        return false;
    assert(totem_check_options(&match->options) == TOTEM_OK);
    return true;
}

static struct totem_name first_letter(const struct totem_match *match)
{
    return totem_family_name(match->options.first);
}

void totem_match_write_options(const void *value, struct writer *writer)
{
    const struct totem_match *match = value;
    const struct totem_options *options = &match->options;
    writer_object(writer);
    writer_key_int(writer, "players", options->players);
    writer_key_string(writer, "first", match->first_drawn ? DRAWN_TEXT : first_letter(match).text);
    writer_key_int(writer, "rounds", options->rounds);
    writer_key_bool(writer, "village", options->village);
    writer_key_string(writer, "spells", spells_names[options->spells]);
    writer_key_string(writer, "meals", meals_names[options->meals]);
    writer_key_bool(writer, "totem_a", options->totem_a);
    writer_key_bool(writer, "totem_b", options->totem_b);
    writer_end(writer);
}

static void add_bool(struct game_pairs *pairs, const char *name, bool value)
{
    game_pairs_add(pairs, name, value ? "yes" : "no");
}

void totem_match_record_options(const void *value, struct game_pairs *pairs)
{
    const struct totem_match *match = value;
    const struct totem_options *options = &match->options;
    game_pairs_add_number(pairs, "players", options->players);
    game_pairs_add(pairs, "first", match->first_drawn ? DRAWN_TEXT : first_letter(match).text);
    game_pairs_add_number(pairs, "rounds", options->rounds);
    add_bool(pairs, "village", options->village);
    game_pairs_add(pairs, "spells", spells_names[options->spells]);
    game_pairs_add(pairs, "meals", meals_names[options->meals]);
    add_bool(pairs, "totem_a", options->totem_a);
    add_bool(pairs, "totem_b", options->totem_b);
}
