/*
 * The computer player: couples in every hut, spells where they are worth most by simple reckoning
 * (magic.c), and whoever hurts others most goes first when it takes people. It plays from what its
 * seat knows; the seed decides between equals.
 */
#include "totem_match.h"
#include <assert.h>
#include <base/rng.h>
#include <string.h>

/* A beginner lets some chances pass and does what is done for those who do nothing. */
enum level { LEVEL_BEGINNER = 1, LEVEL_SIMPLE };
enum { OVERLOOKED_ONE_IN = 2 };

static const char *const levels[] = {"beginner", "simple", NULL};

/* ---- what a seat knows */

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

static void know(const void *value, unsigned seat, void *known)
{
    struct totem_match *copy = known;
    memcpy(copy, value, sizeof *copy);
    memset(copy->key, 0, sizeof copy->key);
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (totem_may_know(&copy->options, seat, family))
            continue;
        hide_spells(&copy->game.families[family]);
        hide_note(&copy->game.families[family]);
    }
}

/* ---- settle */

enum { ELDERS_KEPT = 2, MEN_KEPT = 6 };

/* Who leaves when there are too many: women stay before men, and some elders. */
static unsigned who_leaves(const struct totem_people *all)
{
    if (all->of[TOTEM_ELDER] > ELDERS_KEPT)
        return TOTEM_ELDER;
    if (totem_count_men(all) > MEN_KEPT)
        return all->of[TOTEM_MAN] > 1 ? TOTEM_MAN : TOTEM_YOUNG_MAN;
    return all->of[TOTEM_WOMAN] > 1 ? TOTEM_WOMAN : TOTEM_YOUNG_WOMAN;
}

typedef unsigned count_function(const struct totem_people *people);

/* Into the hut with the fewest of them; into one without the others only if it must be. */
static unsigned hut_for(const struct totem_people huts[TOTEM_HUTS], count_function *same,
                        count_function *partners, unsigned room)
{
    unsigned best = TOTEM_HUTS, least = 0;
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        unsigned lonely = partners && partners(&huts[hut]) == 0 ? 100 : 0;
        unsigned cost = lonely + same(&huts[hut]);
        if (totem_count(&huts[hut]) < room && (best == TOTEM_HUTS || cost < least)) {
            best = hut;
            least = cost;
        }
    }
    assert(best < TOTEM_HUTS);
    return best;
}

static void settle(const struct totem *game, unsigned family, struct totem_command *out)
{
    static const struct {
        uint8_t kind;
        count_function *same, *partners;
    } order[] = {
        {TOTEM_YOUNG_MAN, totem_count_men, NULL},
        {TOTEM_MAN, totem_count_men, NULL},
        {TOTEM_YOUNG_WOMAN, totem_count_women, totem_count_men},
        {TOTEM_WOMAN, totem_count_women, totem_count_men},
        {TOTEM_ELDER, totem_count, NULL},
    };
    struct totem_people all = totem_everybody(&game->families[family]);
    unsigned stay = totem_to_settle(game, family);
    unsigned room = totem_hut_room();
    while (totem_count(&all) > stay)
        all.of[who_leaves(&all)]--;
    for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
        for (unsigned n = 0; n < all.of[order[i].kind]; n++) {
            unsigned hut = hut_for(out->people, order[i].same, order[i].partners, room);
            out->people[hut].of[order[i].kind]++;
        }
    }
}

/* ---- spells */

enum { BIRDS_KEPT = 5, BIRDS_SPENT = 2 };

/* As many as cost nothing, and some for birds that would not outlast the meal. */
static unsigned how_many_spells(const struct totem *game, unsigned family)
{
    const struct totem_family *own = &game->families[family];
    unsigned spare = own->birds > BIRDS_KEPT ? own->birds - BIRDS_KEPT : 0;
    unsigned number = own->pieces + (spare < BIRDS_SPENT ? spare : BIRDS_SPENT);
    unsigned most = totem_allowance(game, family);
    return number < most ? number : most;
}

/* The best spell of the set, and its best hut. False: none of them is worth anything. */
static bool best_spell(const struct totem *game, unsigned family, unsigned set, struct rng *random,
                       unsigned *best, unsigned *best_hut)
{
    int most = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        unsigned hut = 0;
        if (!((set >> spell) & 1))
            continue;
        int worth = totem_best_hut(game, family, spell, random, &hut);
        if (worth > most) {
            most = worth;
            *best = spell;
            *best_hut = hut;
        }
    }
    return most > 0;
}

/* The best ones, each where it is best. */
static void plan_spells(const struct totem *game, unsigned family, struct rng *random,
                        struct totem_command *out)
{
    unsigned set = totem_spell_set(&game->families[family], TOTEM_SPELL_HOME);
    unsigned spell, hut;
    for (unsigned n = how_many_spells(game, family);
         n > 0 && best_spell(game, family, set, random, &spell, &hut); n--) {
        set &= ~(1U << spell);
        out->set = (uint16_t)(out->set | 1U << spell);
        out->puts.hut[spell] = (uint8_t)hut;
    }
}

/* In turns whatever was chosen has to be placed; in variant A the family may pass. */
static void cast(const struct totem *game, unsigned family, struct rng *random,
                 struct totem_command *out)
{
    const struct totem_family *own = &game->families[family];
    bool turns = game->options.spells == TOTEM_SPELLS_TURNS;
    unsigned set = totem_spell_set(own, turns ? TOTEM_SPELL_CHOSEN : TOTEM_SPELL_HOME);
    unsigned placed = TOTEM_SPELLS - totem_spell_number(set);
    unsigned spell = 0, hut = family * TOTEM_HUTS;
    bool worth_it = best_spell(game, family, set, random, &spell, &hut);
    if (!turns && (!worth_it || placed >= how_many_spells(game, family))) {
        out->verb = TOTEM_VERB_PASS;
        return;
    }
    if (!worth_it) {
        while (!((set >> spell) & 1))
            spell++;
        totem_best_hut(game, family, spell, random, &hut);
    }
    out->verb = TOTEM_VERB_CAST;
    out->spell = (uint8_t)spell;
    out->hut = (uint8_t)hut;
}

