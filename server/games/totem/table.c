/*
 * The table of Totem on the wire: protocol/README.md, section 4. `mine` is all in it that is not
 * for everybody.
 */
#include "totem_match.h"
#include <string.h>

/* A string that is absent when it is empty. */
static const char *or_null(const char *text)
{
    return *text ? text : NULL;
}

/* A number that is absent when it is 0. */
static void patch_count(struct patch *patch, const char *key, unsigned before, unsigned after)
{
    if (after == 0 && before != 0)
        patch_gone(patch, key);
    else if (after != before)
        patch_int(patch, key, NULL, after);
}

static void patch_number_of(struct patch *patch, const char *key, bool was, unsigned before,
                            unsigned after)
{
    int64_t number = before;
    patch_int(patch, key, was ? &number : NULL, after);
}

/* ---- the round */

static const char *first_text(const struct totem *game, struct totem_name *name)
{
    *name = totem_family_name(game->first);
    return name->text;
}

static bool same_queue(const struct totem *before, const struct totem *after)
{
    return before->n_queue == after->n_queue &&
           memcmp(before->queue, after->queue, after->n_queue) == 0;
}

static void write_queue(const struct totem *before, const struct totem *after, struct patch *patch)
{
    if (before && same_queue(before, after))
        return;
    if (after->n_queue == 0) {
        if (before)
            patch_gone(patch, "acting");
        return;
    }
    struct writer *writer = patch_value(patch, "acting");
    writer_array(writer);
    for (unsigned i = 0; i < after->n_queue; i++)
        writer_string(writer, totem_family_name(after->queue[i]).text);
    writer_end(writer);
}

static bool same_hungry(const struct totem *before, const struct totem *after)
{
    return before->n_hungry == after->n_hungry &&
           memcmp(before->hungry, after->hungry, after->n_hungry * sizeof *after->hungry) == 0;
}

static void write_hungry(const struct totem *before, const struct totem *after, struct patch *patch)
{
    if (before && same_hungry(before, after))
        return;
    if (after->n_hungry == 0) {
        if (before)
            patch_gone(patch, "hungry");
        return;
    }
    struct writer *writer = patch_value(patch, "hungry");
    writer_array(writer);
    for (unsigned i = 0; i < after->n_hungry; i++) {
        writer_object(writer);
        writer_key_string(writer, "family", totem_family_name(after->hungry[i].family).text);
        writer_key_int(writer, "count", after->hungry[i].number);
        writer_end(writer);
    }
    writer_end(writer);
}

static void write_round(const struct totem *before, const struct totem *after, struct patch *patch)
{
    struct totem_name was, is;
    bool any = before != NULL;
    patch_number_of(patch, "round", any, any ? before->round : 0, after->round);
    patch_string(patch, "first", any ? first_text(before, &was) : NULL, first_text(after, &is));
    patch_string(patch, "step", any ? totem_step_name((enum totem_step)before->step) : NULL,
                 totem_step_name((enum totem_step)after->step));
    write_queue(before, after, patch);
    write_hungry(before, after, patch);
    patch_number_of(patch, "supply", any, any ? totem_supply(before) : 0, totem_supply(after));
}

/* ---- families */

static unsigned chosen(const struct totem_family *family)
{
    return totem_set_size(totem_spells_in(family, TOTEM_SPELL_CHOSEN));
}

static void write_family(const struct totem_family *before, const struct totem_family *after,
                         struct patch *patch)
{
    static const struct totem_family none;
    const struct totem_family *was = before ? before : &none;
    bool playing = after->state == TOTEM_FAMILY_PLAYING;
    bool played = before && before->state == TOTEM_FAMILY_PLAYING;
    if (playing) {
        patch_number_of(patch, "pieces", played, was->pieces, after->pieces);
        patch_number_of(patch, "birds", played, was->birds, after->birds);
    } else if (played) {
        patch_gone(patch, "pieces");
        patch_gone(patch, "birds");
    }
    patch_flag(patch, "barred", was->barred, after->barred);
    patch_count(patch, "chosen", before ? chosen(before) : 0, chosen(after));
    patch_flag(patch, "written", was->note.written, after->note.written);
    patch_flag(patch, "out", was->state == TOTEM_FAMILY_OUT, after->state == TOTEM_FAMILY_OUT);
}

