#include "totem_reference.h"

#include "totem_steps.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "RGBY", kinds[] = "gbwmWMe", spells[] = "GBTIAFMPHL";
static const char *const reveals[] = {"GBTI", "AF", "MPH", "L"}; /* of REVEAL3 and so on */

enum { ROOM = 6, ALL_ROOM = 18 };

static int index_of(const char *row, char letter)
{
    const char *at = letter ? strchr(row, letter) : NULL;
    return at ? (int)(at - row) : -1;
}

/* ---- reading commands */

/* "R2", and *at moves on; -1: none of the game. */
static int read_hut(const struct totem_reference *reference, const char **at)
{
    int family = index_of(letters, (*at)[0]);
    int hut = family < 0 ? -1 : index_of("123", (*at)[1]);
    if (hut < 0 || !reference->village.of[family].in)
        return -1;
    *at += 2;
    return family * HUTS + hut;
}

static bool read_people(const char *at, int people[HUTS][KINDS])
{
    memset(people, 0, sizeof(int[HUTS][KINDS]));
    for (int hut = 0; hut < HUTS; hut++) {
        int kind = 0;
        if (*at == '-')
            at++;
        else if (index_of(kinds, *at) < 0)
            return false;
        for (; index_of(kinds, *at) >= kind && *at != '/'; at++) {
            kind = index_of(kinds, *at);
            people[hut][kind]++;
        }
        if (*at++ != (hut + 1 < HUTS ? '/' : '\0'))
            return false;
    }
    return true;
}

static bool read_set(const char *at, bool set[SPELLS])
{
    int last = -1;
    memset(set, 0, SPELLS * sizeof *set);
    if (strcmp(at, "-") == 0)
        return true;
    for (; *at; at++) {
        int spell = index_of(spells, *at);
        if (spell <= last)
            return false;
        set[last = spell] = true;
    }
    return last >= 0;
}

static bool read_puts(const struct totem_reference *reference, const char *at, int huts[SPELLS])
{
    int last = -1;
    for (int spell = 0; spell < SPELLS; spell++)
        huts[spell] = -1;
    if (strcmp(at, "-") == 0)
        return true;
    for (;;) {
        int spell = index_of(spells, *at);
        if (spell <= last || at[1] != ':')
            return false;
        at += 2;
        huts[last = spell] = read_hut(reference, &at);
        if (huts[spell] < 0)
            return false;
        if (*at == '\0')
            return true;
        if (*at++ != ',')
            return false;
    }
}

/* ---- commands: each checks and does it */

static int count_people(int people[HUTS][KINDS], int kind)
{
    return people[0][kind] + people[1][kind] + people[2][kind];
}

static bool settle(struct totem_reference *reference, int index, const char *text)
{
    struct family *family = &reference->village.of[index];
    int people[HUTS][KINDS], staying = 0, all = village_count(family);
    if (!read_people(text, people))
        return false;
    for (int hut = 0; hut < HUTS; hut++) {
        int in_hut = 0;
        for (int kind = 0; kind < KINDS; kind++)
            in_hut += people[hut][kind];
        if (in_hut > ROOM)
            return false;
        staying += in_hut;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        if (count_people(people, kind) > village_of_kind(family, (enum kind)kind))
            return false;
    }
    if (staying != (all < ALL_ROOM ? all : ALL_ROOM) ||
        count_people(people, YOUNG_WOMAN) + count_people(people, WOMAN) == 0 ||
        count_people(people, YOUNG_MAN) + count_people(people, MAN) == 0)
        return false;
    bool lost = village_of_kind(family, ELDER) > 0 && count_people(people, ELDER) == 0;
    memcpy(family->people, people, sizeof people);
    village_mourn(&reference->village, index, lost);
    return true;
}

static bool choose(struct totem_reference *reference, int index, const char *text)
{
    struct family *family = &reference->village.of[index];
    bool set[SPELLS];
    int count = 0;
    if (!read_set(text, set))
        return false;
    for (int spell = 0; spell < SPELLS; spell++)
        count += set[spell];
    if (count > steps_allowance(family))
        return false;
    for (int spell = 0; spell < SPELLS; spell++) {
        if (set[spell])
            family->spells[spell].where = CHOSEN;
    }
    if (count > family->pieces)
        family->birds -= count - family->pieces;
    return true;
}

static bool cast(struct totem_reference *reference, int index, const char *text)
{
    struct family *family = &reference->village.of[index];
    int huts[SPELLS], spell = index_of(spells, *text);
    if (spell < 0 || !read_puts(reference, text, huts) || strchr(text, ',') ||
        family->spells[spell].where != (reference->spells_by == 't' ? CHOSEN : HOME))
        return false;
    family->spells[spell] = (struct spell){DOWN, huts[spell]};
    if (reference->spells_by == 'A' && village_spells(family, DOWN) > family->pieces)
        family->birds--;
    if (steps_can_cast(reference, family))
        steps_enqueue(reference, index);
    return true;
}

