#include <totem_rules/values.h>

#define SPELL(name) ((uint16_t)(1u << TOTEM_##name))

const struct totem_values totem_values = {
    /*               g  b  w  m  W  M  e    birds, pieces */
    .start = {{{0, 0, 2, 2, 1, 1, 1}}, 6, 1},         /* [T] */
    .again = {{{0, 0, 1, 1, 1, 1, 1}}, 5, 1},         /* [T]; that a higher pole stands [R] */
    .again_village = {{{0, 0, 1, 1, 1, 0, 1}}, 3, 1}, /* [R] */
    .hut_room = 6,                                    /* [T] */
    .enclosure = 5,                                   /* [T] */
    .pieces_win = TOTEM_PIECES_MAX,                   /* [T] */
    .hunters_bird = 5,                                /* [T] */
    .people_bird = 5,                                 /* [T] */
    .catch_birds = {[2] = 13, [3] = 10, [4] = 13},    /* [T]; with three players [R] */
    .builders = 2,                                    /* [T]; with three players [R] */
    .twins = 2,                                       /* [T]; when cast twice [R] */
    .abundance = 2,                                   /* [R] */
    .famine = 0,                                      /* [R] */
    .tie_birds = 1,                                   /* [R] */
    .illness_part = 2,                                /* [R] */
    .spells =
        {
            [TOTEM_GIRLS] = {TOTEM_STEP_REVEAL_BIRTHS, SPELL(BOYS)},                      /* [T] */
            [TOTEM_BOYS] = {TOTEM_STEP_REVEAL_BIRTHS, SPELL(GIRLS)},                      /* [T] */
            [TOTEM_TWINS] = {TOTEM_STEP_REVEAL_BIRTHS, SPELL(INFERTILITY)},               /* [T] */
            [TOTEM_INFERTILITY] = {TOTEM_STEP_REVEAL_BIRTHS, SPELL(TWINS)},               /* [T] */
            [TOTEM_ABUNDANCE] = {TOTEM_STEP_REVEAL_CATCH, SPELL(FAMINE)},                 /* [T] */
            [TOTEM_FAMINE] = {TOTEM_STEP_REVEAL_CATCH, SPELL(ABUNDANCE)},                 /* [T] */
            [TOTEM_MEASLES] = {TOTEM_STEP_REVEAL_ILLNESS, 0},                             /* [R] */
            [TOTEM_PLAGUE] = {TOTEM_STEP_REVEAL_ILLNESS, 0},                              /* [R] */
            [TOTEM_HEALTH] = {TOTEM_STEP_REVEAL_ILLNESS, SPELL(MEASLES) | SPELL(PLAGUE)}, /* [R] */
            [TOTEM_LONG_LIFE] = {TOTEM_STEP_REVEAL_GENERATIONS, 0},                       /* [R] */
        },
};
