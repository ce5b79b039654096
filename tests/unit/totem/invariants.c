#include "invariants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <totem_rules/notation.h>

static const struct totem *about;

void totem_broken_about(const struct totem *game)
{
    about = game;
}

_Noreturn void totem_broken(const char *file, int line, const char *condition)
{
    char text[TOTEM_POSITION_TEXT] = "";
    if (about)
        totem_position_format(about, TOTEM_SERVER, text);
    (void)fprintf(stderr, "%s:%d: %s\n%s\n", file, line, condition, text);
    abort();
}

/* ---- what is always so */

static void hold_family(const struct totem *game, unsigned index)
{
    const struct totem_family *const family = &game->families[index];
    const struct totem_people all = totem_everybody(family);
    if (family->state != TOTEM_FAMILY_PLAYING) {
        struct totem_family gone = {.state = family->state};
        HOLD(memcmp(family, &gone, sizeof gone) == 0);
        return;
    }
    HOLD(totem_count(&all) == 0 || (totem_count_women(&all) > 0 && totem_count_men(&all) > 0));
    HOLD(family->pieces <= TOTEM_PIECES_MAX);
    HOLD(family->pieces >= 1 || game->options.totem_a);
}

void hold_totem(const struct totem *game)
{
    const bool over = game->step == TOTEM_STEP_OVER;
    HOLD(totem_supply(game) <= TOTEM_BIRDS);
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++)
        hold_family(game, family);
    HOLD((totem_acting(game) == 0) == over);
    HOLD((totem_acting_seats(game) & ~totem_seats_in_play(game)) == 0);
    HOLD((game->end != TOTEM_END_NONE) == over);
}

void hold_totem_played(const struct totem *game)
{
    hold_totem(game);
    if (game->step != TOTEM_STEP_CHOOSE && game->step != TOTEM_STEP_CAST &&
        game->step != TOTEM_STEP_WRITE && game->step != TOTEM_STEP_REVEAL_BIRTHS)
        return;
    for (unsigned index = 0; index < TOTEM_FAMILIES; index++) {
        const struct totem_family *const family = &game->families[index];
        const struct totem_people all = totem_everybody(family);
        HOLD(totem_count(&all) <= 18);
        HOLD(all.of[TOTEM_GIRL] + all.of[TOTEM_BOY] == 0);
        for (unsigned hut = 0; hut < TOTEM_HUTS; hut++)
            HOLD(totem_count(&family->huts[hut]) <= 6);
    }
}

void hold_totem_round_trip(const struct totem *game)
{
    char text[TOTEM_POSITION_TEXT];
    struct totem read;
    memset(&read, 0xa5, sizeof read);
    const size_t len = totem_position_format(game, TOTEM_SERVER, text);
    HOLD(len == strlen(text));
    HOLD(totem_position_parse(text, len, &read, NULL, NULL));
    HOLD(memcmp(&read, game, sizeof read) == 0);
}

/* ---- who knows what (section 7) */

/* Another game that this audience cannot tell from it: what others hide is something else. */
static void exchange_hidden(struct totem *game, unsigned audience)
{
    for (unsigned index = 0; index < TOTEM_FAMILIES; index++) {
        struct totem_family *const family = &game->families[index];
        if (totem_may_know(&game->options, audience, index))
            continue;
        struct totem_spell_place hidden[TOTEM_SPELLS];
        unsigned at[TOTEM_SPELLS], n = 0;
        for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
            if (family->spells[spell].state != TOTEM_SPELL_UP) {
                at[n] = spell;
                hidden[n++] = family->spells[spell];
            }
        }
        for (unsigned i = 0; i < n; i++)
            family->spells[at[i]] = hidden[(i + 1) % n];
        if (family->note.written && game->step == TOTEM_STEP_WRITE)
            memset(&family->note.puts, TOTEM_NONE, sizeof family->note.puts);
        else if (family->note.written)
            memset(family->note.people, 0, sizeof family->note.people);
    }
}