static bool write_down(struct totem_reference *reference, int index, const char *text)
{
    struct family *family = &reference->village.of[index];
    struct note note = {.written = true};
    int count = 0;
    if (!read_puts(reference, text, note.hut))
        return false;
    for (int spell = 0; spell < SPELLS; spell++)
        count += note.hut[spell] >= 0;
    if (count > steps_allowance(family))
        return false;
    family->note = note;
    reference->written[reference->written_count++] = index;
    return true;
}

static bool reveal(struct totem_reference *reference, int index, const char *text)
{
    struct family *family = &reference->village.of[index];
    bool set[SPELLS];
    if (!read_set(text, set))
        return false;
    for (int spell = 0; spell < SPELLS; spell++) {
        if (!set[spell])
            continue;
        if (family->spells[spell].where != DOWN ||
            !strchr(reveals[reference->step - REVEAL3], spells[spell]))
            return false;
        family->spells[spell].where = UP;
    }
    return true;
}

/* People of the one that is hungry, as many as the family must name. */
static bool read_named(const struct totem_reference *reference, int index, const char *text,
                       int people[HUTS][KINDS])
{
    const struct family *victim = &reference->village.of[reference->hungry[0].family];
    int count = 0;
    if (!read_people(text, people))
        return false;
    for (int cell = 0; cell < HUTS * KINDS; cell++) {
        int hut = cell / KINDS, kind = cell % KINDS;
        count += people[hut][kind];
        if (people[hut][kind] > victim->people[hut][kind])
            return false;
    }
    return count == steps_share(reference, index) &&
           (reference->step == TAKE || count_people(people, ELDER) == 0);
}

static bool starve(struct totem_reference *reference, int index, const char *text)
{
    int people[HUTS][KINDS];
    if (reference->hungry[0].family != index || !read_named(reference, index, text, people))
        return false;
    steps_people_go(reference, index, people);
    steps_next_hungry(reference);
    return true;
}

static bool take(struct totem_reference *reference, int index, const char *text)
{
    int people[HUTS][KINDS], victim = reference->hungry[0].family;
    if (text[0] != letters[victim] || text[1] != ':' ||
        !read_named(reference, index, text + 2, people))
        return false;
    if (reference->meals_by == 'B') {
        struct note *note = &reference->village.of[index].note;
        note->written = true;
        memcpy(note->people, people, sizeof people);
        reference->written[reference->written_count++] = index;
        return true;
    }
    steps_people_go(reference, victim, people);
    reference->hungry[0].number--;
    if (reference->queued == 0 || village_count(&reference->village.of[victim]) == 0) {
        reference->queued = 0;
        steps_next_hungry(reference);
    }
    return true;
}

typedef bool command(struct totem_reference *reference, int index, const char *text);

/* The command of this step, if the text begins with its word; the rest of the text is left. */
static command *find_command(const struct totem_reference *reference, const char **text)
{
    static command *const commands[] = {settle, choose, cast,   write_down, reveal,
                                        reveal, reveal, reveal, starve,     take};
    size_t len = strcspn(totem_step_words[reference->step], "3467");
    if (reference->step == OVER || strncmp(*text, totem_step_words[reference->step], len) != 0 ||
        (*text)[len] != '@')
        return NULL;
    *text += len + 1;
    return commands[reference->step];
}

static int place_in_queue(const struct totem_reference *reference, int family)
{
    int last = steps_all_at_once(reference) ? reference->queued : 1;
    for (int i = 0; i < last && i < reference->queued; i++) {
        if (reference->queue[i] == family)
            return i;
    }
    return -1;
}

static bool pass(struct totem_reference *reference, unsigned seat, const char *text)
{
    int family = index_of(letters, text[0]);
    if (reference->step != CAST || reference->spells_by != 'A' || family < 0 || text[1] != '\0' ||
        village_seat(&reference->village, family) != (int)seat || reference->queue[0] != family)
        return false;
    steps_dequeue(reference, 0);
    steps_go_on(reference);
    return true;
}

bool totem_reference_move(struct totem_reference *reference, unsigned seat, const char *text)
{
    if (strncmp(text, "pass@", 5) == 0)
        return pass(reference, seat, text + 5);
    command *does = find_command(reference, &text);
    int family = does ? index_of(letters, text[0]) : -1;
    int at = family < 0 ? -1 : place_in_queue(reference, family);
    if (at < 0 || village_seat(&reference->village, family) != (int)seat || text[1] != '=')
        return false;
    steps_dequeue(reference, at);
    if (!does(reference, family, text + 2))
        return false;
    steps_go_on(reference);
    return true;
}

/* ---- taking back, leaving */

