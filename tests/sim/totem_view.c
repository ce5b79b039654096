/* The reference of Totem in the words of the wire: the table and the result. */
#include "totem_steps.h"
#include <stdio.h>
#include <string.h>

static const char letters[] = "RGBY", kinds[] = "gbwmWMe", spells[] = "GBTIAFMPHL";

enum { TEXT = 256 };

static const char *family_name(int family)
{
    static const char names[FAMILIES][2] = {"R", "G", "B", "Y"};
    return names[family];
}

static const char *hut_name(int hut, char name[4])
{
    (void)snprintf(name, 4, "%c%c", letters[hut / HUTS], "123"[hut % HUTS]);
    return name;
}

static void set_unless_empty(json_t *object, const char *key, json_t *value)
{
    if (json_object_size(value) > 0 || json_array_size(value) > 0)
        json_object_set(object, key, value);
    json_decref(value);
}

/* ---- families */

static json_t *family_json(const struct totem_reference *reference, int index)
{
    const struct family *family = &reference->village.of[index];
    json_t *object = json_pack("{s:i}", "seat", village_seat(&reference->village, index));
    if (!family->in) {
        json_object_set_new(object, "out", json_true());
        return object;
    }
    json_object_set_new(object, "pieces", json_integer(family->pieces));
    json_object_set_new(object, "birds", json_integer(family->birds));
    if (family->barred)
        json_object_set_new(object, "barred", json_true());
    if (village_spells(family, CHOSEN) > 0)
        json_object_set_new(object, "chosen", json_integer(village_spells(family, CHOSEN)));
    if (family->note.written)
        json_object_set_new(object, "written", json_true());
    return object;
}

/* ---- huts */

static char *people_text(const int people[KINDS], char text[TEXT])
{
    char *at = text;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < people[kind]; i++)
            *at++ = kinds[kind];
    }
    *at = 0;
    return at;
}

static json_t *hut_json(const struct village *village, int hut)
{
    char people[TEXT];
    json_t *object = json_object(), *down = json_object(), *up = json_object();
    people_text(village->of[hut / HUTS].people[hut % HUTS], people);
    if (people[0])
        json_object_set_new(object, "people", json_string(people));
    for (int spell = 0; spell < SPELLS; spell++) {
        char owners[FAMILIES + 1] = "", key[2] = {spells[spell], 0};
        for (int i = 0; i < FAMILIES; i++) {
            const struct spell *one = &village->of[i].spells[spell];
            const char *name = family_name(i);
            if (one->hut != hut)
                continue;
            if (one->where == UP)
                (void)strcat(owners, name);
            if (one->where == DOWN)
                json_object_set_new(
                    down, name, json_integer(json_integer_value(json_object_get(down, name)) + 1));
        }
        if (owners[0])
            json_object_set_new(up, key, json_string(owners));
    }
    set_unless_empty(object, "down", down);
    set_unless_empty(object, "up", up);
    return object;
}

/* ---- what only its seat knows */

static void note_text(const struct totem_reference *reference, const struct note *note,
                      char text[3 * TEXT])
{
    char *at = text;
    for (int spell = 0; reference->step == WRITE && spell < SPELLS; spell++) {
        char name[4];
        if (note->hut[spell] >= 0)
            at += sprintf(at, "%s%c:%s", at > text ? "," : "", spells[spell],
                          hut_name(note->hut[spell], name));
    }
    for (int hut = 0; reference->step == TAKE && hut < HUTS; hut++) {
        char *begin = at;
        at = people_text(note->people[hut], at);
        if (at == begin)
            *at++ = '-';
        *at++ = hut + 1 < HUTS ? ',' : '\0';
    }
    if (at == text)
        (void)strcpy(text, "-");
}

