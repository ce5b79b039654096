/*
 * Totem in words: what is played, what is to be done, what somebody has.
 */
#include "draw.h"
#include "parts.h"
#include "village.h"
#include <cli/state.h>
#include <stdarg.h>
#include <string.h>

/* Appends to a text that is terminated. */
static void add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(char *text, size_t size, const char *format, ...)
{
    size_t len = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + len, size - len, format, arguments);
    va_end(arguments);
}

void totem_options_print(const json_t *options, FILE *out)
{
    static const struct {
        const char *key, *word;
    } flags[] = {{"village", "village"}, {"totem_a", "totem A"}, {"totem_b", "totem B"}};
    const char *first = state_text(options, "first");
    fprintf(out, "%d rounds, spells %s, meals %s", state_number(options, "rounds"),
            state_text(options, "spells"), state_text(options, "meals"));
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (json_is_true(state_at(options, flags[i].key)))
            fprintf(out, ", %s", flags[i].word);
    }
    if (village_is_one(village_families, *first))
        fprintf(out, ", %s first", village_family_name(*first));
}

void totem_title(char *text, size_t size, const json_t *state)
{
    *text = '\0';
    if (state_at(state, "table.round"))
        snprintf(text, size, "round %d/%d", state_number(state, "table.round"),
                 state_number(state, "options.rounds"));
}

/* ---- steps */

/* One row for each step: `task` of one family, whose name comes behind it, or `of_all`. */
static const struct step_row {
    const char *name, *task, *of_all, *prompt, *phase;
} steps[] = {
    {"settle", "settle", "settle", "settle", ""},
    {"choose", "choose spells for", "choose spells", "choose", ""},
    {"cast", "place a spell of", "place a spell", "cast", ""},
    {"write", "write spells for", "write spells", "write", ""},
    {"reveal3", "uncover spells of", "uncover spells", "reveal", " (births)"},
    {"reveal4", "uncover spells of", "uncover spells", "reveal", " (catch)"},
    {"reveal6", "uncover spells of", "uncover spells", "reveal", " (illness)"},
    {"reveal7", "uncover spells of", "uncover spells", "reveal", " (growing older)"},
    {"starve", "choose who starves of", "choose who starves", "starve", ""},
    {"take", "choose whom to take as", "write whom to take", "take", ""},
};

static const struct step_row *step_row(const json_t *state)
{
    static const struct step_row unknown = {"", "act for", "act", "", ""};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (village_step_is(state, steps[i].name))
            return &steps[i];
    }
    return &unknown;
}

void totem_task(char *text, size_t size, const json_t *state)
{
    char family = village_acting(state, 0);
    if (family && !village_at_once(state))
        snprintf(text, size, "%s %s%s", step_row(state)->task, village_family_name(family),
                 step_row(state)->phase);
    else
        snprintf(text, size, "%s", step_row(state)->of_all);
}

/* Which of our families, where we lead two. */
void totem_prompt(char *text, size_t size, const struct game_room *room)
{
    char ours[VILLAGE_FAMILIES + 1];
    village_led_by(ours, room->state, room->seat);
    snprintf(text, size, "%s", step_row(room->state)->prompt);
    for (const char *family = ours; *family && ours[1]; family++) {
        if (village_acts(room->state, *family))
            add(text, size, " %c", *family);
    }
    add(text, size, "%s", step_row(room->state)->phase);
}

/* ---- what is asked */

/* How many spells; there is less room where two families are asked. */
static void add_free(char *text, size_t size, const char *kind, const json_t *asked, bool brief)
{
    int most = state_number(asked, "most"), free = state_number(asked, "free");
    add(text, size, "%s up to %d%s", kind, most, brief ? "" : most == 1 ? " spell" : " spells");
    if (free < most)
        add(text, size, brief ? ", %d free" : ", %d free, others a bird each", free);
}

static size_t people_asked(const json_t *asked)
{
    return strlen(state_text(asked, "people"));
}