/* Whatever of this phase does some good where it lies. */
static void reveal(const struct totem *game, unsigned family, struct totem_command *out)
{
    const struct totem_family *own = &game->families[family];
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if (own->spells[spell].state == TOTEM_SPELL_DOWN &&
            totem_spell_step((enum totem_spell)spell) == (enum totem_step)game->step &&
            totem_worth_of_spell(game, family, spell, own->spells[spell].hut) > 0)
            out->set = (uint16_t)(out->set | 1U << spell);
    }
}

/* ---- take */

/* One of a kind, from the first hut that has one left. */
static bool take_one(struct totem_people left[TOTEM_HUTS], unsigned kind, struct totem_command *out)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        if (left[hut].of[kind] > 0) {
            left[hut].of[kind]--;
            out->people[hut].of[kind]++;
            return true;
        }
    }
    return false;
}

/* Elders first, of which a family has few, then those who will have children. */
static void take(const struct totem *game, unsigned family, struct totem_command *out)
{
    static const uint8_t order[TOTEM_KINDS] = {TOTEM_ELDER, TOTEM_YOUNG_WOMAN, TOTEM_GIRL,
                                               TOTEM_WOMAN, TOTEM_YOUNG_MAN,   TOTEM_MAN,
                                               TOTEM_BOY};
    struct totem_people left[TOTEM_HUTS];
    unsigned number = totem_to_name(game, family);
    out->victim = game->hungry[0].family;
    memcpy(left, game->families[out->victim].huts, sizeof left);
    for (unsigned i = 0; i < TOTEM_KINDS && number > 0;) {
        if (take_one(left, order[i], out))
            number--;
        else
            i++;
    }
}

/* ---- all */

/* False: what is done for those who do nothing is good enough. */
static bool compose(const struct totem *game, unsigned family, struct rng *random,
                    struct totem_command *out)
{
    switch ((enum totem_step)game->step) {
    case TOTEM_STEP_SETTLE:
        out->verb = TOTEM_VERB_SETTLE;
        settle(game, family, out);
        return true;
    case TOTEM_STEP_CHOOSE:
        out->verb = TOTEM_VERB_CHOOSE;
        plan_spells(game, family, random, out);
        return true;
    case TOTEM_STEP_WRITE:
        out->verb = TOTEM_VERB_WRITE;
        plan_spells(game, family, random, out);
        return true;
    case TOTEM_STEP_CAST:
        cast(game, family, random, out);
        return true;
    case TOTEM_STEP_REVEAL_BIRTHS:
    case TOTEM_STEP_REVEAL_CATCH:
    case TOTEM_STEP_REVEAL_ILLNESS:
    case TOTEM_STEP_REVEAL_GENERATIONS:
        out->verb = TOTEM_VERB_REVEAL;
        reveal(game, family, out);
        return true;
    case TOTEM_STEP_TAKE:
        out->verb = TOTEM_VERB_TAKE;
        take(game, family, out);
        return true;
    case TOTEM_STEP_STARVE:
    case TOTEM_STEP_OVER:
        break;
    }
    return false;
}

/* The first family of the seat that may act. */
static unsigned acting_family(const struct totem *game, unsigned seat)
{
    unsigned acting = totem_acting(game), family = 0;
    while (!((acting >> family) & 1) || totem_seat_of(&game->options, family) != seat) {
        family++;
        assert(family < TOTEM_FAMILIES);
    }
    return family;
}

static size_t write_command(const struct totem *game, unsigned seat,
                            const struct totem_command *command, char move[PROTOCOL_MOVE_BYTES])
{
    char text[TOTEM_COMMAND_TEXT];
    size_t len = totem_command_format(command, text);
    assert(totem_check(game, seat, command) == TOTEM_OK);
    memcpy(move, text, len);
    return len;
}

static size_t choose(const void *known, unsigned seat, unsigned level, uint64_t seed,
                     char move[PROTOCOL_MOVE_BYTES])
{
    const struct totem_match *match = known;
    const struct totem *game = &match->game;
    unsigned family = acting_family(game, seat);
    struct rng random = {seed};
    struct totem_command command = {.family = (uint8_t)family};
    memset(&command.puts, TOTEM_NONE, sizeof command.puts);
    bool overlooks = level == LEVEL_BEGINNER && rng_below(&random, OVERLOOKED_ONE_IN) == 0;
    if (overlooks || !compose(game, family, &random, &command))
        totem_default_command(game, family, &command);
    return write_command(game, seat, &command, move);
}

/* Section 6.3. */
static size_t stand_in(const void *known, unsigned seat, uint64_t seed,
                       char move[PROTOCOL_MOVE_BYTES])
{
    const struct totem_match *match = known;
    struct totem_command command;
    (void)seed;
    totem_default_command(&match->game, acting_family(&match->game, seat), &command);
    return write_command(&match->game, seat, &command, move);
}

const struct game_computer totem_computer = {
    .levels = levels,
    .level_default = LEVEL_SIMPLE,
    .level_unnamed = LEVEL_SIMPLE,
    .know = know,
    .choose = choose,
    .stand_in = stand_in,
};
