/*
 * The table as protocol/README.md describes it, written from the rules' value by other means than
 * the server's, so that a mistake in one shows.
 */
#include "parts.h"
#include <string.h>

static void set_member(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

/* Only what is not empty is there. */
static void set_filled(json_t *object, const char *key, json_t *value)
{
    if (json_object_size(value) > 0)
        (void)json_object_set(object, key, value);
    json_decref(value);
}

static json_t *letter_at(const char *letters, unsigned at)
{
    return json_stringn(&letters[at], 1);
}

static const char *key_of(char key[3], const char *letters, unsigned at)
{
    key[0] = letters[at];
    key[1] = '\0';
    return key;
}

static const char *hut_key(char key[3], unsigned hut)
{
    key[0] = totem_family_letters[hut / TOTEM_HUTS];
    key[1] = (char)('1' + hut % TOTEM_HUTS);
    key[2] = '\0';
    return key;
}

/* ---- the round */

static json_t *queue_shown(const struct totem *game)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < game->n_queue; i++)
        (void)json_array_append_new(list, letter_at(totem_family_letters, game->queue[i]));
    return list;
}

static json_t *hungry_shown(const struct totem *game)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < game->n_hungry; i++)
        (void)json_array_append_new(
            list, json_pack("{s:o, s:i}", "family",
                            letter_at(totem_family_letters, game->hungry[i].family), "count",
                            (int)game->hungry[i].number));
    return list;
}

/* ---- families */

static unsigned count_in(const struct totem_family *family, enum totem_spell_state state)
{
    unsigned count = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++)
        count += family->spells[spell].state == state;
    return count;
}

static json_t *family_shown(const struct totem *game, unsigned index)
{
    const struct totem_family *family = &game->families[index];
    const unsigned chosen = count_in(family, TOTEM_SPELL_CHOSEN);
    json_t *shown = json_pack("{s:i}", "seat", (int)totem_seat_of(&game->options, index));
    if (family->state == TOTEM_FAMILY_OUT) {
        set_member(shown, "out", json_true());
        return shown;
    }
    set_member(shown, "pieces", json_integer(family->pieces));
    set_member(shown, "birds", json_integer(family->birds));
    if (family->barred)
        set_member(shown, "barred", json_true());
    if (chosen > 0)
        set_member(shown, "chosen", json_integer(chosen));
    if (family->note.written)
        set_member(shown, "written", json_true());
    return shown;
}

/* ---- huts */

static json_t *spells_down(const struct totem *game, unsigned hut)
{
    json_t *down = json_object();
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        char key[3];
        unsigned count = 0;
        for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
            const struct totem_spell_place *place = &game->families[family].spells[spell];
            count += place->state == TOTEM_SPELL_DOWN && place->hut == hut;
        }
        if (count > 0)
            set_member(down, key_of(key, totem_family_letters, family), json_integer(count));
    }
    return down;
}

static json_t *spells_up(const struct totem *game, unsigned hut)
{
    json_t *up = json_object();
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        char key[3], owners[TOTEM_FAMILIES + 1];
        size_t len = 0;
        for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
            const struct totem_spell_place *place = &game->families[family].spells[spell];
            if (place->state == TOTEM_SPELL_UP && place->hut == hut)
                owners[len++] = totem_family_letters[family];
        }
        if (len > 0)
            set_member(up, key_of(key, totem_spell_letters, spell), json_stringn(owners, len));
    }
    return up;
}

static json_t *hut_shown(const struct totem *game, unsigned hut)
{
    const struct totem_people *people = &game->families[hut / TOTEM_HUTS].huts[hut % TOTEM_HUTS];
    json_t *shown = json_object();
    char letters[TOTEM_KINDS * UINT8_MAX];
    size_t len = 0;
    for (unsigned kind = 0; kind < TOTEM_KINDS; kind++) {
        memset(letters + len, totem_kind_letters[kind], people->of[kind]);
        len += people->of[kind];
    }
    if (len > 0)
        set_member(shown, "people", json_stringn(letters, len));
    set_filled(shown, "down", spells_down(game, hut));
    set_filled(shown, "up", spells_up(game, hut));
    return shown;
}

/* ---- what only the seat that leads the family sees */

static json_t *own_down(const struct totem_family *family)
{
    json_t *down = json_object();
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        char key[3], hut[3];
        if (family->spells[spell].state == TOTEM_SPELL_DOWN)
            set_member(down, key_of(key, totem_spell_letters, spell),
                       json_string(hut_key(hut, family->spells[spell].hut)));
    }
    return down;
}

/* As section 7.1 of the rules writes a note. */
static json_t *note_of(const struct totem *game, unsigned index)
{
    const struct totem_note *note = &game->families[index].note;
    struct totem_command command = {
        .verb = game->step == TOTEM_STEP_WRITE ? TOTEM_VERB_WRITE : TOTEM_VERB_STARVE,
        .family = (uint8_t)index,
        .puts = note->puts,
    };
    char text[TOTEM_COMMAND_TEXT];
    memcpy(command.people, note->people, sizeof command.people);
    totem_command_format(&command, text);
    for (char *at = text; game->step != TOTEM_STEP_WRITE && *at; at++)
        *at = *at == '/' ? ',' : *at;
    return json_string(strchr(text, '=') + 1);
}

static json_t *own_shown(const struct totem *game, unsigned index)
{
    const struct totem_family *family = &game->families[index];
    json_t *own = json_object();
    char hand[TOTEM_SPELLS];
    size_t len = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if (family->spells[spell].state == TOTEM_SPELL_CHOSEN)
            hand[len++] = totem_spell_letters[spell];
    }
    if (len > 0)
        set_member(own, "hand", json_stringn(hand, len));
    set_filled(own, "down", own_down(family));
    if (family->note.written)
        set_member(own, "note", note_of(game, index));
    return own;
}

/* ---- all of it */

json_t *totem_table(const struct totem *game, unsigned audience)
{
    json_t *table = json_pack("{s:i, s:o, s:s, s:i, s:{}, s:{}}", "round", (int)game->round,
                              "first", letter_at(totem_family_letters, game->first), "step",
                              totem_step_name((enum totem_step)game->step), "supply",
                              (int)totem_supply(game), "families", "huts");
    json_t *families = json_object_get(table, "families");
    json_t *huts = json_object_get(table, "huts");
    json_t *mine = json_object();
    char key[3];
    if (game->n_queue > 0)
        set_member(table, "acting", queue_shown(game));
    if (game->n_hungry > 0)
        set_member(table, "hungry", hungry_shown(game));
    for (unsigned family = 0; family < totem_families(&game->options); family++) {
        set_member(families, key_of(key, totem_family_letters, family), family_shown(game, family));
        if (totem_may_know(&game->options, audience, family))
            set_filled(mine, key_of(key, totem_family_letters, family), own_shown(game, family));
    }
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        if (game->families[hut / TOTEM_HUTS].state == TOTEM_FAMILY_PLAYING)
            set_member(huts, hut_key(key, hut), hut_shown(game, hut));
    }
    set_filled(table, "mine", mine);
    return table;
}
