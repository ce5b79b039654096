/*
 * One hut in words, for what the picture has no room for and for who cannot see it.
 */
#include "parts.h"
#include "sentence.h"
#include "village.h"
#include <cli/state.h>
#include <ctype.h>
#include <string.h>

/* "2 young women, 1 man": how many of each kind. */
static void say_people(const struct sentence *to, const char *people)
{
    bool any = false;
    for (const char *kind = village_kinds; *kind; kind++) {
        int count = 0;
        for (const char *at = people; *at; at++)
            count += *at == *kind;
        if (count > 0)
            sentence_add(to, "%s %d %s", any ? "," : "", count, village_kind_name(*kind, count));
        any = any || count > 0;
    }
    sentence_add(to, "%s.", any ? "" : " nobody");
}

/* "twins by red and green" */
static void say_up(const struct sentence *to, const json_t *up)
{
    bool any = false;
    for (const char *spell = village_spells; *spell; spell++) {
        const char key[2] = {*spell, '\0'};
        const char *owners = state_text(up, key);
        if (!*owners)
            continue;
        sentence_add(to, "%s %s by", any ? "," : " Uncovered:", village_spell_name(*spell));
        for (const char *owner = owners; *owner; owner++)
            sentence_add(to, "%s %s", owner > owners ? " and" : "", village_family_name(*owner));
        any = true;
    }
    sentence_add(to, "%s", any ? "." : "");
}

/* "2 of green, 2 of red (measles, health)": ours we know. */
static void say_down(const struct sentence *to, const json_t *state, const char *hut,
                     const json_t *down)
{
    bool any = false;
    for (const char *owner = village_families; *owner; owner++) {
        const char key[2] = {*owner, '\0'};
        char known[VILLAGE_SPELLS + 1];
        int count = state_number(down, key);
        if (count < 1)
            continue;
        sentence_add(to, "%s %d of %s", any ? "," : " Face down:", count,
                     village_family_name(*owner));
        village_own_down(known, state, *owner, hut);
        for (const char *spell = known; *spell; spell++)
            sentence_add(to, "%s%s%s", spell == known ? " (" : ", ", village_spell_name(*spell),
                         spell[1] ? "" : ")");
        any = true;
    }
    sentence_add(to, "%s", any ? "." : "");
}

bool totem_hut_text(char *text, size_t size, const json_t *state, const char *name)
{
    struct sentence to = {text, size};
    if (strlen(name) != 2)
        return false;
    const char hut[3] = {(char)toupper((unsigned char)name[0]), name[1], '\0'};
    const json_t *row = village_hut(state, hut[0], hut[1] - '0');
    if (!row)
        return false;
    *text = '\0';
    sentence_add(&to, "%s:", hut);
    say_people(&to, state_text(row, "people"));
    say_up(&to, state_at(row, "up"));
    say_down(&to, state, hut, state_at(row, "down"));
    return true;
}
