#include "state_position.h"

#include "village.h"
#include <cli/state.h>
#include <cli/text.h>
#include <string.h>
#include <totem_computer/computer.h>
#include <totem_rules/notation.h>

void totem_known_hear(struct totem_known *known, const json_t *push)
{
    if (known->first == '\0')
        known->first = *state_text(push, "patch.table.first");
}

/* The state as it becomes a text. */
struct telling {
    const json_t *state;
    int seat;
    struct text text;
};

/* ---- options, round, step */

/* "spells": "A" becomes spells-a. Without a variant it has another word. */
static void add_variant(struct telling *telling, const char *option)
{
    const char *variant = state_text(state_at(telling->state, "options"), option);
    if (strcmp(variant, "A") == 0 || strcmp(variant, "B") == 0)
        text_add(&telling->text, "/%s-%c", option, *variant == 'A' ? 'a' : 'b');
}

static void add_flag(struct telling *telling, const char *option, const char *flag)
{
    if (json_is_true(json_object_get(state_at(telling->state, "options"), option)))
        text_add(&telling->text, "/%s", flag);
}

static void add_options(struct telling *telling, const struct totem_known *known)
{
    text_add(&telling->text, "%d/%c/%d", state_players(telling->state), known->first,
             state_number(telling->state, "options.rounds"));
    add_flag(telling, "village", "village");
    add_variant(telling, "spells");
    add_variant(telling, "meals");
    add_flag(telling, "totem_a", "totem-a");
    add_flag(telling, "totem_b", "totem-b");
}

static void add_step(struct telling *telling)
{
    const json_t *state = telling->state;
    const json_t *row;
    size_t i;
    text_add(&telling->text, " %d%s %s:", state_number(state, "table.round"),
             state_text(state, "table.first"), state_text(state, "table.step"));
    for (i = 0; village_acting(state, i) && !telling->text.failed; i++)
        text_add(&telling->text, "%c", village_acting(state, i));
    json_array_foreach(state_at(state, "table.hungry"), i, row)
    {
        text_add(&telling->text, "%c%s%d", i == 0 ? ':' : ',', state_text(row, "family"),
                 state_number(row, "count"));
    }
}

/* ---- families */

static void add_family(struct telling *telling, char family)
{
    const json_t *member = village_family(telling->state, family);
    if (village_is_out(telling->state, family)) {
        text_add(&telling->text, "out");
        return;
    }
    text_add(&telling->text, "t%db%d%s:", state_number(member, "pieces"),
             state_number(member, "birds"),
             json_is_true(json_object_get(member, "barred")) ? "x" : "");
    for (int hut = 1; hut <= VILLAGE_HUTS; hut++) {
        const char *people = village_people(telling->state, family, hut);
        text_add(&telling->text, "%s%s", hut > 1 ? "," : "", *people ? people : "-");
    }
}

/* ---- spells of a family */

enum { PLACE_TEXT = 8, HUTS = VILLAGE_FAMILIES * VILLAGE_HUTS };

/* Where each spell is: what follows its letter in a position, and whether it is there at all. */
struct places {
    char at[VILLAGE_SPELLS][PLACE_TEXT]; /* ":R1!", ":R1", "" */
    bool used[VILLAGE_SPELLS];
};

struct hut_name {
    char text[3];
};

static struct hut_name hut_name(unsigned hut)
{
    return (struct hut_name){
        {village_families[hut / VILLAGE_HUTS], (char)('1' + hut % VILLAGE_HUTS), '\0'}};
}

static const json_t *hut_of(const json_t *state, unsigned hut)
{
    return village_hut(state, village_families[hut / VILLAGE_HUTS], (int)(hut % VILLAGE_HUTS) + 1);
}

static void set_place(struct places *places, size_t spell, const char *hut, const char *end)
{
    places->used[spell] = true;
    snprintf(places->at[spell], PLACE_TEXT, "%s%.2s%s", *hut ? ":" : "", hut, end);
}

