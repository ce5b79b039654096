#include <rating/update.h>

#include "constants.h"
#include "wide.h"
#include <assert.h>
#include <string.h>

/* Parameters, of thousandths. */
enum { GAP_MAX = 2000000 }; /* a larger difference counts as this */
#define DAY_MS   UINT64_C(86400000)
#define IDLE_MAX (INT64_C(3650) * 86400000)
#define DRIFT    UINT64_C(24000000) /* that the squared deviation grows in a day */

static const uint64_t one = RATING_ONE;

static uint64_t square_of(uint64_t value)
{
    return value * value;
}

static uint64_t clamp_to(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* 2^-halvings, which are of 2^-26; the result is of 2^-30. */
static uint64_t halve_one(uint64_t halvings)
{
    const uint64_t whole = halvings >> RATING_ROOTS;
    uint64_t result = one;
    for (unsigned i = 0; i < RATING_ROOTS; i++) {
        if (halvings >> (RATING_ROOTS - 1 - i) & 1)
            result = result * rating_roots[i] >> 30;
    }
    return whole < 31 ? result >> whole : 0;
}

uint32_t rating_aged(uint32_t deviation, int64_t idle_ms)
{
    const int64_t idle = idle_ms < 0 ? 0 : idle_ms > IDLE_MAX ? IDLE_MAX : idle_ms;
    const uint64_t grown = square_of(deviation) + (uint64_t)idle * DRIFT / DAY_MS;
    return (uint32_t)clamp_to(wide_root(grown), 0, RATING_DEVIATION_MAX);
}

unsigned rating_stages(const uint8_t places[], unsigned sides, struct rating_stage stages[])
{
    unsigned count = 0;
    for (unsigned place = 1; place <= sides; place++) {
        struct rating_stage stage = {0};
        for (unsigned a = 0; a < sides; a++) {
            stage.inside |= places[a] >= place ? 1U << a : 0;
            stage.first |= places[a] == place ? 1U << a : 0;
        }
        /* A last one in which all are equal says nothing, unless it is the only one. */
        if (stage.first != 0 && (stage.first != stage.inside || count == 0))
            stages[count++] = stage;
    }
    return count;
}

/* Of the strengths of those inside. */
static void find_chances(const uint32_t strengths[], unsigned sides, uint32_t inside,
                         uint32_t steepness, uint32_t chances[])
{
    uint64_t weights[RATING_SEATS] = {0}, sum = 0;
    uint32_t top = 0;
    for (unsigned a = 0; a < sides; a++)
        top = inside >> a & 1 && strengths[a] > top ? strengths[a] : top;
    for (unsigned a = 0; a < sides; a++) {
        if (!(inside >> a & 1))
            continue;
        const uint64_t gap = clamp_to(top - strengths[a], 0, GAP_MAX);
        weights[a] = halve_one(((gap * steepness >> 12) * RATING_HALVES) >> 32);
        sum += weights[a];
    }
    for (unsigned a = 0; a < sides; a++)
        chances[a] = (uint32_t)((weights[a] << 30) / sum);
}

void rating_chances(const uint32_t strengths[], unsigned sides, uint32_t steepness,
                    uint32_t chances[])
{
    assert(sides >= 1 && sides <= RATING_SEATS);
    find_chances(strengths, sides, (1U << sides) - 1, steepness, chances);
}

/* ---- one match */

struct sums {
    uint32_t strength[RATING_SEATS];
    uint64_t spread[RATING_SEATS]; /* squared deviations */
    unsigned each;                 /* seats of a side */
};

static void add_up(const struct rating_match *match, struct sums *sums)
{
    *sums = (struct sums){.each = match->seats / match->sides};
    for (unsigned i = 0; i < match->seats; i++) {
        sums->strength[match->side[i]] += match->before[i].strength;
        sums->spread[match->side[i]] += square_of(match->before[i].deviation);
    }
    for (unsigned a = 0; a < match->sides; a++) {
        sums->strength[a] /= sums->each;
        sums->spread[a] /= sums->each * sums->each;
    }
}

/* How unsure the strengths of all others are, as seen from that seat. */
static uint64_t find_blur(const struct rating_match *match, const struct sums *sums, unsigned seat)
{
    uint64_t others = 0, partners = 0;
    for (unsigned a = 0; a < match->sides; a++)
        others += a != match->side[seat] ? sums->spread[a] : 0;
    for (unsigned j = 0; j < match->seats; j++) {
        if (j != seat && match->side[j] == match->side[seat])
            partners += square_of(match->before[j].deviation);
    }
    return others / (match->sides - 1) + partners / (sums->each * sums->each);
}

/* Of a scale what is left when the others are not known for sure. */
static uint32_t find_steepness(uint64_t blur, uint32_t scale)
{
    const uint64_t luck = square_of(scale) >> 30;
    const uint64_t unsure = wide_shift(wide_shift(blur, RATING_BLUR, 46), luck, 30);
    return (uint32_t)(((uint64_t)scale << 30) / wide_root((one + unsure) << 30));
}

unsigned rating_count_sides(uint32_t sides)
{
    unsigned count = 0;
    for (; sides != 0; sides &= sides - 1)
        count++;
    return count;
}

/* What the match has said of a side: how much more it won than was to be expected, and how much
 * that tells. */
struct evidence {
    int64_t surplus;
    uint64_t weight;
};

static struct evidence weigh_side(const struct rating_match *match, const struct sums *sums,
                                  unsigned side, uint32_t steepness)
{
    struct evidence evidence = {0};
    for (unsigned at = 0; at < match->stages; at++) {
        const struct rating_stage *stage = &match->stage[at];
        uint32_t chances[RATING_SEATS];
        if (!(stage->inside >> side & 1))
            continue;
        find_chances(sums->strength, match->sides, stage->inside, steepness, chances);
        const uint64_t chance = chances[side];
        const bool won = stage->first >> side & 1;
        const uint64_t share = won ? one / rating_count_sides(stage->first) : 0;
        evidence.weight +=
            wide_shift(square_of(steepness) >> 30, chance * (one - chance) >> 30, 30);
        evidence.surplus += (int64_t)share - (int64_t)chance;
    }
    evidence.weight /= sums->each * sums->each;
    return evidence;
}

static struct rating move_rating(struct rating before, struct evidence evidence, uint32_t steepness,
                                 unsigned each)
{
    const bool up = evidence.surplus >= 0;
    const uint64_t surplus = (uint64_t)(up ? evidence.surplus : -evidence.surplus);
    const uint64_t variance = square_of(before.deviation);
    const uint64_t told = wide_shift(wide_shift(variance, evidence.weight, 30), RATING_Q2, 60);
    const uint64_t left = wide_shift(variance, (UINT64_C(1) << 60) / (one + told), 30);
    const uint64_t pull = wide_shift(steepness, surplus, 30) / each;
    const uint64_t step = wide_shift_near(wide_shift(left, RATING_Q, 40), pull, 60);
    const uint64_t strength = up                       ? before.strength + step
                              : before.strength > step ? before.strength - step
                                                       : 0;
    return (struct rating){.strength = (uint32_t)clamp_to(strength, RATING_MIN, RATING_MAX),
                           .deviation = (uint32_t)clamp_to(wide_root(left), RATING_DEVIATION_MIN,
                                                           RATING_DEVIATION_MAX)};
}

void rating_update(const struct rating_match *match, struct rating after[])
{
    struct rating result[RATING_SEATS];
    struct sums sums;
    assert(match->seats <= RATING_SEATS && match->sides >= RATING_SIDES_MIN);
    assert(match->seats % match->sides == 0 && match->stages <= match->sides);
    assert(match->seats / match->sides <= RATING_SIDE_SEATS);
    assert(match->scale > 0 && match->scale <= RATING_SCALE_MAX);
    add_up(match, &sums);
    for (unsigned i = 0; i < match->seats; i++) {
        const uint32_t scale = match->scale;
        result[i] = match->before[i];
        if (match->still >> match->side[i] & 1)
            continue;
        const uint32_t steepness = find_steepness(find_blur(match, &sums, i), scale);
        const struct evidence evidence = weigh_side(match, &sums, match->side[i], steepness);
        result[i] = move_rating(match->before[i], evidence, steepness, sums.each);
    }
    memcpy(after, result, match->seats * sizeof result[0]);
}
