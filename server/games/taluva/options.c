/*
 * The options of a game of Taluva: from `create`, to the state, to the record. One table names them
 * all; what it cannot say (which values go together) is asked of the rules.
 */
#include "taluva_match.h"
#include <assert.h>
#include <rules/notation.h>
#include <rules/status.h>
#include <string.h>

static bool refuse_option(struct refusal *refusal, const char *field)
{
    *refusal = (struct refusal){.error = PROTOCOL_BAD_OPTIONS, .field = field};
    return false;
}

/* ---- one option each: NULL leaves the default */

static bool read_preset(struct taluva_match *match, const json_t *value)
{
    const char *name = json_string_value(value);
    if (name && strcmp(name, TALUVA_CUSTOM_TEXT) == 0) {
        match->preset = TALUVA_PRESET_CUSTOM;
        return true;
    }
    for (size_t i = 0; name && taluva_preset_at(i); i++) {
        if (strcmp(taluva_preset_at(i)->name, name) == 0) {
            match->preset = (uint8_t)i;
            return true;
        }
    }
    return !value;
}

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

static bool read_huts(struct taluva_match *match, const json_t *value)
{
    const char *name = json_string_value(value);
    if (!value)
        return true;
    if (!name || (strcmp(name, "isolated") != 0 && strcmp(name, "anywhere") != 0))
        return false;
    match->options.huts_anywhere = strcmp(name, "anywhere") == 0;
    return true;
}

static bool read_first(struct taluva_match *match, const json_t *value)
{
    match->first_drawn = !value || json_is_string(value);
    if (!value)
        return true;
    if (match->first_drawn)
        return strcmp(json_string_value(value), "drawn") == 0;
    return read_number(&match->options.first, value, 0, match->options.seats - 1);
}

static bool read_zone(struct taluva_match *match, const json_t *value)
{
    const char *name = json_string_value(value);
    enum taluva_zone zone;
    if (!value)
        return true;
    if (!name || !taluva_zone_find(name, &zone))
        return false;
    match->options.zone = (uint8_t)zone;
    return true;
}

/* ---- all of them */

static const char *const names[] = {"preset", "players", "tiles", "huts",    "first",
                                    "teams",  "ranking", "boats", "two_hex", "zone"};

static bool all_known(const json_t *options, struct refusal *refusal)
{
    size_t known = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        known += json_object_get(options, names[i]) != NULL;
    if (known == json_object_size(options))
        return true;
    return refuse_option(refusal, "options");
}

/* What a preset leaves open is as in the default one if it is `custom`. */
static const struct taluva_preset *defaults_of(const struct taluva_match *match)
{
    return taluva_preset_at(match->preset == TALUVA_PRESET_CUSTOM ? 0 : match->preset);
}

static bool read_all(struct taluva_match *match, const json_t *options, struct refusal *refusal)
{
    struct taluva_options *out = &match->options;
    if (!read_preset(match, json_object_get(options, "preset")))
        return refuse_option(refusal, "options.preset");
    const struct taluva_preset *preset = defaults_of(match);
    out->seats = 2;
    if (!read_number(&out->seats, json_object_get(options, "players"), 2, TALUVA_SEATS_MAX))
        return refuse_option(refusal, "options.players");
    out->tiles = preset->tiles[out->seats];
    if (!read_number(&out->tiles, json_object_get(options, "tiles"), 1, TALUVA_TILES_MAX))
        return refuse_option(refusal, "options.tiles");
    out->huts_anywhere = preset->huts_anywhere;
    if (!read_huts(match, json_object_get(options, "huts")))
        return refuse_option(refusal, "options.huts");
    if (!read_first(match, json_object_get(options, "first")))
        return refuse_option(refusal, "options.first");
    if (!read_bool(&out->teams, json_object_get(options, "teams")))
        return refuse_option(refusal, "options.teams");
    if (!read_bool(&out->ranking, json_object_get(options, "ranking")))
        return refuse_option(refusal, "options.ranking");
    if (!read_bool(&out->boats, json_object_get(options, "boats")))
        return refuse_option(refusal, "options.boats");
    if (!read_bool(&match->two_hex, json_object_get(options, "two_hex")))
        return refuse_option(refusal, "options.two_hex");
    if (!read_zone(match, json_object_get(options, "zone")))
        return refuse_option(refusal, "options.zone");
    return true;
}