static void write_families(const struct totem *before, const struct totem *after,
                           struct patch *patch)
{
    struct totem_name names[TOTEM_FAMILIES];
    patch_begin(patch, "families");
    for (unsigned family = 0; family < totem_families(&after->options); family++) {
        names[family] = totem_family_name(family);
        patch_begin(patch, names[family].text);
        if (!before)
            patch_int(patch, "seat", NULL, totem_seat_of(&after->options, family));
        write_family(before ? &before->families[family] : NULL, &after->families[family], patch);
        patch_end(patch);
    }
    patch_end(patch);
}

/* ---- huts */

/* How many spells of the family lie face down on the hut. */
static unsigned count_down(const struct totem *game, unsigned hut, unsigned family)
{
    unsigned count = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        const struct totem_spell_place *place = &game->families[family].spells[spell];
        count += place->state == TOTEM_SPELL_DOWN && place->hut == hut;
    }
    return count;
}

static bool any_down(const struct totem *game, unsigned hut)
{
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (count_down(game, hut, family) > 0)
            return true;
    }
    return false;
}

static void write_down(const struct totem *before, const struct totem *after, unsigned hut,
                       struct patch *patch)
{
    if (!any_down(after, hut)) {
        if (before && any_down(before, hut))
            patch_gone(patch, "down");
        return;
    }
    struct totem_name names[TOTEM_FAMILIES];
    patch_begin(patch, "down");
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        names[family] = totem_family_name(family);
        patch_count(patch, names[family].text, before ? count_down(before, hut, family) : 0,
                    count_down(after, hut, family));
    }
    patch_end(patch);
}

/* The families whose spell of this kind lies uncovered on the hut: "RG". */
static const char *owners_up(const struct totem *game, unsigned hut, unsigned spell,
                             char owners[TOTEM_FAMILIES + 1])
{
    size_t len = 0;
    for (unsigned family = 0; game && family < TOTEM_FAMILIES; family++) {
        const struct totem_spell_place *place = &game->families[family].spells[spell];
        if (place->state == TOTEM_SPELL_UP && place->hut == hut)
            owners[len++] = totem_family_letters[family];
    }
    owners[len] = '\0';
    return or_null(owners);
}

static bool any_up(const struct totem *game, unsigned hut)
{
    char owners[TOTEM_FAMILIES + 1];
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if (owners_up(game, hut, spell, owners))
            return true;
    }
    return false;
}

static void write_up(const struct totem *before, const struct totem *after, unsigned hut,
                     struct patch *patch)
{
    if (!any_up(after, hut)) {
        if (before && any_up(before, hut))
            patch_gone(patch, "up");
        return;
    }
    char was[TOTEM_FAMILIES + 1], is[TOTEM_FAMILIES + 1];
    patch_begin(patch, "up");
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        const char key[] = {totem_spell_letters[spell], '\0'};
        patch_string(patch, key, owners_up(before, hut, spell, was),
                     owners_up(after, hut, spell, is));
    }
    patch_end(patch);
}

static bool has_hut(const struct totem *game, unsigned hut)
{
    return game && game->families[hut / TOTEM_HUTS].state == TOTEM_FAMILY_PLAYING;
}

static const char *people_of(const struct totem *game, unsigned hut, char text[TOTEM_LETTERS_TEXT])
{
    if (!game)
        return NULL;
    totem_people_text(&game->families[hut / TOTEM_HUTS].huts[hut % TOTEM_HUTS], text);
    return or_null(text);
}

static void write_hut(const struct totem *before, const struct totem *after, unsigned hut,
                      struct patch *patch)
{
    char was[TOTEM_LETTERS_TEXT], is[TOTEM_LETTERS_TEXT];
    const struct totem_name name = totem_hut_name(hut);
    patch_begin(patch, name.text);
    if (!before)
        patch_force(patch);
    patch_string(patch, "people", people_of(before, hut, was), people_of(after, hut, is));
    write_down(before, after, hut, patch);
    write_up(before, after, hut, patch);
    patch_end(patch);
}

/* The huts where people or spells are not what they were, as a set. */
static unsigned changed_huts(const struct totem *before, const struct totem *after)
{
    unsigned changed = 0;
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        const struct totem_family *was = &before->families[family], *is = &after->families[family];
        for (unsigned i = 0; i < TOTEM_HUTS; i++) {
            if (memcmp(&was->huts[i], &is->huts[i], sizeof is->huts[i]) != 0)
                changed |= 1U << (family * TOTEM_HUTS + i);
        }
        for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
            const struct totem_spell_place *from = &was->spells[spell], *to = &is->spells[spell];
            if (from->state != to->state || from->hut != to->hut)
                changed |= 1U << from->hut | 1U << to->hut;
        }
    }
    return changed;
}

