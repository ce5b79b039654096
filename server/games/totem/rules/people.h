/* People by kind, counted (§2.2). */
#ifndef TOTEM_PEOPLE_H
#define TOTEM_PEOPLE_H

#include <totem_rules/totem.h>

static inline bool totem_is_woman(unsigned kind)
{
    return kind == TOTEM_YOUNG_WOMAN || kind == TOTEM_WOMAN;
}

static inline bool totem_is_man(unsigned kind)
{
    return kind == TOTEM_YOUNG_MAN || kind == TOTEM_MAN;
}

static inline bool totem_is_child(unsigned kind)
{
    return kind == TOTEM_GIRL || kind == TOTEM_BOY;
}

/* Everybody that three huts hold. */
struct totem_people totem_sum(const struct totem_people huts[TOTEM_HUTS]);
unsigned totem_size(const struct totem_family *family);

#endif
