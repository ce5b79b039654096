/*
 * Commands as people type them: the family left out where the seat leads one, blanks for the
 * signs between, lists in any order. What comes of it is the one spelling that the server takes;
 * whether it is allowed is the server's to say.
 */
#include "parts.h"
#include "people.h"
#include "village.h"
#include <cli/state.h>
#include <ctype.h>
#include <string.h>

enum { WORDS_MAX = 24, WORD_MAX = 66 };

struct words {
    int count;
    char words[WORDS_MAX][WORD_MAX];
};

/* A command as it is being read: what is left of the words, whose it is. */
struct reading {
    struct game_move *move;
    const struct game_room *room;
    char family; /* NUL: not named */
    char (*words)[WORD_MAX];
    int count;
};

static bool note_problem(struct game_move *move, const char *problem)
{
    snprintf(move->problem, sizeof move->problem, "%s", problem);
    return false;
}

/* Split at blanks and the notation's own signs; false if there are too many or one is too long. */
static bool split_words(struct words *words, const char *line)
{
    static const char signs[] = " \t@=:,";
    words->count = 0;
    for (line += strspn(line, signs); *line; line += strspn(line, signs)) {
        size_t len = strcspn(line, signs);
        if (words->count == WORDS_MAX || len >= WORD_MAX)
            return false;
        memcpy(words->words[words->count], line, len);
        words->words[words->count++][len] = '\0';
        line += len;
    }
    return words->count > 0;
}

static bool is_none(const char *word)
{
    return strcmp(word, "-") == 0 || strcmp(word, "none") == 0 || strcmp(word, "nothing") == 0;
}

static bool is_family(const char *word)
{
    return village_is_one(village_families, word[0]) && word[1] == '\0';
}

static bool is_hut(const char *word)
{
    return village_is_one(village_families, (char)toupper((unsigned char)word[0])) &&
           word[1] >= '1' && word[1] <= '3' && word[2] == '\0';
}

static void drop_words(struct reading *reading, int count)
{
    reading->words += count;
    reading->count -= count;
}

static void take_family(struct reading *reading)
{
    reading->family = reading->words[0][0];
    drop_words(reading, 1);
}

/* ---- people */

/* "wwm/WM/me", or its lists as words; behind the last that is given nobody is meant. */
static bool read_lists(struct reading *reading, struct people huts[VILLAGE_HUTS])
{
    int hut = 0;
    for (int i = 0; i < reading->count; i++, hut++) {
        for (const char *at = reading->words[i]; *at; hut += *at == '/', at += *at == '/') {
            if (hut >= VILLAGE_HUTS)
                return note_problem(reading->move, "A family has three huts: wwm/WM/me");
            size_t len = *at == '-' ? 1 : people_add(&huts[hut], at);
            at += len;
            if (len == 0 && *at != '/')
                return note_problem(reading->move,
                                    "People are g b w m W M e; `help map` says who is who.");
        }
    }
    return true;
}

/* "e R2 wm R1": people, and where they are. */
static bool read_places(struct reading *reading, struct people huts[VILLAGE_HUTS], char family)
{
    for (int i = 0; i + 1 < reading->count; i += 2) {
        const char *people = reading->words[i], *hut = reading->words[i + 1];
        if (toupper((unsigned char)hut[0]) != family)
            return note_problem(reading->move, "That hut belongs to another family.");
        if (people[people_add(&huts[hut[1] - '1'], people)] != '\0')
            return note_problem(reading->move,
                                "People are g b w m W M e; `help map` says who is who.");
    }
    return true;
}

static bool has_places(const struct reading *reading)
{
    for (int i = 1; i < reading->count; i += 2) {
        if (!is_hut(reading->words[i]))
            return false;
    }
    return reading->count > 0 && reading->count % 2 == 0;
}

static bool read_people(struct reading *reading, char text[PEOPLE_TEXT], char family)
{
    struct people huts[VILLAGE_HUTS] = {0};
    if (reading->count == 0)
        return note_problem(reading->move, "Who? One list of people for each hut: wwm/WM/me");
    if (!(has_places(reading) ? read_places(reading, huts, family) : read_lists(reading, huts)))
        return false;
    for (int hut = 0; hut < VILLAGE_HUTS; hut++) {
        if (people_count(&huts[hut]) > PEOPLE_HUT_MOST)
            return note_problem(reading->move, "There are not so many people.");
    }
    people_write(text, huts);
    return true;
}

