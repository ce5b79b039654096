/* Short strings for families, huts, people and spells. */
#include "totem_match.h"

struct totem_name totem_family_name(unsigned family)
{
    return (struct totem_name){{totem_family_letters[family]}};
}

struct totem_name totem_hut_name(unsigned hut)
{
    return (struct totem_name){
        {totem_family_letters[hut / TOTEM_HUTS], (char)('1' + hut % TOTEM_HUTS)}};
}

size_t totem_people_text(const struct totem_people *people, char text[TOTEM_LETTERS_TEXT])
{
    size_t len = 0;
    for (unsigned kind = 0; kind < TOTEM_KINDS; kind++) {
        for (unsigned i = 0; i < people->of[kind]; i++)
            text[len++] = totem_kind_letters[kind];
    }
    text[len] = '\0';
    return len;
}

size_t totem_spells_text(unsigned set, char text[TOTEM_LETTERS_TEXT])
{
    size_t len = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if ((set >> spell) & 1)
            text[len++] = totem_spell_letters[spell];
    }
    text[len] = '\0';
    return len;
}
