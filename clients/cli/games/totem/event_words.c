/*
 * Events of Totem in sentences: what was done, and what followed from it. What is hidden from us
 * is hidden in the event already.
 */
#include "parts.h"
#include "sentence.h"
#include "village.h"
#include <cli/state.h>
#include <ctype.h>
#include <string.h>

/* "G:Y2,T:R1" as "girls on Y2, twins on R1"; what we may not know is "a spell". */
static void say_puts(const struct sentence *to, const char *puts)
{
    for (const char *at = puts; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t len = strcspn(at, ",");
        bool known = village_is_one(village_spells, *at);
        if (len == 4 && at[1] == ':')
            sentence_add(to, "%s%s on %.2s", at == puts ? "" : ", ",
                         known ? village_spell_name(*at) : "a spell", at + 2);
    }
}

/* "GT" as "girls and twins". */
static void say_spells(const struct sentence *to, const char *set)
{
    for (const char *at = set; *at; at++)
        sentence_add(to, "%s%s", at == set ? "" : at[1] ? ", " : " and ", village_spell_name(*at));
}

/* ---- what was done */

static void say_choice(const struct sentence *to, const char *set)
{
    if (strcmp(set, "-") == 0 || strcmp(set, "*0") == 0) {
        sentence_add(to, "lays no spells aside");
        return;
    }
    sentence_add(to, "lays ");
    if (*set == '*')
        sentence_add(to, "%.2s spell%s", set + 1, strcmp(set, "*1") == 0 ? "" : "s");
    else
        say_spells(to, set);
    sentence_add(to, " aside");
}

static void say_cast(const struct sentence *to, const char *put)
{
    sentence_add(to, "places ");
    say_puts(to, put);
}

static void say_written(const struct sentence *to, const char *puts)
{
    if (*puts == '*') {
        sentence_add(to, "has written");
        return;
    }
    sentence_add(to, "writes ");
    if (*puts == '-')
        sentence_add(to, "nothing");
    else
        say_puts(to, puts);
}

static void say_revealed(const struct sentence *to, const char *set)
{
    sentence_add(to, "uncovers ");
    if (*set == '-')
        sentence_add(to, "nothing");
    else
        say_spells(to, set);
}

static void say_settled(const struct sentence *to, const char *people)
{
    sentence_add(to, "settles %s", people);
}

static void say_passed(const struct sentence *to, const char *nothing)
{
    (void)nothing;
    sentence_add(to, "passes");
}

static void say_starved(const struct sentence *to, const char *people)
{
    sentence_add(to, "gives up %s", people);
}

/* "R:-/e/-", or "R:*" where it is not read yet. */
static void say_taken(const struct sentence *to, const char *what)
{
    const char *from = village_family_name(*what), *people = strchr(what, ':');
    if (people && people[1] == '*')
        sentence_add(to, "writes whom %s loses", from);
    else
        sentence_add(to, "takes %s of %s", people ? people + 1 : "?", from);
}

static const struct {
    const char *verb;
    void (*say)(const struct sentence *to, const char *rest);
} verbs[] = {
    {"settle", say_settled}, {"choose", say_choice}, {"cast", say_cast},
    {"pass", say_passed},    {"write", say_written}, {"reveal", say_revealed},
    {"starve", say_starved}, {"take", say_taken},
};

/* "Green (Ana) places twins on R1." */
static void say_move(const struct sentence *to, const char *who, const char *move)
{
    const char *at = strchr(move, '@');
    if (!at || !village_is_one(village_families, at[1])) {
        sentence_add(to, "%s: %s.", who, move);
        return;
    }
    const char *name = village_family_name(at[1]);
    sentence_add(to, "%c%s (%s) ", toupper((unsigned char)*name), name + 1, who);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strlen(verbs[i].verb) == (size_t)(at - move) &&
            strncmp(verbs[i].verb, move, (size_t)(at - move)) == 0)
            verbs[i].say(to, at[2] == '=' ? at + 3 : "-");
    }
    sentence_add(to, ".");
}

/* ---- what followed */

/* How the part behind the `@` is told. */
enum effect_form {
    FAMILY_NUMBER, /* red 2 */
    FAMILY_TEXT,   /* red b/-/- */
    FAMILY_PUTS,   /* red: twins on R1 */
    PUTS,          /* twins on R1 */
    HUT_TEXT,      /* R1 ggb */
    FAMILY_ALONE,
    NOTHING,
    ROUND,
    OVER,
};