/* ---- spells */

static bool read_set(struct reading *reading, char text[VILLAGE_SPELLS + 1])
{
    size_t len = 0;
    if (reading->count != 1)
        return note_problem(reading->move, "Write the spells in one word, such as GT, or `none`.");
    char *set = reading->words[0];
    if (is_none(set)) {
        memcpy(text, "-", 2);
        return true;
    }
    for (char *at = set; *at; at++) {
        *at = (char)toupper((unsigned char)*at);
        if (!village_is_one(village_spells, *at))
            return note_problem(reading->move,
                                "Spells are G B T I A F M P H L; see `help spells`.");
    }
    for (const char *spell = village_spells; *spell; spell++) {
        if (village_is_one(set, *spell))
            text[len++] = *spell;
    }
    text[len] = '\0';
    return true;
}

/* A spell and a hut, again and again, in any order; written in the order of the spells. */
static bool read_puts(struct reading *reading, char *text, size_t size)
{
    static const char *const problem = "Spells go on huts like this: T G1, or T:G1,H:R2";
    size_t len = 0;
    int found = 0;
    *text = '\0';
    if (reading->count % 2 != 0 || reading->count == 0)
        return note_problem(reading->move, problem);
    for (const char *spell = village_spells; *spell; spell++) {
        for (int i = 0; i < reading->count; i += 2) {
            const char *word = reading->words[i], *hut = reading->words[i + 1];
            if (toupper((unsigned char)word[0]) != *spell || word[1] != '\0' || !is_hut(hut))
                continue;
            len += (size_t)snprintf(text + len, size - len, "%s%c:%c%c", found > 0 ? "," : "",
                                    *spell, toupper((unsigned char)hut[0]), hut[1]);
            found++;
        }
    }
    return found == reading->count / 2 || note_problem(reading->move, problem);
}

/* ---- whose command it is */

/* The families of ours that may act now, else all that are ours. */
static void find_candidates(char families[VILLAGE_FAMILIES + 1], const struct game_room *room)
{
    char ours[VILLAGE_FAMILIES + 1];
    size_t count = 0;
    village_led_by(ours, room->state, room->seat);
    for (const char *family = ours; *family; family++) {
        if (village_acts(room->state, *family))
            families[count++] = *family;
    }
    families[count] = '\0';
    if (count == 0)
        memcpy(families, ours, sizeof ours);
}

static bool settle_family(struct reading *reading)
{
    char families[VILLAGE_FAMILIES + 1];
    if (reading->family)
        return true;
    find_candidates(families, reading->room);
    if (families[0] == '\0')
        return note_problem(reading->move, "You lead no family here.");
    if (families[1] != '\0')
        return note_problem(reading->move, "Which family? Its letter comes behind the verb.");
    reading->family = families[0];
    return true;
}

/* ---- the verbs: each reads what is behind it and writes what the server takes */

static bool finish_move(struct reading *reading, const char *verb, const char *rest)
{
    struct game_move *move = reading->move;
    snprintf(move->text, sizeof move->text, "%s@%c%s%s", verb, reading->family, *rest ? "=" : "",
             rest);
    return true;
}

static bool read_settle_or_starve(struct reading *reading, const char *verb)
{
    char people[PEOPLE_TEXT];
    if (reading->count > 0 && is_family(reading->words[0]))
        take_family(reading);
    return settle_family(reading) && read_people(reading, people, reading->family) &&
           finish_move(reading, verb, people);
}

static bool read_choose_or_reveal(struct reading *reading, const char *verb)
{
    char set[VILLAGE_SPELLS + 1];
    if (reading->count == 2 && is_family(reading->words[0]))
        take_family(reading);
    return settle_family(reading) && read_set(reading, set) && finish_move(reading, verb, set);
}

static bool read_cast(struct reading *reading, const char *verb)
{
    char put[64];
    if (reading->count == 3 && is_family(reading->words[0]))
        take_family(reading);
    if (reading->count != 2)
        return note_problem(reading->move, "Place one spell like this: cast T G1");
    return settle_family(reading) && read_puts(reading, put, sizeof put) &&
           finish_move(reading, verb, put);
}