static void add_asked(char *text, size_t size, char family, const json_t *asked, bool brief)
{
    const char *kind = state_text(asked, "kind"), *spells = state_text(asked, "spells");
    int stay = state_number(asked, "stay"), count = state_number(asked, "count");
    add(text, size, "%s%c: ", *text ? "; " : "", family);
    if (strcmp(kind, "settle") == 0 && (size_t)stay < people_asked(asked))
        add(text, size, "settle %d of %zu people, 6 in a hut", stay, people_asked(asked));
    else if (strcmp(kind, "settle") == 0)
        add(text, size, "settle %d people, 6 in a hut", stay);
    else if (strcmp(kind, "choose") == 0 || strcmp(kind, "write") == 0)
        add_free(text, size, kind, asked, brief);
    else if (strcmp(kind, "cast") == 0)
        add(text, size, "place one of %s%s", spells,
            state_at(asked, "free") && state_number(asked, "free") == 0 ? " for a bird" : "");
    else if (strcmp(kind, "reveal") == 0 && !*spells)
        add(text, size, "nothing to uncover: press Enter");
    else if (strcmp(kind, "reveal") == 0)
        add(text, size, "`reveal %s`, or some of it, or none", spells);
    else if (strcmp(kind, "starve") == 0)
        add(text, size, "%d must starve, no elders", count);
    else if (strcmp(kind, "take") == 0)
        add(text, size, "take %d of %s", count, village_family_name(*state_text(asked, "from")));
}

/* Whom everybody waits for, in the order in which they act. */
static void waiting_text(char *text, size_t size, const json_t *state)
{
    char family = village_acting(state, 0);
    bool at_once = village_at_once(state);
    *text = '\0';
    for (size_t i = 0; family && i < 2 * VILLAGE_FAMILIES; family = village_acting(state, ++i))
        add(text, size, "%s%s",
            i == 0             ? "To act: "
            : at_once || i > 1 ? ", "
                               : ", then ",
            village_family_name(family));
}

void totem_ask(char *text, size_t size, const struct game_room *room)
{
    const json_t *all = state_at(room->legal, "asked");
    *text = '\0';
    for (const char *family = village_families; *family; family++) {
        const char key[2] = {*family, '\0'};
        const json_t *asked = json_object_get(all, key);
        if (asked)
            add_asked(text, size, *family, asked, json_object_size(all) > 1);
    }
    if (*text == '\0')
        waiting_text(text, size, room->state);
}

/* ---- players */

/* " pole 2", or " pole R2 B1" of a seat that leads two. */
static void add_numbers(char *text, size_t size, const json_t *state, const char *ours,
                        const char *word, const char *key)
{
    add(text, size, "%s%s ", *text ? " " : "", word);
    for (const char *family = ours; *family; family++) {
        const json_t *row = village_family(state, *family);
        if (ours[1])
            add(text, size, "%c%d", *family, state_number(row, key));
        else
            add(text, size, "%d", state_number(row, key));
    }
}

void totem_seat_line(char *text, size_t size, const json_t *state, int seat)
{
    char ours[VILLAGE_FAMILIES + 1];
    village_led_by(ours, state, seat);
    *text = '\0';
    if (!*ours || village_is_out(state, *ours))
        return;
    add_numbers(text, size, state, ours, "pole", "pieces");
    add_numbers(text, size, state, ours, "birds", "birds");
    if (!ours[1])
        add(text, size, " ppl %d", village_count(state, *ours));
}

const char *totem_seat_word(const json_t *state, int seat)
{
    char ours[VILLAGE_FAMILIES + 1];
    village_led_by(ours, state, seat);
    return *ours && village_is_out(state, *ours) ? "out" : "";
}

struct style totem_colour_style(const char *colour)
{
    for (const char *family = village_families; colour && *family; family++) {
        if (strcmp(village_family_name(*family), colour) == 0)
            return draw_family_style(*family);
    }
    return draw_family_style('\0');
}
