/*
 * What the end of a round is worth: poles first, the chance to build now, and the people that the
 * next round begins with, women most of all.
 */
#include "forecast.h"
#include <totem_rules/values.h>

enum {
    SURE = 1000, /* a chance */

    WORTH_PERSON = 8,
    WORTH_WOMAN = 9,
    WORTH_GIRL = 5, /* more: she will be young when she bears */
    WORTH_FEW_MEN = 6,
    WORTH_BIRD = 5,
    MEN_ENOUGH = 3,
    WOMEN_ENOUGH = 15,
};

/* Of a pole with so many pieces. */
static const int worth_of_pole[TOTEM_PIECES_MAX + 1] = {-120, 0, 100, 205, 320, 450, 900};

static int smaller_of(int a, int b)
{
    return a < b ? a : b;
}

/* Of the people that a family begins the next round with. */
static int worth_of_people(const struct totem_prospect *family)
{
    const struct totem_people *people = &family->people;
    int room = TOTEM_HUTS * totem_values.hut_room;
    int women = (int)totem_count_women(people), men = (int)totem_count_men(people);
    int girls = people->of[TOTEM_YOUNG_WOMAN];
    return WORTH_PERSON * smaller_of(women + men, room) +
           WORTH_WOMAN * smaller_of(women, WOMEN_ENOUGH) +
           WORTH_GIRL * smaller_of(girls, WOMEN_ENOUGH) +
           WORTH_FEW_MEN * smaller_of(men, MEN_ENOUGH) +
           2 * smaller_of(people->of[TOTEM_ELDER], 2) + WORTH_BIRD * family->birds;
}

/* How surely so many people more than needed are enough to build; the later the surer. */
static int chance_to_build(const struct totem *game, int margin)
{
    static const int steep[TOTEM_STEPS] = {70, 80, 100, 80, 140, 160, 250, 450, 200, 200, 500};
    int value = SURE / 2 - 50 + steep[game->step] * margin;
    return value < 0 ? 0 : smaller_of(value, SURE);
}

/* The size of the family that is the last to build if this one does not. */
static int size_to_beat(const struct totem_forecast *forecast, unsigned family)
{
    int first = 0, second = 0;
    for (unsigned other = 0; other < TOTEM_FAMILIES; other++) {
        int size = forecast->families[other].size;
        if (other == family || size <= second)
            continue;
        second = size > first ? first : size;
        first = size > first ? size : first;
    }
    return totem_values.builders > 1 ? second : first;
}

/* Of those who could finish their pole now the largest wins. */
static int chance_to_win(const struct totem *game, const struct totem_forecast *forecast,
                         unsigned family)
{
    int margin = 10;
    for (unsigned other = 0; other < TOTEM_FAMILIES; other++) {
        const struct totem_prospect *rival = &forecast->families[other];
        int ahead = forecast->families[family].size - rival->size;
        if (other != family && !rival->barred && rival->size > 0 &&
            game->families[other].pieces + 1 >= TOTEM_PIECES_MAX && ahead < margin)
            margin = ahead;
    }
    return chance_to_build(game, margin);
}

static int worth_of_family(const struct totem *game, const struct totem_forecast *forecast,
                           unsigned family)
{
    const struct totem_prospect *prospect = &forecast->families[family];
    int pieces = game->families[family].pieces;
    if (prospect->lost_piece)
        pieces = game->options.totem_a ? 0 : pieces > 1 ? pieces - 1 : pieces;
    int worth = worth_of_pole[pieces] + worth_of_people(prospect);
    if (prospect->barred || prospect->size == 0 || pieces >= TOTEM_PIECES_MAX)
        return worth;
    int more = worth_of_pole[pieces + 1] - worth_of_pole[pieces];
    int sure = chance_to_build(game, prospect->size - size_to_beat(forecast, family));
    if (pieces + 1 == TOTEM_PIECES_MAX)
        sure = sure * chance_to_win(game, forecast, family) / SURE;
    return worth + more * sure / SURE;
}

/* The family that counts most, then the others. */
static int weigh_worths(int *worths, unsigned count, const int *weights)
{
    int sum = 0;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = i + 1; k < count; k++) {
            if (worths[k] > worths[i]) {
                int swapped = worths[i];
                worths[i] = worths[k];
                worths[k] = swapped;
            }
        }
        sum += weights[i] * worths[i];
    }
    return sum;
}

int totem_worth(const struct totem *game, const struct totem_forecast *forecast, unsigned seat)
{
    static const int own_weights[] = {8, 4}, foe_weights[TOTEM_SEATS_MAX + 1][3] = {
                                                 [2] = {8, 4}, [3] = {5, 3}, [4] = {4, 2, 2}};
    int own[TOTEM_FAMILIES], foes[TOTEM_FAMILIES];
    unsigned n_own = 0, n_foes = 0;
    for (unsigned family = 0; family < totem_families(&game->options); family++) {
        if (game->families[family].state != TOTEM_FAMILY_PLAYING)
            continue;
        int worth = worth_of_family(game, forecast, family);
        if (totem_seat_of(&game->options, family) == seat)
            own[n_own++] = worth;
        else
            foes[n_foes++] = worth;
    }
    return weigh_worths(own, n_own, own_weights) -
           weigh_worths(foes, n_foes, foe_weights[game->options.players]);
}