void hold_totem_hidden(const struct totem *game)
{
    char text[TOTEM_POSITION_TEXT], other_text[TOTEM_POSITION_TEXT];
    for (unsigned i = 0; i <= game->options.players; i++) {
        const unsigned audience = i == game->options.players ? (unsigned)TOTEM_WATCHER : i;
        struct totem other = *game;
        exchange_hidden(&other, audience);
        totem_position_format(game, audience, text);
        totem_position_format(&other, audience, other_text);
        HOLD(strcmp(text, other_text) == 0);
        HOLD(totem_acting(game) == totem_acting(&other));
    }
}

/* ---- effects */

static void add_people(struct totem_people *to, const struct totem_people *people, int sign)
{
    for (unsigned kind = 0; kind < TOTEM_KINDS; kind++) {
        HOLD(sign > 0 || to->of[kind] >= people->of[kind]);
        to->of[kind] = (uint8_t)(to->of[kind] + sign * people->of[kind]);
    }
}

static void add_birds(struct totem_family *family, int birds)
{
    HOLD(birds != 0 && family->birds + birds >= 0);
    family->birds = (uint8_t)(family->birds + birds);
}

static void spells_go_home(struct totem *game)
{
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++)
        memset(game->families[family].spells, 0, sizeof game->families[family].spells);
}

static void lay_or_show(struct totem_family *family, const struct totem_effect *effect)
{
    const bool shows = effect->kind == TOTEM_EFFECT_SHOW;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        struct totem_spell_place *const place = &family->spells[spell];
        const uint8_t hut = effect->puts.hut[spell];
        if (hut == TOTEM_NONE)
            continue;
        HOLD(shows ? place->state == TOTEM_SPELL_DOWN && place->hut == hut
                   : place->state == TOTEM_SPELL_HOME);
        *place = (struct totem_spell_place){shows ? TOTEM_SPELL_UP : TOTEM_SPELL_DOWN, hut};
    }
}

static bool lives_long(const struct totem *game, unsigned hut)
{
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        const struct totem_spell_place place = game->families[family].spells[TOTEM_LONG_LIFE];
        if (place.state == TOTEM_SPELL_UP && place.hut == hut)
            return true;
    }
    return false;
}

static void grow_older(struct totem *game)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        struct totem_people *const people =
            &game->families[hut / TOTEM_HUTS].huts[hut % TOTEM_HUTS];
        const struct totem_people was = *people;
        const unsigned stay = lives_long(game, hut) ? was.of[TOTEM_ELDER] : 0;
        *people = (struct totem_people){
            {0, 0, was.of[TOTEM_GIRL], was.of[TOTEM_BOY], was.of[TOTEM_YOUNG_WOMAN],
             was.of[TOTEM_YOUNG_MAN], (uint8_t)(was.of[TOTEM_WOMAN] + was.of[TOTEM_MAN] + stay)}};
    }
}

static void begin_again(struct totem *game, const struct totem_effect *effect)
{
    struct totem_family *const family = &game->families[effect->family];
    const unsigned birds = game->options.village ? 3 : 5, supply = totem_supply(game);
    family->huts[0] = effect->people[0];
    family->birds = (uint8_t)(birds < supply ? birds : supply);
    if (family->pieces == 0)
        family->pieces = 1;
}

static void begin_round(struct totem *game, const struct totem_effect *effect)
{
    HOLD(effect->number == game->round + 1);
    game->round = effect->number;
    game->first = effect->family;
    spells_go_home(game);
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++)
        game->families[family].barred = false;
}

static void leave(struct totem *game, unsigned leaver)
{
    game->families[leaver] = (struct totem_family){.state = TOTEM_FAMILY_OUT};
    for (unsigned i = 0; i < TOTEM_FAMILIES * TOTEM_SPELLS; i++) {
        struct totem_spell_place *const place =
            &game->families[i / TOTEM_SPELLS].spells[i % TOTEM_SPELLS];
        if ((place->state == TOTEM_SPELL_DOWN || place->state == TOTEM_SPELL_UP) &&
            place->hut / TOTEM_HUTS == leaver)
            *place = (struct totem_spell_place){.state = TOTEM_SPELL_HOME};
    }
}

static void end_game(struct totem *game, const struct totem_effect *effect)
{
    game->end = effect->number;
    game->n_winners = effect->n_order;
    memcpy(game->winners, effect->order, sizeof game->winners);
    spells_go_home(game);
}

