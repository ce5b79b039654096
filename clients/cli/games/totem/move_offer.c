/*
 * What Tab offers where the server lists no commands because there are too many: the next letter
 * of what is being typed, out of what the server says can be used.
 */
#include "parts.h"
#include "people.h"
#include "village.h"
#include <cli/state.h>
#include <string.h>

enum { LINE_MAX_BYTES = 256 };

/* What one family is asked, and the line that somebody has begun. */
struct offering {
    const json_t *asked;
    const char *begun;
    char base[24]; /* "settle ", "write R " */
    game_offer_fn *offer;
    void *user;
};

/* Offers the line if it begins with what is typed. */
static void offer_line(const struct offering *offering, const char *line)
{
    if (strncmp(line, offering->begun, strlen(offering->begun)) == 0)
        offering->offer(offering->user, line);
}

static void offer_rest(const struct offering *offering, const char *rest)
{
    char line[LINE_MAX_BYTES];
    snprintf(line, sizeof line, "%s%s", offering->base, rest);
    offer_line(offering, line);
}

/* What is typed behind the base, NULL if the base is not complete. */
static const char *typed_behind(const struct offering *offering)
{
    size_t len = strlen(offering->base);
    return strncmp(offering->begun, offering->base, len) == 0 ? offering->begun + len : NULL;
}

/* What is typed, and one letter or word more. */
static void offer_more(const struct offering *offering, const char *more)
{
    char line[LINE_MAX_BYTES];
    snprintf(line, sizeof line, "%s%s", offering->begun, more);
    offer_line(offering, line);
}

static void offer_letter(const struct offering *offering, char letter)
{
    offer_more(offering, (const char[2]){letter, '\0'});
}

/* ---- people */

static void suggest_huts(char text[PEOPLE_TEXT], const char *people, int stay)
{
    struct people all = {0}, huts[VILLAGE_HUTS] = {0};
    people_add(&all, people);
    people_spread(huts, &all, stay);
    people_write(text, huts);
}

/* The list that is being typed: which hut, who is in all lists, how many in this one. */
struct lists {
    int hut, here, total;
    struct people used, used_here;
    bool readable;
};

static struct lists read_typed(const char *text)
{
    struct lists lists = {.readable = true};
    while (*text) {
        size_t len = people_add(&lists.used_here, text);
        people_add(&lists.used, text);
        lists.here += (int)len;
        lists.total += (int)len;
        text += len;
        if (*text == '-' && lists.here == 0)
            text++;
        if (*text == '/') {
            lists.hut++;
            lists.here = 0;
            lists.used_here = (struct people){0};
            text++;
        } else if (*text) {
            lists.readable = false;
            return lists;
        }
    }
    return lists;
}

/* The next person out of these, and the next hut. */
static void offer_people(const struct offering *offering, const struct lists *lists,
                         const struct people *left, int most_here, int most)
{
    if (lists->total == most) {
        offer_more(offering, "");
        return;
    }
    for (int kind = 0; kind < VILLAGE_KINDS && lists->here < most_here; kind++) {
        if (left->of[kind] > 0)
            offer_letter(offering, village_kinds[kind]);
    }
    if (lists->hut + 1 < VILLAGE_HUTS)
        offer_letter(offering, '/');
}

static void offer_settle(const struct offering *offering)
{
    char text[PEOPLE_TEXT];
    struct people left = {0};
    const char *people = state_text(offering->asked, "people"), *rest = typed_behind(offering);
    int stay = state_number(offering->asked, "stay");
    if (strlen(people) > PEOPLE_HUT_MOST)
        return;
    if (!rest || !*rest) {
        suggest_huts(text, people, stay);
        offer_rest(offering, text);
        return;
    }
    struct lists lists = read_typed(rest);
    people_add(&left, people);
    for (int kind = 0; kind < VILLAGE_KINDS; kind++)
        left.of[kind] -= lists.used.of[kind];
    if (lists.readable && lists.hut < VILLAGE_HUTS)
        offer_people(offering, &lists, &left, VILLAGE_HUT_ROOM, stay);
}