/* Each is fine by itself; do they go together? */
static bool fit_together(const struct taluva_match *match, struct refusal *refusal)
{
    const struct taluva_options *options = &match->options;
    if (!taluva_tiles_allowed(options->seats, options->tiles))
        return refuse_option(refusal, "options.tiles");
    if (options->teams && options->seats != 4)
        return refuse_option(refusal, "options.teams");
    if (options->teams && options->ranking)
        return refuse_option(refusal, "options.ranking");
    return taluva_check_options(options) == TALUVA_OK || refuse_option(refusal, "options");
}

/* A room whose options its preset does not allow is called `custom`. */
static void name_preset(struct taluva_match *match)
{
    const struct taluva_options *options = &match->options;
    if (!taluva_preset_allows(defaults_of(match), options->seats, options->tiles,
                              options->huts_anywhere))
        match->preset = TALUVA_PRESET_CUSTOM;
}

bool taluva_match_create(void *value, unsigned version, const json_t *options,
                         struct refusal *refusal)
{
    assert(version == 1); /* there has been no other yet */
    struct taluva_match *match = value;
    if (!all_known(options, refusal) || !read_all(match, options, refusal) ||
        !fit_together(match, refusal))
        return false;
    name_preset(match);
    return true;
}

static const char *preset_name(const struct taluva_match *match)
{
    return match->preset == TALUVA_PRESET_CUSTOM ? TALUVA_CUSTOM_TEXT
                                                 : taluva_preset_at(match->preset)->name;
}

static const char *huts_name(const struct taluva_match *match)
{
    return match->options.huts_anywhere ? "anywhere" : "isolated";
}

void taluva_match_write_options(const void *value, struct writer *writer)
{
    const struct taluva_match *match = value;
    const struct taluva_options *options = &match->options;
    writer_object(writer);
    writer_key_string(writer, "preset", preset_name(match));
    writer_key_int(writer, "players", options->seats);
    writer_key_int(writer, "tiles", options->tiles);
    writer_key_string(writer, "huts", huts_name(match));
    if (match->first_drawn)
        writer_key_string(writer, "first", "drawn");
    else
        writer_key_int(writer, "first", options->first);
    writer_key_bool(writer, "teams", options->teams);
    writer_key_bool(writer, "ranking", options->ranking);
    writer_key_bool(writer, "boats", options->boats);
    writer_key_bool(writer, "two_hex", match->two_hex);
    writer_key_string(writer, "zone", taluva_zone_name((enum taluva_zone)options->zone));
    writer_end(writer);
}

static void add_bool(struct game_pairs *pairs, const char *name, bool value)
{
    game_pairs_add(pairs, name, value ? "yes" : "no");
}

void taluva_match_record_options(const void *value, struct game_pairs *pairs)
{
    const struct taluva_match *match = value;
    const struct taluva_options *options = &match->options;
    game_pairs_add(pairs, "preset", preset_name(match));
    game_pairs_add_number(pairs, "players", options->seats);
    game_pairs_add_number(pairs, "tiles", options->tiles);
    game_pairs_add(pairs, "huts", huts_name(match));
    if (match->first_drawn)
        game_pairs_add(pairs, "first", "drawn");
    else
        game_pairs_add_number(pairs, "first", options->first);
    add_bool(pairs, "teams", options->teams);
    add_bool(pairs, "ranking", options->ranking);
    add_bool(pairs, "boats", options->boats);
    add_bool(pairs, "two_hex", match->two_hex);
    game_pairs_add(pairs, "zone", taluva_zone_name((enum taluva_zone)options->zone));
}
