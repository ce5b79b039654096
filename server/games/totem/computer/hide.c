#include <assert.h>
#include <string.h>
#include <totem_computer/computer.h>

/*
 * What is hidden gets a meaning that says nothing: by hut the first spells that could lie there.
 * How many there are, and where, everybody sees.
 */
static void hide_spells(struct totem_family *family)
{
    struct totem_spell_place hidden[TOTEM_SPELLS];
    unsigned count = 0;
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
            if (family->spells[spell].state == TOTEM_SPELL_DOWN && family->spells[spell].hut == hut)
                hidden[count++] = family->spells[spell];
        }
    }
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if (family->spells[spell].state == TOTEM_SPELL_CHOSEN)
            hidden[count++] = family->spells[spell];
    }
    for (unsigned spell = 0, next = 0; spell < TOTEM_SPELLS; spell++) {
        if (family->spells[spell].state == TOTEM_SPELL_UP)
            continue;
        family->spells[spell] =
            next < count ? hidden[next++] : (struct totem_spell_place){.state = TOTEM_SPELL_HOME};
    }
}

static void hide_note(struct totem_family *family)
{
    bool written = family->note.written;
    memset(&family->note, 0, sizeof family->note);
    family->note.written = written;
}

void totem_computer_hide(struct totem *game, unsigned seat)
{
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (totem_may_know(&game->options, seat, family))
            continue;
        hide_spells(&game->families[family]);
        hide_note(&game->families[family]);
    }
}

unsigned totem_computer_family(const struct totem *known, unsigned seat)
{
    unsigned acting = totem_acting(known), family = 0;
    while (!((acting >> family) & 1) || totem_seat_of(&known->options, family) != seat) {
        family++;
        assert(family < TOTEM_FAMILIES);
    }
    return family;
}
