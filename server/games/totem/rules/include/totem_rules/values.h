/*
 * Every number and list of §1, in one table. The printed tables of the rules are lost: rows marked
 * [R] are this project's rulings, [T] is what a source says. Whoever owns the box can put the true
 * values here.
 */
#ifndef TOTEM_RULES_VALUES_H
#define TOTEM_RULES_VALUES_H

#include <totem_rules/totem.h>

/* What a family begins with. */
struct totem_start {
    struct totem_people people;
    uint8_t birds;
    uint8_t pieces; /* at least: a higher pole stands */
};

/* How a spell works. */
struct totem_spell_value {
    uint8_t step;     /* enum totem_step in which it may be uncovered */
    uint16_t cancels; /* spells that do not work on a hut where this one is uncovered */
};

struct totem_values {
    struct totem_start start, again, again_village;
    uint8_t hut_room;
    uint8_t enclosure; /* birds that stay after the meal */
    uint8_t pieces_win;
    uint8_t hunters_bird;                     /* hunters who catch one bird */
    uint8_t people_bird;                      /* people whom one bird feeds */
    uint8_t catch_birds[TOTEM_SEATS_MAX + 1]; /* by number of players */
    uint8_t builders;                         /* families that build */
    uint8_t twins;                            /* children a woman */
    uint8_t abundance;                        /* a hunter counts as */
    uint8_t famine;
    uint8_t tie_birds;
    uint8_t illness_part; /* one of so many falls ill, rounded down */
    struct totem_spell_value spells[TOTEM_SPELLS];
};

extern const struct totem_values totem_values;

#endif
