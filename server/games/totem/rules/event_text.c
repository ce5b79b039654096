/* Events as text, as each audience hears them (§7.2). */
#include "command_text.h"

static const char *const words[TOTEM_EFFECT_KINDS] = {
    [TOTEM_EFFECT_BURN] = "burn",   [TOTEM_EFFECT_PUT] = "put",     [TOTEM_EFFECT_SHOW] = "show",
    [TOTEM_EFFECT_BORN] = "born",   [TOTEM_EFFECT_CATCH] = "catch", [TOTEM_EFFECT_EAT] = "eat",
    [TOTEM_EFFECT_SPILL] = "spill", [TOTEM_EFFECT_LACK] = "lack",   [TOTEM_EFFECT_TOOK] = "took",
    [TOTEM_EFFECT_GONE] = "gone",   [TOTEM_EFFECT_ILL] = "ill",     [TOTEM_EFFECT_AGE] = "age",
    [TOTEM_EFFECT_MOURN] = "mourn", [TOTEM_EFFECT_FALL] = "fall",   [TOTEM_EFFECT_BUILD] = "build",
    [TOTEM_EFFECT_BIRD] = "bird",   [TOTEM_EFFECT_ROUND] = "round", [TOTEM_EFFECT_NEW] = "new",
    [TOTEM_EFFECT_OUT] = "out",     [TOTEM_EFFECT_OVER] = "over",
};

bool totem_may_know(const struct totem_options *options, unsigned audience, unsigned family)
{
    return audience == TOTEM_SERVER || totem_seat_of(options, family) == audience;
}

/* Does the command say something that only its family's seat may know? */
static bool is_secret(const struct totem_options *options, const struct totem_command *command)
{
    switch ((enum totem_verb)command->verb) {
    case TOTEM_VERB_CHOOSE:
    case TOTEM_VERB_CAST:
    case TOTEM_VERB_WRITE:
        return true;
    case TOTEM_VERB_TAKE:
        return options->meals == TOTEM_MEALS_B;
    case TOTEM_VERB_SETTLE:
    case TOTEM_VERB_PASS:
    case TOTEM_VERB_REVEAL:
    case TOTEM_VERB_STARVE:
        break;
    }
    return false;
}

/* "@R=2": a family and a number. */
static void write_numbered(struct totem_writer *out, const struct totem_effect *effect)
{
    totem_write_family(out, effect->family);
    totem_write_char(out, '=');
    totem_write_number(out, effect->number);
}

static void write_lettered(struct totem_writer *out, const struct totem_effect *effect)
{
    totem_write_family(out, effect->family);
    totem_write_char(out, '=');
}

static void write_over(struct totem_writer *out, const struct totem_effect *effect)
{
    totem_write_text(out, totem_end_name((enum totem_end)effect->number));
    totem_write_char(out, '=');
    for (unsigned i = 0; i < effect->n_order; i++)
        totem_write_family(out, effect->order[i]);
    if (effect->n_order == 0)
        totem_write_char(out, '-');
}

/* What stands behind the @. */
static void write_argument(struct totem_writer *out, const struct totem_effect *effect, bool hidden)
{
    switch ((enum totem_effect_kind)effect->kind) {
    case TOTEM_EFFECT_PUT:
        write_lettered(out, effect);
        totem_write_puts(out, &effect->puts, hidden);
        return;
    case TOTEM_EFFECT_SHOW:
        write_lettered(out, effect);
        totem_write_puts(out, &effect->puts, false);
        return;
    case TOTEM_EFFECT_BORN:
    case TOTEM_EFFECT_ILL:
        totem_write_hut(out, effect->hut);
        totem_write_char(out, '=');
        totem_write_people(out, &effect->people[0]);
        return;
    case TOTEM_EFFECT_NEW:
        write_lettered(out, effect);
        totem_write_people(out, &effect->people[0]);
        return;
    case TOTEM_EFFECT_TOOK:
    case TOTEM_EFFECT_GONE:
        write_lettered(out, effect);
        totem_write_huts(out, effect->people, '/');
        return;
    case TOTEM_EFFECT_FALL:
    case TOTEM_EFFECT_OUT:
        totem_write_family(out, effect->family);
        return;
    case TOTEM_EFFECT_ROUND:
        totem_write_number(out, effect->number);
        totem_write_char(out, '=');
        totem_write_family(out, effect->family);
        return;
    case TOTEM_EFFECT_OVER:
        write_over(out, effect);
        return;
    case TOTEM_EFFECT_BURN:
    case TOTEM_EFFECT_CATCH:
    case TOTEM_EFFECT_EAT:
    case TOTEM_EFFECT_SPILL:
    case TOTEM_EFFECT_LACK:
    case TOTEM_EFFECT_MOURN:
    case TOTEM_EFFECT_BUILD:
    case TOTEM_EFFECT_BIRD:
        write_numbered(out, effect);
        return;
    case TOTEM_EFFECT_AGE:
        return;
    }
}

size_t totem_event_format(const struct totem_options *options, const struct totem_command *command,
                          const struct totem_effects *effects, unsigned audience,
                          char text[TOTEM_EVENT_TEXT])
{
    struct totem_writer out = {text, 0, TOTEM_EVENT_TEXT};
    if (command)
        totem_write_command(&out, command,
                            is_secret(options, command) &&
                                !totem_may_know(options, audience, command->family));

    for (size_t i = 0; i < effects->count; i++) {
        const struct totem_effect *const effect = &effects->list[i];
        if (out.len > 0)
            totem_write_char(&out, ' ');
        totem_write_text(&out, words[effect->kind]);
        if (effect->kind != TOTEM_EFFECT_AGE) {
            totem_write_char(&out, '@');
            write_argument(&out, effect, !totem_may_know(options, audience, effect->family));
        }
    }
    return totem_writer_done(&out);
}
