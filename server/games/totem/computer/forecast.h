/*
 * How a round will end if certain spells work: the arithmetic of its phases, from the step that it
 * is in to the totems, with people counted by hut. It decides for everybody who starves by a fixed
 * order; all else is as in the rules.
 */
#ifndef TOTEM_COMPUTER_FORECAST_H
#define TOTEM_COMPUTER_FORECAST_H

#include <totem_rules/totem.h>

/* What is not known: the spells that lie uncovered on each hut in the end, and the births. */
struct totem_guess {
    uint16_t up[TOTEM_HUTS_ALL];    /* sets of spells */
    uint16_t words[TOTEM_HUTS_ALL]; /* as in struct totem_births */
};

/* A family as the totems find it. */
struct totem_prospect {
    struct totem_people people; /* the generations have changed */
    uint8_t size;
    uint8_t birds;
    bool barred;
    bool lost_piece; /* by losing its elders in this round */
};

struct totem_forecast {
    struct totem_prospect families[TOTEM_FAMILIES];
};

void totem_forecast(const struct totem *game, const struct totem_guess *guess,
                    struct totem_forecast *out);

/* What the forecast is worth to a seat, compared with others of the same game. */
int totem_worth(const struct totem *game, const struct totem_forecast *forecast, unsigned seat);

#endif