static void do_effect(struct totem *game, const struct totem_effect *effect)
{
    struct totem_family *const family = &game->families[effect->family];
    struct totem_people *const hut =
        &game->families[effect->hut / TOTEM_HUTS].huts[effect->hut % TOTEM_HUTS];
    switch ((enum totem_effect_kind)effect->kind) {
    case TOTEM_EFFECT_BURN:
    case TOTEM_EFFECT_EAT:
    case TOTEM_EFFECT_SPILL:
        add_birds(family, -effect->number);
        return;
    case TOTEM_EFFECT_CATCH:
    case TOTEM_EFFECT_BIRD:
        add_birds(family, effect->number);
        return;
    case TOTEM_EFFECT_PUT:
    case TOTEM_EFFECT_SHOW:
        lay_or_show(family, effect);
        return;
    case TOTEM_EFFECT_BORN:
        HOLD(totem_count(&effect->people[0]) > 0);
        HOLD(totem_count(&effect->people[0]) <= TOTEM_CHILDREN_MAX);
        HOLD(effect->people[0].of[TOTEM_GIRL] + effect->people[0].of[TOTEM_BOY] ==
             (int)totem_count(&effect->people[0]));
        add_people(hut, &effect->people[0], 1);
        return;
    case TOTEM_EFFECT_ILL:
        HOLD(totem_count(&effect->people[0]) > 0);
        add_people(hut, &effect->people[0], -1);
        return;
    case TOTEM_EFFECT_GONE:
        for (unsigned i = 0; i < TOTEM_HUTS; i++)
            add_people(&family->huts[i], &effect->people[i], -1);
        return;
    case TOTEM_EFFECT_LACK:
    case TOTEM_EFFECT_TOOK:
        return;
    case TOTEM_EFFECT_AGE:
        grow_older(game);
        return;
    case TOTEM_EFFECT_MOURN:
        family->pieces = effect->number;
        family->barred = true;
        return;
    case TOTEM_EFFECT_FALL:
        memset(family->huts, 0, sizeof family->huts);
        family->birds = 0;
        return;
    case TOTEM_EFFECT_BUILD:
        HOLD(!family->barred && effect->number == family->pieces + 1);
        family->pieces = effect->number;
        return;
    case TOTEM_EFFECT_ROUND:
        begin_round(game, effect);
        return;
    case TOTEM_EFFECT_NEW:
        begin_again(game, effect);
        return;
    case TOTEM_EFFECT_OUT:
        leave(game, effect->family);
        return;
    case TOTEM_EFFECT_OVER:
        end_game(game, effect);
        return;
    }
}

/* What the command itself says. */
static void do_command(struct totem *game, const struct totem_command *command)
{
    struct totem_family *const family = &game->families[command->family];
    if (command->verb == TOTEM_VERB_SETTLE)
        memcpy(family->huts, command->people, sizeof family->huts);
    if (command->verb == TOTEM_VERB_CAST)
        family->spells[command->spell] = (struct totem_spell_place){TOTEM_SPELL_DOWN, command->hut};
    for (unsigned spell = 0; command->verb == TOTEM_VERB_CHOOSE && spell < TOTEM_SPELLS; spell++) {
        if ((command->set >> spell & 1) != 0)
            family->spells[spell].state = TOTEM_SPELL_CHOSEN;
    }
}

void hold_totem_effects(const struct totem *before, const struct totem_command *command,
                        const struct totem *after, const struct totem_effects *effects)
{
    struct totem game = *before;
    if (command)
        do_command(&game, command);
    HOLD(effects->count <= TOTEM_EFFECTS_MAX);
    for (size_t i = 0; i < effects->count; i++)
        do_effect(&game, &effects->list[i]);
    for (unsigned index = 0; index < TOTEM_FAMILIES; index++) {
        struct totem_family *const family = &game.families[index];
        family->note = after->families[index].note;
        HOLD(memcmp(family, &after->families[index], sizeof *family) == 0);
    }
    HOLD(game.round == after->round && game.first == after->first && game.end == after->end);
    HOLD(game.n_winners == after->n_winners &&
         memcmp(game.winners, after->winners, sizeof game.winners) == 0);
}