/* Neighbours of one kind are told together, behind its words. */
static const struct effect_row {
    const char *name, *words;
    enum effect_form form;
} effects[] = {
    {"burn", "Birds given up: ", FAMILY_NUMBER},
    {"put", "Laid: ", FAMILY_PUTS},
    {"show", "Uncovered: ", PUTS},
    {"born", "Born: ", HUT_TEXT},
    {"catch", "Birds caught: ", FAMILY_NUMBER},
    {"eat", "Eaten: ", FAMILY_NUMBER},
    {"spill", "Let go, above five: ", FAMILY_NUMBER},
    {"lack", "Too few birds, so many must go: ", FAMILY_NUMBER},
    {"took", "Written: ", FAMILY_TEXT},
    {"gone", "Starved: ", FAMILY_TEXT},
    {"ill", "Died of illness: ", HUT_TEXT},
    {"age", "All grow older", NOTHING},
    {"mourn", "Lost the last elder, its pole is now: ", FAMILY_NUMBER},
    {"fall", "Died out: ", FAMILY_ALONE},
    {"build", "A piece more, the pole is now: ", FAMILY_NUMBER},
    {"bird", "A bird after a tie: ", FAMILY_ALONE},
    {"round", "Round ", ROUND},
    {"new", "A new family: ", FAMILY_TEXT},
    {"out", "Out of the game: ", FAMILY_ALONE},
    {"over", "", OVER},
};

static const struct effect_row *effect_row(const char *word)
{
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++) {
        size_t len = strlen(effects[i].name);
        if (strncmp(effects[i].name, word, len) == 0 && (word[len] == '@' || word[len] == '\0'))
            return &effects[i];
    }
    return NULL;
}

static void say_winners(const struct sentence *to, const char *families)
{
    if (!village_is_one(village_families, *families))
        sentence_add(to, "Nobody wins");
    for (const char *at = families; village_is_one(village_families, *at); at++)
        sentence_add(to, "%s%s", at == families ? "The winner is " : " and ",
                     village_family_name(*at));
}

static void say_detail(const struct sentence *to, enum effect_form form, const char *detail)
{
    const char *family = village_family_name(*detail), *value = strchr(detail, '=');
    value = value ? value + 1 : "";
    switch (form) {
    case FAMILY_NUMBER:
    case FAMILY_TEXT:
        sentence_add(to, "%s %s", family, value);
        break;
    case FAMILY_PUTS:
        sentence_add(to, "%s ", family);
        say_puts(to, value);
        break;
    case PUTS:
        say_puts(to, value);
        break;
    case HUT_TEXT:
        sentence_add(to, "%.2s %s", detail, value);
        break;
    case FAMILY_ALONE:
        sentence_add(to, "%s", family);
        break;
    case NOTHING:
        break;
    case ROUND:
        sentence_add(to, "%.*s begins, %s is first", (int)strcspn(detail, "="), detail,
                     village_family_name(*value));
        break;
    case OVER:
        say_winners(to, value);
        break;
    }
}

static void say_effects(const struct sentence *to, const json_t *list)
{
    const struct effect_row *before = NULL;
    size_t i;
    json_t *effect;
    json_array_foreach(list, i, effect)
    {
        const char *word = json_string_value(effect);
        const struct effect_row *row = word ? effect_row(word) : NULL;
        const char *detail = row ? strchr(word, '@') : NULL;
        if (!row)
            continue;
        if (row == before)
            sentence_add(to, ", ");
        else
            sentence_add(to, "%s%s%s", before ? "." : "", *to->text ? " " : "", row->words);
        say_detail(to, row->form, detail ? detail + 1 : "");
        before = row;
    }
    if (before)
        sentence_add(to, ".");
}

void totem_move_sentence(char *text, size_t size, const char *who, const json_t *event)
{
    struct sentence to = {text, size};
    *text = '\0';
    say_move(&to, who, state_text(event, "move"));
    say_effects(&to, state_at(event, "effects"));
}

void totem_event_sentence(char *text, size_t size, const json_t *event)
{
    struct sentence to = {text, size};
    *text = '\0';
    say_effects(&to, state_at(event, "effects"));
}
