/* Positions as an audience sees them (§7.1). */
#include "position_text.h"
#include "spells.h"

static void write_options(struct totem_writer *out, const struct totem_options *options)
{
    totem_write_number(out, options->players);
    totem_write_char(out, '/');
    totem_write_family(out, options->first);
    totem_write_char(out, '/');
    totem_write_number(out, options->rounds);
    for (unsigned flag = 0; flag < TOTEM_FLAGS; flag++) {
        if (totem_flag_get(options, flag)) {
            totem_write_char(out, '/');
            totem_write_text(out, totem_flags[flag]);
        }
    }
}

static void write_families(struct totem_writer *out, const uint8_t *families, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        totem_write_family(out, families[i]);
    if (n == 0)
        totem_write_char(out, '-');
}

static void write_step(struct totem_writer *out, const struct totem *game)
{
    totem_write_text(out, totem_step_name((enum totem_step)game->step));
    totem_write_char(out, ':');
    if (game->step == TOTEM_STEP_OVER) {
        totem_write_text(out, totem_end_name((enum totem_end)game->end));
        totem_write_char(out, ':');
        write_families(out, game->winners, game->n_winners);
        return;
    }
    write_families(out, game->queue, game->n_queue);
    for (unsigned i = 0; i < game->n_hungry; i++) {
        totem_write_char(out, i == 0 ? ':' : ',');
        totem_write_family(out, game->hungry[i].family);
        totem_write_number(out, game->hungry[i].number);
    }
}

static void write_family(struct totem_writer *out, const struct totem_family *family)
{
    if (family->state == TOTEM_FAMILY_OUT) {
        totem_write_text(out, "out");
        return;
    }
    totem_write_char(out, 't');
    totem_write_number(out, family->pieces);
    totem_write_char(out, 'b');
    totem_write_number(out, family->birds);
    if (family->barred)
        totem_write_char(out, 'x');
    totem_write_char(out, ':');
    totem_write_huts(out, family->huts, ',');
}

/* ---- spells */

static void begin_spell(struct totem_writer *out, char letter, bool *any)
{
    if (*any)
        totem_write_char(out, ',');
    *any = true;
    totem_write_char(out, letter);
}

static void write_known_spell(struct totem_writer *out, unsigned spell,
                              struct totem_spell_place place, bool *any)
{
    begin_spell(out, totem_spell_letters[spell], any);
    if (place.state != TOTEM_SPELL_CHOSEN) {
        totem_write_char(out, ':');
        totem_write_hut(out, place.hut);
    }
    if (place.state == TOTEM_SPELL_UP)
        totem_write_char(out, '!');
}

/* Those that lie face down by their huts, then those that are not placed. */
static void write_hidden_spells(struct totem_writer *out, const struct totem_family *family,
                                bool *any)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
            const struct totem_spell_place place = family->spells[spell];
            if (place.state == TOTEM_SPELL_DOWN && place.hut == hut) {
                begin_spell(out, '?', any);
                totem_write_char(out, ':');
                totem_write_hut(out, hut);
            }
        }
    }
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if (family->spells[spell].state == TOTEM_SPELL_CHOSEN)
            begin_spell(out, '?', any);
    }
}

static void write_spells(struct totem_writer *out, const struct totem_family *family, bool known)
{
    bool any = false;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        const struct totem_spell_place place = family->spells[spell];
        if (place.state == TOTEM_SPELL_UP || (known && place.state != TOTEM_SPELL_HOME))
            write_known_spell(out, spell, place, &any);
    }
    if (!known)
        write_hidden_spells(out, family, &any);
    if (!any)
        totem_write_char(out, '-');
}

/* ---- notes */

static void write_note(struct totem_writer *out, const struct totem *game, unsigned family)
{
    const struct totem_note *const note = &game->families[family].note;
    if (game->step == TOTEM_STEP_WRITE)
        totem_write_puts(out, &note->puts, false);
    else
        totem_write_huts(out, note->people, ',');
}

static void write_note_as_told(struct totem_writer *out, const struct totem *game, unsigned family,
                               bool known)
{
    if (!game->families[family].note.written) {
        totem_write_char(out, '-');
    } else if (!known) {
        totem_write_char(out, '*');
    } else {
        totem_write_char(out, '+');
        write_note(out, game, family);
    }
}

size_t totem_note_format(const struct totem *game, unsigned family, char text[TOTEM_COMMAND_TEXT])
{
    struct totem_writer out = {text, 0, TOTEM_COMMAND_TEXT};
    if (game->families[family].note.written)
        write_note(&out, game, family);
    return totem_writer_done(&out);
}

size_t totem_position_format(const struct totem *game, unsigned audience,
                             char text[TOTEM_POSITION_TEXT])
{
    struct totem_writer out = {text, 0, TOTEM_POSITION_TEXT};
    const unsigned n = totem_families(&game->options);
    write_options(&out, &game->options);
    totem_write_char(&out, ' ');
    totem_write_number(&out, game->round);
    totem_write_family(&out, game->first);
    totem_write_char(&out, ' ');
    write_step(&out, game);
    for (unsigned family = 0; family < n; family++) {
        totem_write_char(&out, family == 0 ? ' ' : '/');
        write_family(&out, &game->families[family]);
    }
    for (unsigned family = 0; family < n; family++) {
        totem_write_char(&out, family == 0 ? ' ' : '/');
        write_spells(&out, &game->families[family],
                     totem_may_know(&game->options, audience, family));
    }
    for (unsigned family = 0; family < n; family++) {
        totem_write_char(&out, family == 0 ? ' ' : '/');
        write_note_as_told(&out, game, family, totem_may_know(&game->options, audience, family));
    }
    return totem_writer_done(&out);
}
