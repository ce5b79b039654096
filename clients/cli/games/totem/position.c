#include "position.h"

#include <cli/command.h>
#include <cli/line.h>
#include <stdio.h>
#include <string.h>
#include <totem_rules/notation.h>

int totem_line_read(struct totem *game, int count, char *const *words)
{
    struct file line;
    size_t offset = 0;
    const char *what = NULL;
    int status = line_read(&line, count, words);
    if (status != EXIT_OK)
        return status;
    bool done = totem_position_parse(line.bytes, line.len, game, &offset, &what);
    if (!done)
        line_explain(&line, offset, what);
    file_release(&line);
    return done ? EXIT_OK : EXIT_DATA;
}

/* ---- as a room's state */

/* Keys of members; strings of their own, as several are in use at once. */
static const char *const family_keys[] = {"R", "G", "B", "Y"};
static const char *const spell_keys[] = {"G", "B", "T", "I", "A", "F", "M", "P", "H", "L"};

static const char *family_key(unsigned family)
{
    return family_keys[family];
}

static json_t *people_text(const struct totem_people *people)
{
    char text[TOTEM_KINDS * TOTEM_HUT_PEOPLE_MAX + 1];
    size_t len = 0;
    for (size_t kind = 0; kind < TOTEM_KINDS; kind++) {
        for (int i = 0; i < people->of[kind] && len + 1 < sizeof text; i++)
            text[len++] = totem_kind_letters[kind];
    }
    text[len] = '\0';
    return json_string(text);
}

/* Of every family what lies on one hut: how many face down, and which are uncovered by whom. */
static void add_spells(json_t *hut, const struct totem *game, unsigned number)
{
    json_t *down = json_object(), *up = json_object();
    for (unsigned family = 0; family < totem_families(&game->options); family++) {
        const struct totem_spell_place *spells = game->families[family].spells;
        json_int_t count = 0;
        for (size_t i = 0; i < TOTEM_SPELLS; i++) {
            count += spells[i].state == TOTEM_SPELL_DOWN && spells[i].hut == number;
            if (spells[i].state != TOTEM_SPELL_UP || spells[i].hut != number)
                continue;
            const char *before = json_string_value(json_object_get(up, spell_keys[i]));
            json_t *owners =
                json_sprintf("%s%c", before ? before : "", totem_family_letters[family]);
            json_object_set_new(up, spell_keys[i], owners);
        }
        if (count > 0)
            json_object_set_new(down, family_key(family), json_integer(count));
    }
    json_object_set_new(hut, "down", down);
    json_object_set_new(hut, "up", up);
}

static json_t *huts_state(const struct totem *game)
{
    json_t *huts = json_object();
    for (unsigned family = 0; family < totem_families(&game->options); family++) {
        for (unsigned i = 0; i < TOTEM_HUTS; i++) {
            char key[3] = {totem_family_letters[family], (char)('1' + i), '\0'};
            json_t *hut =
                json_pack("{s:o}", "people", people_text(&game->families[family].huts[i]));
            add_spells(hut, game, family * TOTEM_HUTS + i);
            json_object_set_new(huts, key, hut);
        }
    }
    return huts;
}

static unsigned count_chosen(const struct totem_family *family)
{
    unsigned count = 0;
    for (size_t i = 0; i < TOTEM_SPELLS; i++)
        count += family->spells[i].state == TOTEM_SPELL_CHOSEN;
    return count;
}

static json_t *families_state(const struct totem *game)
{
    json_t *families = json_object();
    for (unsigned i = 0; i < totem_families(&game->options); i++) {
        const struct totem_family *family = &game->families[i];
        json_t *row =
            json_pack("{s:i,s:i,s:i,s:i,s:b,s:b,s:b}", "seat",
                      (int)totem_seat_of(&game->options, i), "pieces", family->pieces, "birds",
                      family->birds, "chosen", (int)count_chosen(family), "barred", family->barred,
                      "written", family->note.written, "out", family->state == TOTEM_FAMILY_OUT);
        json_object_set_new(families, family_key(i), row);
    }
    return families;
}

/* What is hidden from others: spells in the hand and where they lie, and what is written. */
static json_t *mine_state(const struct totem *game, unsigned number)
{
    const struct totem_family *family = &game->families[number];
    char note[TOTEM_COMMAND_TEXT];
    char hand[TOTEM_SPELLS + 1];
    size_t len = 0;
    json_t *down = json_object();
    for (size_t i = 0; i < TOTEM_SPELLS; i++) {
        const struct totem_spell_place *spell = &family->spells[i];
        if (spell->state == TOTEM_SPELL_CHOSEN)
            hand[len++] = totem_spell_letters[i];
        if (spell->state != TOTEM_SPELL_DOWN)
            continue;
        char hut[3] = {totem_family_letters[spell->hut / TOTEM_HUTS],
                       (char)('1' + spell->hut % TOTEM_HUTS), '\0'};
        json_object_set_new(down, spell_keys[i], json_string(hut));
    }
    hand[len] = '\0';
    totem_note_format(game, number, note);
    return json_pack("{s:s,s:o,s:s}", "hand", hand, "down", down, "note", note);
}

static json_t *all_mine(const struct totem *game, unsigned audience)
{
    json_t *mine = json_object();
    for (unsigned i = 0; i < totem_families(&game->options); i++) {
        if (totem_may_know(&game->options, audience, i))
            json_object_set_new(mine, family_key(i), mine_state(game, i));
    }
    return mine;
}

static json_t *queue_state(const struct totem *game)
{
    json_t *acting = json_array();
    for (size_t i = 0; i < game->n_queue; i++)
        json_array_append_new(acting, json_string(family_key(game->queue[i])));
    return acting;
}

static json_t *hungry_state(const struct totem *game)
{
    json_t *hungry = json_array();
    for (size_t i = 0; i < game->n_hungry; i++)
        json_array_append_new(hungry,
                              json_pack("{s:s,s:i}", "family", family_key(game->hungry[i].family),
                                        "count", game->hungry[i].number));
    return hungry;
}

json_t *totem_state_of(const struct totem *game, unsigned audience)
{
    static const char *const meals[] = {"owner", "A", "B"};
    return json_pack(
        "{s:s, s:{s:i,s:i,s:s}, s:{s:i,s:s,s:s,s:i,s:o,s:o,s:o,s:o,s:o}}", "game", "totem",
        "options", "players", game->options.players, "rounds", game->options.rounds, "meals",
        meals[game->options.meals], "table", "round", game->round, "first", family_key(game->first),
        "step", totem_step_name((enum totem_step)game->step), "supply", (int)totem_supply(game),
        "acting", queue_state(game), "hungry", hungry_state(game), "families", families_state(game),
        "huts", huts_state(game), "mine", all_mine(game, audience));
}
