/*
 * What a random player does. It looks at the answer to `moves` alone, and takes as long whatever
 * it decides: how long it thinks is the caller's to say.
 */
#include "parts.h"
#include "people.h"
#include "village.h"
#include <cli/state.h>
#include <string.h>

const char *totem_move_choose(struct rng *rng, const json_t *state, const char **moves,
                              size_t count)
{
    (void)state;
    return moves[rng_below(rng, (uint32_t)count)];
}

/* What one family is asked, and the command that is being made. */
struct making {
    const json_t *asked;
    struct rng *rng;
    char family;
    char rest[PEOPLE_TEXT + 8];
};

static void shuffle_letters(struct rng *rng, char *letters)
{
    for (size_t left = strlen(letters); left > 1; left--) {
        size_t with = rng_below(rng, (uint32_t)left);
        char letter = letters[left - 1];
        letters[left - 1] = letters[with];
        letters[with] = letter;
    }
}

/* Moves one of the kinds to the front, that it is among those who stay. */
static void put_first(char *letters, size_t place, const char *kinds)
{
    size_t found = place + strcspn(letters + place, kinds);
    char letter = letters[found];
    if (letter == '\0')
        return;
    letters[found] = letters[place];
    letters[place] = letter;
}

static bool make_settle(struct making *making)
{
    char people[PEOPLE_HUT_MOST + 1];
    struct people huts[VILLAGE_HUTS] = {0};
    int stay = state_number(making->asked, "stay");
    snprintf(people, sizeof people, "%s", state_text(making->asked, "people"));
    if (stay < 1 || stay > VILLAGE_HUTS * VILLAGE_HUT_ROOM || (size_t)stay > strlen(people))
        return false;
    shuffle_letters(making->rng, people);
    put_first(people, 0, "wW");
    put_first(people, 1, "mM");
    people[stay] = '\0';
    for (const char *who = people; *who; who++) {
        uint32_t hut = rng_below(making->rng, VILLAGE_HUTS);
        while (people_count(&huts[hut]) == VILLAGE_HUT_ROOM)
            hut = (hut + 1) % VILLAGE_HUTS;
        people_add(&huts[hut], (const char[2]){*who, '\0'});
    }
    people_write(making->rest, huts);
    return true;
}

/* Some of the spells, in their order; how many. */
static size_t some_spells(struct making *making, char chosen[VILLAGE_SPELLS + 1], int most)
{
    char spells[VILLAGE_SPELLS + 1];
    size_t len = 0;
    snprintf(spells, sizeof spells, "%s", state_text(making->asked, "spells"));
    shuffle_letters(making->rng, spells);
    most = most < 0 ? 0 : most > (int)strlen(spells) ? (int)strlen(spells) : most;
    spells[rng_below(making->rng, (uint32_t)most + 1)] = '\0';
    for (const char *spell = village_spells; *spell; spell++) {
        if (strchr(spells, *spell))
            chosen[len++] = *spell;
    }
    chosen[len] = '\0';
    return len;
}

static bool make_choose(struct making *making)
{
    char chosen[VILLAGE_SPELLS + 1];
    some_spells(making, chosen, state_number(making->asked, "most"));
    snprintf(making->rest, sizeof making->rest, "%s", *chosen ? chosen : "-");
    return true;
}

static bool make_write(struct making *making)
{
    char chosen[VILLAGE_SPELLS + 1];
    const json_t *huts = json_object_get(making->asked, "huts");
    size_t len = 0;
    if (json_array_size(huts) == 0)
        return false;
    some_spells(making, chosen, state_number(making->asked, "most"));
    for (const char *spell = chosen; *spell; spell++) {
        const json_t *hut =
            json_array_get(huts, rng_below(making->rng, (uint32_t)json_array_size(huts)));
        len += (size_t)snprintf(making->rest + len, sizeof making->rest - len, "%s%c:%.2s",
                                len > 0 ? "," : "", *spell,
                                json_is_string(hut) ? json_string_value(hut) : "??");
    }
    if (len == 0)
        snprintf(making->rest, sizeof making->rest, "-");
    return true;
}

/* `count` persons out of all who can be chosen. */
static bool make_loss(struct making *making)
{
    struct {
        char kind;
        int hut;
    } all[VILLAGE_HUTS * PEOPLE_HUT_MOST];
    struct people huts[VILLAGE_HUTS] = {0};
    char path[] = "people.R1", text[PEOPLE_TEXT];
    int found = 0, count = state_number(making->asked, "count");
    const char from = *state_text(making->asked, "from");
    for (int hut = 0; hut < VILLAGE_HUTS; hut++) {
        path[sizeof path - 3] = from;
        path[sizeof path - 2] = (char)('1' + hut);
        const char *people = state_text(making->asked, path);
        for (size_t i = 0; people[i] && i < PEOPLE_HUT_MOST; i++, found++) {
            all[found].kind = people[i];
            all[found].hut = hut;
        }
    }
    if (!village_is_one(village_families, from) || count < 1 || count > found)
        return false;
    for (; count > 0; count--) {
        uint32_t at = rng_below(making->rng, (uint32_t)found--);
        people_add(&huts[all[at].hut], (const char[2]){all[at].kind, '\0'});
        all[at] = all[found];
    }
    people_write(text, huts);
    bool take = strcmp(state_text(making->asked, "kind"), "take") == 0;
    snprintf(making->rest, sizeof making->rest, "%.*s%s%s", take ? 1 : 0, &from, take ? ":" : "",
             text);
    return true;
}

static const struct {
    const char *kind;
    bool (*make)(struct making *making);
} kinds[] = {
    {"settle", make_settle}, {"choose", make_choose}, {"write", make_write},
    {"starve", make_loss},   {"take", make_loss},
};

bool totem_move_make(struct game_move *move, struct rng *rng, const struct game_room *room)
{
    *move = (struct game_move){.confirm = false};
    for (const char *family = village_families; *family; family++) {
        const char key[2] = {*family, '\0'};
        struct making making = {.rng = rng, .family = *family};
        making.asked = json_object_get(state_at(room->legal, "asked"), key);
        const char *kind = state_text(making.asked, "kind");
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            if (strcmp(kinds[i].kind, kind) != 0 || !kinds[i].make(&making))
                continue;
            snprintf(move->text, sizeof move->text, "%s@%c=%s", kind, *family, making.rest);
            return true;
        }
    }
    return false;
}