static json_t *mine_json(const struct totem_reference *reference, int index)
{
    const struct family *family = &reference->village.of[index];
    json_t *object = json_object(), *down = json_object();
    char hand[SPELLS + 1] = "", note[3 * TEXT], name[4];
    for (int spell = 0; spell < SPELLS; spell++) {
        char key[2] = {spells[spell], 0};
        if (family->spells[spell].where == CHOSEN)
            (void)strcat(hand, key);
        if (family->spells[spell].where == DOWN)
            json_object_set_new(down, key, json_string(hut_name(family->spells[spell].hut, name)));
    }
    if (hand[0])
        json_object_set_new(object, "hand", json_string(hand));
    set_unless_empty(object, "down", down);
    if (family->note.written) {
        note_text(reference, &family->note, note);
        json_object_set_new(object, "note", json_string(note));
    }
    return object;
}

/* ---- the table */

static void set_lists(const struct totem_reference *reference, json_t *table)
{
    json_t *acting = json_array(), *hungry = json_array();
    for (int i = 0; i < reference->queued; i++)
        json_array_append_new(acting, json_string(family_name(reference->queue[i])));
    for (int i = 0; i < reference->hungry_count; i++)
        json_array_append_new(hungry, json_pack("{s:s,s:i}", "family",
                                                family_name(reference->hungry[i].family), "count",
                                                reference->hungry[i].number));
    set_unless_empty(table, "acting", acting);
    set_unless_empty(table, "hungry", hungry);
}

json_t *totem_reference_table(const struct totem_reference *reference, unsigned viewer)
{
    const struct village *village = &reference->village;
    json_t *families = json_object(), *huts = json_object(), *mine = json_object();
    json_t *table = json_pack("{s:i,s:s,s:s,s:i}", "round", village->round, "first",
                              family_name(village->first), "step",
                              totem_step_words[reference->step], "supply", village_supply(village));
    set_lists(reference, table);
    for (int i = 0; i < village->families; i++) {
        json_object_set_new(families, family_name(i), family_json(reference, i));
        if (village_seat(village, i) == (int)viewer)
            set_unless_empty(mine, family_name(i), mine_json(reference, i));
        for (int hut = i * HUTS; village->of[i].in && hut < (i + 1) * HUTS; hut++) {
            char name[4];
            json_object_set_new(huts, hut_name(hut, name), hut_json(village, hut));
        }
    }
    json_object_set_new(table, "families", families);
    json_object_set_new(table, "huts", huts);
    set_unless_empty(table, "mine", mine);
    return table;
}

/* ---- the result */

static const struct family *best_family(const struct village *village, int seat)
{
    const struct family *best = NULL;
    for (int i = 0; i < village->families; i++) {
        if (village_seat(village, i) == seat &&
            (!best || steps_better(&village->of[i], best, true) > 0))
            best = &village->of[i];
    }
    return best;
}

static bool won(const struct totem_reference *reference, int seat)
{
    return reference->winners.count > 0 &&
           village_seat(&reference->village, reference->winners.family[0]) == seat;
}

static bool is_before(const struct totem_reference *reference, int a, int b)
{
    const struct family *one = best_family(&reference->village, a);
    const struct family *other = best_family(&reference->village, b);
    if (won(reference, a) != won(reference, b))
        return won(reference, a);
    if (one->in != other->in)
        return one->in;
    return steps_better(one, other, true) > 0;
}

json_t *totem_reference_result(const struct totem_reference *reference)
{
    json_t *winners = json_object(), *ranks = json_object(), *families = json_array();
    if (!reference->why) {
        json_decref(winners);
        json_decref(ranks);
        json_decref(families);
        return NULL;
    }
    for (int seat = 0; seat < reference->village.players; seat++) {
        char key[12];
        int rank = 1;
        (void)snprintf(key, sizeof key, "%d", seat);
        for (int other = 0; other < reference->village.players; other++)
            rank += is_before(reference, other, seat);
        json_object_set_new(ranks, key, json_integer(rank));
        if (won(reference, seat))
            json_object_set_new(winners, key, json_true());
    }
    for (int i = 0; i < reference->winners.count; i++)
        json_array_append_new(families, json_string(family_name(reference->winners.family[i])));
    return json_pack("{s:s,s:o,s:o,s:o}", "why", reference->why, "winners", winners, "ranks", ranks,
                     "families", families);
}