static bool read_write(struct reading *reading, const char *verb)
{
    char puts[256];
    bool none = reading->count > 0 && is_none(reading->words[reading->count - 1]);
    if (reading->count % 2 == (none ? 0 : 1) && reading->count > 0 && is_family(reading->words[0]))
        take_family(reading);
    if (!settle_family(reading))
        return false;
    if (none && reading->count == 1)
        return finish_move(reading, verb, "-");
    return read_puts(reading, puts, sizeof puts) && finish_move(reading, verb, puts);
}

static bool read_pass(struct reading *reading, const char *verb)
{
    if (reading->count == 1 && is_family(reading->words[0]))
        take_family(reading);
    if (reading->count != 0)
        return note_problem(reading->move, "Nothing comes behind `pass`.");
    return settle_family(reading) && finish_move(reading, verb, "");
}

/* The family that starves may be left out: it is always the one that is dealt with. */
static bool read_take(struct reading *reading, const char *verb)
{
    char people[PEOPLE_TEXT], rest[PEOPLE_TEXT + 2];
    char victim = village_starving(reading->room->state);
    if (reading->count > 1 && is_family(reading->words[0]) && is_family(reading->words[1])) {
        take_family(reading);
        victim = reading->words[0][0];
        drop_words(reading, 1);
    } else if (reading->count > 0 && is_family(reading->words[0])) {
        if (reading->words[0][0] == victim)
            drop_words(reading, 1);
        else
            take_family(reading);
    }
    if (!victim)
        return note_problem(reading->move, "No family starves now.");
    if (!settle_family(reading) || !read_people(reading, people, victim))
        return false;
    snprintf(rest, sizeof rest, "%c:%s", victim, people);
    return finish_move(reading, verb, rest);
}

static const struct {
    const char *verb;
    bool (*read)(struct reading *reading, const char *verb);
} verbs[] = {
    {"settle", read_settle_or_starve},
    {"choose", read_choose_or_reveal},
    {"cast", read_cast},
    {"pass", read_pass},
    {"write", read_write},
    {"reveal", read_choose_or_reveal},
    {"starve", read_settle_or_starve},
    {"take", read_take},
};

enum game_input totem_move_read(struct game_move *move, const char *line,
                                const struct game_view *view, const struct game_room *room)
{
    struct words words;
    (void)view;
    *move = (struct game_move){.confirm = false};
    if (!split_words(&words, line))
        return GAME_INPUT_UNKNOWN;
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        struct reading reading = {move, room, '\0', words.words + 1, words.count - 1};
        if (strcmp(words.words[0], verbs[i].verb) == 0)
            return verbs[i].read(&reading, verbs[i].verb) ? GAME_INPUT_MOVE : GAME_INPUT_WRONG;
    }
    return GAME_INPUT_UNKNOWN;
}

/* ---- and back */

/* Behind the `=`: "T:G1" as "T G1", "-" as "none", "R:-/e/-" without the family that starves. */
static void write_rest(char *text, size_t size, const char *verb, const char *rest)
{
    if (strcmp(rest, "-") == 0)
        rest = "none";
    if (strncmp(verb, "take@", 5) == 0 && rest[0] && rest[1] == ':')
        rest += 2;
    snprintf(text, size, "%s", rest);
    for (char *at = text; *at && strncmp(verb, "cast@", 5) == 0; at++)
        *at = *at == ':' ? ' ' : *at;
}

/* Who has typed an `@` is writing the notation; everybody else is offered the short form. */
void totem_move_write(char *text, size_t size, const char *move, const char *begun,
                      const struct game_room *room)
{
    char ours[VILLAGE_FAMILIES + 1], rest[PROTOCOL_MOVE_BYTES + 8];
    const char *at = strchr(move, '@');
    if (!at || !at[1] || strchr(begun, '@')) {
        snprintf(text, size, "%s", move);
        return;
    }
    village_led_by(ours, room->state, room->seat);
    write_rest(rest, sizeof rest, move, at[2] == '=' ? at + 3 : "");
    bool named = ours[0] != at[1] || ours[1] != '\0';
    snprintf(text, size, "%.*s%s%.*s%s%s", (int)(at - move), move, named ? " " : "", named ? 1 : 0,
             at + 1, *rest ? " " : "", rest);
}