static void find_uncovered(const json_t *state, struct places *places, char family)
{
    for (unsigned hut = 0; hut < HUTS; hut++) {
        const json_t *up = json_object_get(hut_of(state, hut), "up");
        for (size_t i = 0; i < VILLAGE_SPELLS; i++) {
            const char key[] = {village_spells[i], '\0'};
            if (strchr(state_text(up, key), family))
                set_place(places, i, hut_name(hut).text, "!");
        }
    }
}

/* Ours: in the hand, and face down. */
static void find_own(const json_t *mine, struct places *places)
{
    for (size_t i = 0; i < VILLAGE_SPELLS; i++) {
        const char key[] = {village_spells[i], '\0'};
        const char *hut = state_text(json_object_get(mine, "down"), key);
        if (*hut || strchr(state_text(mine, "hand"), *key))
            set_place(places, i, hut, "");
    }
}

/* The first spells that could be there stand for those that are. False: there are not so many. */
static bool suppose(struct places *places, const char *hut, int count)
{
    for (size_t i = 0; i < VILLAGE_SPELLS && count > 0; i++) {
        if (places->used[i])
            continue;
        set_place(places, i, hut, "");
        count--;
    }
    return count == 0;
}

static bool find_hidden(const json_t *state, struct places *places, char family)
{
    const char key[] = {family, '\0'};
    for (unsigned hut = 0; hut < HUTS; hut++) {
        const json_t *down = json_object_get(hut_of(state, hut), "down");
        if (!suppose(places, hut_name(hut).text, state_number(down, key)))
            return false;
    }
    return suppose(places, "", state_number(village_family(state, family), "chosen"));
}

static bool is_ours(const struct telling *telling, char family)
{
    return village_seat(telling->state, family) == telling->seat;
}

static void add_spells(struct telling *telling, char family)
{
    struct places places = {.used = {false}};
    bool any = false;
    find_uncovered(telling->state, &places, family);
    if (is_ours(telling, family))
        find_own(village_mine(telling->state, family), &places);
    else if (!find_hidden(telling->state, &places, family))
        telling->text.failed = true;
    for (size_t i = 0; i < VILLAGE_SPELLS; i++) {
        if (places.used[i])
            text_add(&telling->text, "%s%c%s", any ? "," : "", village_spells[i], places.at[i]);
        any = any || places.used[i];
    }
    if (!any)
        text_add(&telling->text, "-");
}

/* ---- what a family has written */

/* Of what others have written nothing is known: an empty note stands for it. */
static void add_note(struct telling *telling, char family)
{
    const char *note = village_step_is(telling->state, "write") ? "-" : "-,-,-";
    if (is_ours(telling, family))
        note = state_text(village_mine(telling->state, family), "note");
    if (json_is_true(json_object_get(village_family(telling->state, family), "written")))
        text_add(&telling->text, "+%s", note);
    else
        text_add(&telling->text, "-");
}

/* ---- all of it */

/* One part of each family that is in the game. */
static void add_each(struct telling *telling, void (*add)(struct telling *telling, char family))
{
    char between = ' ';
    for (const char *family = village_families; *family; family++) {
        if (!village_family(telling->state, *family))
            continue;
        text_add(&telling->text, "%c", between);
        add(telling, *family);
        between = '/';
    }
}

bool totem_state_position(struct totem *game, const struct totem_known *known, const json_t *state,
                          int seat)
{
    char bytes[TOTEM_POSITION_TEXT];
    struct telling telling = {state, seat, {.bytes = bytes, .size = sizeof bytes}};
    if (seat < 0 || seat >= TOTEM_SEATS_MAX)
        return false;
    add_options(&telling, known);
    add_step(&telling);
    add_each(&telling, add_family);
    add_each(&telling, add_spells);
    add_each(&telling, add_note);
    if (telling.text.failed || !totem_position_parse(bytes, telling.text.len, game, NULL, NULL))
        return false;
    totem_computer_hide(game, (unsigned)seat);
    return true;
}