/* `starve` and `take`: of those who are in the hut. */
static void offer_loss(const struct offering *offering)
{
    struct people left = {0};
    const char *rest = typed_behind(offering);
    char path[] = "people.R1";
    if (!rest) {
        offer_rest(offering, "");
        return;
    }
    struct lists lists = read_typed(rest);
    if (!lists.readable || lists.hut >= VILLAGE_HUTS)
        return;
    path[sizeof path - 3] = *state_text(offering->asked, "from");
    path[sizeof path - 2] = (char)('1' + lists.hut);
    people_add(&left, state_text(offering->asked, path));
    for (int kind = 0; kind < VILLAGE_KINDS; kind++)
        left.of[kind] -= lists.used_here.of[kind];
    offer_people(offering, &lists, &left, PEOPLE_HUT_MOST, state_number(offering->asked, "count"));
}

/* ---- spells */

static void offer_choose(const struct offering *offering)
{
    const char *spells = state_text(offering->asked, "spells"), *rest = typed_behind(offering);
    if (!rest || !*rest) {
        offer_rest(offering, "none");
        if (!rest)
            return;
    }
    const char *last = *rest ? strchr(spells, rest[strlen(rest) - 1]) : spells;
    if (!last)
        return;
    if (*rest)
        offer_more(offering, "");
    if ((int)strlen(rest) >= state_number(offering->asked, "most"))
        return;
    for (last += *rest != '\0'; *last; last++)
        offer_letter(offering, *last);
}

/* After a comma a spell that is not written yet. */
static void offer_spells(const struct offering *offering, const char *rest)
{
    for (const char *spell = state_text(offering->asked, "spells"); *spell; spell++) {
        const char put[3] = {*spell, ':', '\0'};
        if (!strstr(rest, put))
            offer_more(offering, put);
    }
}

static void offer_huts(const struct offering *offering, const char *begun_hut)
{
    size_t i;
    json_t *hut;
    json_array_foreach(json_object_get(offering->asked, "huts"), i, hut)
    {
        const char *name = json_string_value(hut);
        if (name && strncmp(name, begun_hut, strlen(begun_hut)) == 0)
            offer_more(offering, name + strlen(begun_hut));
    }
}

/* Behind a spell and its hut: that is all, or another one follows. */
static void offer_comma(const struct offering *offering, int written)
{
    offer_more(offering, "");
    if (written < state_number(offering->asked, "most"))
        offer_letter(offering, ',');
}

static void offer_write(const struct offering *offering)
{
    const char *rest = typed_behind(offering), *put;
    int written = 1;
    if (!rest || !*rest) {
        offer_rest(offering, "none");
        if (!rest)
            return;
    }
    for (put = rest; strchr(put, ','); put = strchr(put, ',') + 1)
        written++;
    if (*put == '\0')
        offer_spells(offering, rest);
    else if (put[1] == ':' && strlen(put) < 4)
        offer_huts(offering, put + 2);
    else if (put[1] == ':')
        offer_comma(offering, written);
}

/* ---- all */

static const struct {
    const char *kind;
    void (*offer)(const struct offering *offering);
} kinds[] = {
    {"settle", offer_settle}, {"choose", offer_choose}, {"write", offer_write},
    {"starve", offer_loss},   {"take", offer_loss},
};

/* Does the server list commands of this family? */
static bool is_listed(const json_t *legal, char family)
{
    size_t i;
    json_t *move;
    json_array_foreach(json_object_get(legal, "moves"), i, move)
    {
        const char *at = json_is_string(move) ? strchr(json_string_value(move), '@') : NULL;
        if (at && at[1] == family)
            return true;
    }
    return false;
}

void totem_move_offer(const struct game_room *room, const char *begun, game_offer_fn *offer,
                      void *user)
{
    char ours[VILLAGE_FAMILIES + 1];
    if (strlen(begun) > LINE_MAX_BYTES / 2)
        return;
    village_led_by(ours, room->state, room->seat);
    for (const char *family = ours; *family; family++) {
        const char key[2] = {*family, '\0'};
        struct offering offering = {.begun = begun, .offer = offer, .user = user};
        offering.asked = json_object_get(state_at(room->legal, "asked"), key);
        const char *kind = state_text(offering.asked, "kind");
        if (!offering.asked || is_listed(room->legal, *family))
            continue;
        snprintf(offering.base, sizeof offering.base, "%.10s %s%s", kind, ours[1] ? key : "",
                 ours[1] ? " " : "");
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            if (strcmp(kinds[i].kind, kind) == 0)
                kinds[i].offer(&offering);
        }
    }
}
