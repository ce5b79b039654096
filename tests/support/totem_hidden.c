#include "totem_hidden.h"

#include <assert.h>
#include <string.h>

static void exchange_puts(struct totem_puts *puts, unsigned a, unsigned b)
{
    uint8_t hut = puts->hut[a];
    puts->hut[a] = puts->hut[b];
    puts->hut[b] = hut;
}

static bool is_up(const struct totem_family *family, unsigned spell)
{
    return family->spells[spell].state == TOTEM_SPELL_UP;
}

bool totem_exchange(struct totem_family *family, unsigned a, unsigned b)
{
    struct totem_family was = *family;
    if (is_up(family, a) || is_up(family, b))
        return false;
    family->spells[a] = was.spells[b];
    family->spells[b] = was.spells[a];
    exchange_puts(&family->note.puts, a, b);
    return memcmp(&was, family, sizeof was) != 0;
}

void totem_exchange_people(struct totem_family *family)
{
    struct totem_people first = family->note.people[0];
    family->note.people[0] = family->note.people[1];
    family->note.people[1] = first;
}

static unsigned exchange_set(unsigned set, unsigned a, unsigned b)
{
    unsigned kept = set & ~(1U << a | 1U << b);
    return kept | ((set >> a) & 1) << b | ((set >> b) & 1) << a;
}

void totem_exchange_command(char *text, size_t *len, unsigned family, unsigned a, unsigned b)
{
    struct totem_command command;
    char out[TOTEM_COMMAND_TEXT];
    bool read = totem_command_parse(text, *len, &command);
    assert(read);
    if (command.family != family)
        return;
    if (command.verb == TOTEM_VERB_CHOOSE)
        command.set = (uint16_t)exchange_set(command.set, a, b);
    if (command.verb == TOTEM_VERB_CAST && (command.spell == a || command.spell == b))
        command.spell = (uint8_t)(a + b - command.spell);
    if (command.verb == TOTEM_VERB_WRITE)
        exchange_puts(&command.puts, a, b);
    *len = totem_command_format(&command, out);
    memcpy(text, out, *len);
}

static bool stays_hidden(const struct totem_family *before, const struct totem_family *after,
                         unsigned spell)
{
    return !is_up(before, spell) && !is_up(after, spell);
}

static bool is_somewhere(const struct totem_family *family, unsigned spell)
{
    bool noted = family->note.written && family->note.puts.hut[spell] != TOTEM_NONE;
    return noted || family->spells[spell].state != TOTEM_SPELL_HOME;
}

unsigned totem_shown_by(const char *text, size_t len, unsigned family)
{
    struct totem_command command;
    bool read = totem_command_parse(text, len, &command);
    assert(read);
    return command.family == family && command.verb == TOTEM_VERB_REVEAL ? command.set : 0;
}

bool totem_hidden_pair(const struct totem_family *before, const struct totem_family *after,
                       unsigned shown, uint64_t seed, unsigned pair[2])
{
    for (unsigned i = 0; i < TOTEM_SPELLS * TOTEM_SPELLS; i++) {
        unsigned pick = (unsigned)((seed + i) % (TOTEM_SPELLS * TOTEM_SPELLS));
        pair[0] = pick / TOTEM_SPELLS;
        pair[1] = pick % TOTEM_SPELLS;
        if (pair[0] != pair[1] && !((shown >> pair[0] | shown >> pair[1]) & 1) &&
            stays_hidden(before, after, pair[0]) && stays_hidden(before, after, pair[1]) &&
            (is_somewhere(before, pair[0]) || is_somewhere(after, pair[0])))
            return true;
    }
    return false;
}

/* ---- an event */

/* Another of the commands that the family may give; false: there is no other. */
static bool other_command(const struct totem *game, unsigned family, uint64_t seed,
                          struct totem_command *command)
{
    struct totem_command list[64];
    size_t all = totem_list(game, family, list, 64), count = all < 64 ? all : 64;
    for (size_t i = 0; i < count; i++) {
        const struct totem_command *other = &list[(seed + i) % count];
        if (memcmp(other, command, sizeof *other) != 0) {
            *command = *other;
            return true;
        }
    }
    return false;
}

/* People whom the family names with this very command, or has named before. */
static bool exchange_named(const struct totem *game, struct totem_family *before,
                           struct totem_family *after, uint64_t seed, char *text, size_t *len)
{
    struct totem_command command;
    char out[TOTEM_COMMAND_TEXT];
    if (before->note.written) {
        totem_exchange_people(before);
        totem_exchange_people(after);
        return true;
    }
    bool read = totem_command_parse(text, *len, &command);
    assert(read);
    if (!other_command(game, command.family, seed, &command))
        return false;
    memcpy(after->note.people, command.people, sizeof after->note.people);
    *len = totem_command_format(&command, out);
    memcpy(text, out, *len);
    return true;
}

bool totem_exchange_event(struct totem_match *before, struct totem_match *after, unsigned family,
                          uint64_t seed, char *text, size_t *len)
{
    struct totem_family *was = &before->game.families[family];
    struct totem_family *is = &after->game.families[family];
    const struct totem game = before->game;
    unsigned pair[2], shown = *len > 0 ? totem_shown_by(text, *len, family) : 0;
    bool spells = totem_hidden_pair(was, is, shown, seed, pair);
    memset(after->key, (int)(seed % 256), sizeof after->key);
    if (spells) {
        totem_exchange(was, pair[0], pair[1]);
        totem_exchange(is, pair[0], pair[1]);
        if (*len > 0)
            totem_exchange_command(text, len, family, pair[0], pair[1]);
    }
    bool named = is->note.written && after->game.step == TOTEM_STEP_TAKE;
    return (named && exchange_named(&game, was, is, seed, text, len)) || spells;
}