/* Most commands change one hut or none: the texts of the others are not made. */
static void write_huts(const struct totem *before, const struct totem *after, struct patch *patch)
{
    const unsigned changed = before ? changed_huts(before, after) : ~0U;
    patch_begin(patch, "huts");
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        if (has_hut(after, hut) && (changed >> hut & 1) != 0)
            write_hut(before, after, hut, patch);
        else if (!has_hut(after, hut) && has_hut(before, hut))
            patch_gone(patch, totem_hut_name(hut).text);
    }
    patch_end(patch);
}

/* ---- what only the seat that leads the family may see */

static const char *note_text(const struct totem *game, unsigned family,
                             char text[TOTEM_COMMAND_TEXT])
{
    totem_note_format(game, family, text);
    return or_null(text);
}

static bool has_mine(const struct totem *game, unsigned family)
{
    const struct totem_family *led = &game->families[family];
    return led->note.written || totem_spells_in(led, TOTEM_SPELL_CHOSEN) ||
           totem_spells_in(led, TOTEM_SPELL_DOWN);
}

static const char *hand_text(const struct totem *game, unsigned family,
                             char text[TOTEM_LETTERS_TEXT])
{
    totem_spells_text(totem_spells_in(&game->families[family], TOTEM_SPELL_CHOSEN), text);
    return or_null(text);
}

static const char *down_text(const struct totem *game, unsigned family, unsigned spell,
                             struct totem_name *name)
{
    const struct totem_spell_place *place = &game->families[family].spells[spell];
    if (place->state != TOTEM_SPELL_DOWN)
        return NULL;
    *name = totem_hut_name(place->hut);
    return name->text;
}

static void write_my_down(const struct totem *before, const struct totem *after, unsigned family,
                          struct patch *patch)
{
    bool was_any = before && totem_spells_in(&before->families[family], TOTEM_SPELL_DOWN);
    if (!totem_spells_in(&after->families[family], TOTEM_SPELL_DOWN)) {
        if (was_any)
            patch_gone(patch, "down");
        return;
    }
    struct totem_name was, is;
    patch_begin(patch, "down");
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        const char key[] = {totem_spell_letters[spell], '\0'};
        patch_string(patch, key, before ? down_text(before, family, spell, &was) : NULL,
                     down_text(after, family, spell, &is));
    }
    patch_end(patch);
}

static void write_my_family(const struct totem *before, const struct totem *after, unsigned family,
                            struct patch *patch)
{
    const struct totem_name name = totem_family_name(family);
    if (!has_mine(after, family)) {
        if (before && has_mine(before, family))
            patch_gone(patch, name.text);
        return;
    }
    char hand_was[TOTEM_LETTERS_TEXT], hand_is[TOTEM_LETTERS_TEXT];
    char note_was[TOTEM_COMMAND_TEXT], note_is[TOTEM_COMMAND_TEXT];
    patch_begin(patch, name.text);
    patch_string(patch, "hand", before ? hand_text(before, family, hand_was) : NULL,
                 hand_text(after, family, hand_is));
    write_my_down(before, after, family, patch);
    patch_string(patch, "note", before ? note_text(before, family, note_was) : NULL,
                 note_text(after, family, note_is));
    patch_end(patch);
}

/* Has the viewer a family of which it knows what others do not? */
static bool has_any_mine(const struct totem *game, unsigned viewer)
{
    for (unsigned family = 0; family < totem_families(&game->options); family++) {
        if (totem_may_know(&game->options, totem_match_audience(viewer), family) &&
            has_mine(game, family))
            return true;
    }
    return false;
}

static void write_mine(const struct totem *before, const struct totem *after, unsigned viewer,
                       struct patch *patch)
{
    if (!has_any_mine(after, viewer)) {
        if (before && has_any_mine(before, viewer))
            patch_gone(patch, "mine");
        return;
    }
    patch_begin(patch, "mine");
    for (unsigned family = 0; family < totem_families(&after->options); family++) {
        if (totem_may_know(&after->options, totem_match_audience(viewer), family))
            write_my_family(before, after, family, patch);
    }
    patch_end(patch);
}

void totem_match_write_table(const void *before_value, const void *after_value, unsigned viewer,
                             struct patch *patch)
{
    const struct totem_match *before = before_value, *after = after_value;
    const struct totem *was = before ? &before->game : NULL;
    write_round(was, &after->game, patch);
    write_families(was, &after->game, patch);
    write_huts(was, &after->game, patch);
    write_mine(was, &after->game, viewer, patch);
}