bool totem_reference_undo(struct totem_reference *reference, unsigned seat)
{
    for (int i = reference->written_count; i-- > 0;) {
        int family = reference->written[i];
        if (village_seat(&reference->village, family) != (int)seat)
            continue;
        memset(&reference->village.of[family].note, 0, sizeof(struct note));
        reference->written_count--;
        for (; i < reference->written_count; i++)
            reference->written[i] = reference->written[i + 1];
        if (reference->step == WRITE)
            steps_ask(reference, WRITE);
        else
            steps_ask_takers(reference);
        return true;
    }
    return false;
}

/* Spells of others on its huts go home; those that are written for them are not cast. */
static void family_leaves(struct totem_reference *reference, int leaver)
{
    reference->village.of[leaver] = (struct family){0};
    for (int i = 0; i < FAMILIES * SPELLS; i++) {
        struct family *family = &reference->village.of[i / SPELLS];
        struct spell *spell = &family->spells[i % SPELLS];
        if ((spell->where == DOWN || spell->where == UP) && spell->hut / HUTS == leaver)
            *spell = (struct spell){HOME, 0};
        int *hut = &family->note.hut[i % SPELLS];
        if (reference->step == WRITE && family->note.written && *hut >= 0 && *hut / HUTS == leaver)
            *hut = -1;
    }
    for (int i = reference->written_count; i-- > 0;) {
        if (reference->written[i] != leaver)
            continue;
        reference->written_count--;
        for (int k = i; k < reference->written_count; k++)
            reference->written[k] = reference->written[k + 1];
    }
}

static void stop_asking(struct totem_reference *reference)
{
    bool reveals_now = reference->step >= REVEAL3 && reference->step <= REVEAL7;
    for (int i = reference->queued; i-- > 0;) {
        const struct family *family = &reference->village.of[reference->queue[i]];
        if (!family->in || (reveals_now && village_spells(family, DOWN) == 0))
            steps_dequeue(reference, i);
    }
}

static void leave_meal(struct totem_reference *reference)
{
    bool victim_left = !reference->village.of[reference->hungry[0].family].in;
    int kept = 0;
    for (int i = 0; i < reference->hungry_count; i++) {
        if (reference->village.of[reference->hungry[i].family].in)
            reference->hungry[kept++] = reference->hungry[i];
    }
    reference->hungry_count = kept;
    if (reference->step == TAKE && victim_left) {
        steps_forget_notes(reference);
        steps_meal_goes_on(reference);
    } else if (reference->step == TAKE && reference->meals_by == 'B') {
        steps_ask_takers(reference);
    } else {
        stop_asking(reference);
        if (reference->step == TAKE && reference->queued == 0)
            steps_next_hungry(reference);
    }
}

bool totem_reference_forfeit(struct totem_reference *reference, unsigned seat)
{
    struct village *village = &reference->village;
    unsigned seats = 0;
    bool left = false;
    for (int i = 0; i < village->families; i++) {
        if (village->of[i].in && village_seat(village, i) == (int)seat) {
            family_leaves(reference, i);
            left = true;
        }
        seats |= village->of[i].in ? 1U << village_seat(village, i) : 0;
    }
    if (!left || reference->step == OVER)
        return false;
    if ((seats & (seats - 1)) == 0) {
        steps_end(reference, "last-standing", village_order(village));
        return true;
    }
    if (reference->hungry_count > 0)
        leave_meal(reference);
    else
        stop_asking(reference);
    steps_go_on(reference);
    return true;
}

/* ---- beginning */

static char variant(const json_t *options, const char *key)
{
    return json_string_value(json_object_get(options, key))[0];
}

struct totem_reference *totem_reference_create(const json_t *state,
                                               const unsigned char key[TOTEM_KEY_BYTES])
{
    struct totem_reference *reference = calloc(1, sizeof *reference);
    const json_t *options = json_object_get(state, "options"),
                 *table = json_object_get(state, "table");
    assert(reference);
    memcpy(reference->key, key, TOTEM_KEY_BYTES);
    reference->spells_by = variant(options, "spells");
    reference->meals_by = variant(options, "meals");
    reference->rounds = (int)json_integer_value(json_object_get(options, "rounds"));
    struct village *village = &reference->village;
    village->players = (int)json_integer_value(json_object_get(options, "players"));
    village->families = village->players == 3 ? 3 : FAMILIES;
    village->small = json_is_true(json_object_get(options, "village"));
    village->whole_pole = json_is_true(json_object_get(options, "totem_a"));
    village->ties_divided = json_is_true(json_object_get(options, "totem_b"));
    village->owner_starves = reference->meals_by == 'o';
    village->first = index_of(letters, variant(table, "first"));
    village_begin(village);
    steps_ask(reference, SETTLE);
    return reference;
}

void totem_reference_destroy(struct totem_reference *reference)
{
    free(reference);
}
