/* Positions as the server sees them, read (§7.1). */
#include "position_text.h"
#include <string.h>

static void read_options(struct totem_reader *in, struct totem_options *options)
{
    unsigned next = 0;
    memset(options, 0, sizeof *options);
    options->players = (uint8_t)totem_read_number(in, 2, TOTEM_SEATS_MAX, "2 to 4 players");
    totem_expect(in, '/', "/ after the players");
    options->first = (uint8_t)totem_read_letter(in, totem_family_letters, "a first family");
    totem_expect(in, '/', "/ after the first family");
    options->rounds = (uint8_t)totem_read_number(in, 1, TOTEM_ROUNDS_MAX, "1 to 99 rounds");
    while (totem_accept(in, '/')) {
        while (next < TOTEM_FLAGS && !totem_accept_word(in, totem_flags[next]))
            next++;
        if (next == TOTEM_FLAGS) {
            totem_fail(in, "variants in their order");
            return;
        }
        totem_flag_set(options, next++);
    }
}

static unsigned read_step_word(struct totem_reader *in)
{
    for (unsigned step = 0; step < TOTEM_STEPS; step++) {
        if (totem_accept_word(in, totem_step_name((enum totem_step)step)))
            return step;
    }
    totem_fail(in, "a step");
    return 0;
}

static void read_over(struct totem_reader *in, struct totem *game)
{
    unsigned end = TOTEM_END_TOTEM;
    while (end < TOTEM_ENDS && !totem_accept_word(in, totem_end_name((enum totem_end)end)))
        end++;
    if (end == TOTEM_ENDS) {
        totem_fail(in, "why it is over");
        return;
    }
    game->end = (uint8_t)end;
    totem_expect(in, ':', ": after why it is over");
    if (totem_accept(in, '-'))
        return;
    do {
        const unsigned family = totem_read_letter(in, totem_family_letters, "the winners, or -");
        if (game->n_winners == TOTEM_FAMILIES) {
            totem_fail(in, "too many winners");
            return;
        }
        game->winners[game->n_winners++] = (uint8_t)family;
    } while (totem_peek_letter(in, totem_family_letters));
}

static void read_hungry(struct totem_reader *in, struct totem *game)
{
    totem_expect(in, ':', ": before the hungry");
    do {
        if (game->n_hungry == TOTEM_FAMILIES) {
            totem_fail(in, "too many that are hungry");
            return;
        }
        struct totem_hungry *const hungry = &game->hungry[game->n_hungry++];
        hungry->family = (uint8_t)totem_read_letter(in, totem_family_letters, "a hungry family");
        hungry->number = (uint8_t)totem_read_number(in, 1, TOTEM_QUEUE_MAX, "how many must go");
    } while (totem_accept(in, ','));
}

static void read_step(struct totem_reader *in, struct totem *game)
{
    game->step = (uint8_t)read_step_word(in);
    totem_expect(in, ':', ": after the step");
    if (game->step == TOTEM_STEP_OVER) {
        read_over(in, game);
        return;
    }
    do {
        const unsigned family = totem_read_letter(in, totem_family_letters, "who must act");
        if (game->n_queue == TOTEM_QUEUE_MAX) {
            totem_fail(in, "too many that must act");
            return;
        }
        game->queue[game->n_queue++] = (uint8_t)family;
    } while (totem_peek_letter(in, totem_family_letters));
    if (game->step == TOTEM_STEP_STARVE || game->step == TOTEM_STEP_TAKE)
        read_hungry(in, game);
}

static void read_family(struct totem_reader *in, struct totem_family *family)
{
    if (totem_accept_word(in, "out")) {
        family->state = TOTEM_FAMILY_OUT;
        return;
    }
    totem_expect(in, 't', "t and the pieces");
    family->pieces = (uint8_t)totem_read_number(in, 0, TOTEM_PIECES_MAX, "0 to 6 pieces");
    totem_expect(in, 'b', "b and the birds");
    family->birds = (uint8_t)totem_read_number(in, 0, TOTEM_BIRDS, "0 to 36 birds");
    family->barred = totem_accept(in, 'x');
    totem_expect(in, ':', ": before the people");
    totem_read_huts(in, family->huts, ',');
}

static void read_spell(struct totem_reader *in, struct totem_family *family, unsigned *next)
{
    const unsigned spell = totem_read_letter(in, totem_spell_letters, "spells, or -");
    if (spell < *next)
        totem_fail(in, "spells stand in their order, each once");
    *next = spell + 1;
    struct totem_spell_place *const place = &family->spells[spell];
    place->state = TOTEM_SPELL_CHOSEN;
    if (totem_accept(in, ':')) {
        place->hut = (uint8_t)totem_read_hut(in);
        place->state = totem_accept(in, '!') ? TOTEM_SPELL_UP : TOTEM_SPELL_DOWN;
    }
}

static void read_spells(struct totem_reader *in, struct totem_family *family)
{
    unsigned next = 0;
    if (totem_accept(in, '-'))
        return;
    do {
        read_spell(in, family, &next);
    } while (totem_accept(in, ','));
}

static void read_note(struct totem_reader *in, unsigned step, struct totem_note *note)
{
    if (totem_accept(in, '-'))
        return;
    totem_expect(in, '+', "a note: + or -");
    note->written = true;
    if (step == TOTEM_STEP_WRITE)
        totem_read_puts(in, &note->puts);
    else
        totem_read_huts(in, note->people, ',');
}

static void read_all_families(struct totem_reader *in, struct totem *game)
{
    const unsigned n = totem_families(&game->options);
    for (unsigned family = 0; family < n; family++) {
        totem_expect(in, family == 0 ? ' ' : '/', "the families");
        read_family(in, &game->families[family]);
    }
    for (unsigned family = 0; family < n; family++) {
        totem_expect(in, family == 0 ? ' ' : '/', "the spells of each family");
        read_spells(in, &game->families[family]);
    }
    for (unsigned family = 0; family < n; family++) {
        totem_expect(in, family == 0 ? ' ' : '/', "the note of each family");
        read_note(in, game->step, &game->families[family].note);
    }
    for (unsigned family = n; family < TOTEM_FAMILIES; family++)
        game->families[family].state = TOTEM_FAMILY_ABSENT;
}

static void read_position(struct totem_reader *in, struct totem *game)
{
    memset(game, 0, sizeof *game);
    read_options(in, &game->options);
    totem_expect(in, ' ', "a space before the round");
    game->round = (uint8_t)totem_read_number(in, 1, TOTEM_ROUNDS_MAX, "a round");
    game->first = (uint8_t)totem_read_letter(in, totem_family_letters, "the round's first family");
    totem_expect(in, ' ', "a space before the step");
    read_step(in, game);
    read_all_families(in, game);
}

/* Whatever was let pass, there is one spelling only. */
static bool is_canonical(const struct totem_reader *in, const struct totem *game)
{
    char text[TOTEM_POSITION_TEXT];
    const size_t len = totem_position_format(game, TOTEM_SERVER, text);
    return len == in->len && memcmp(text, in->text, len) == 0;
}

bool totem_position_parse(const char *text, size_t len, struct totem *out, size_t *offset,
                          const char **what)
{
    struct totem_reader in;
    struct totem game;
    totem_reader_init(&in, text, len);
    read_position(&in, &game);
    if (totem_reader_done(&in)) {
        const char *const impossible = totem_position_check(&game);
        if (impossible)
            totem_fail(&in, impossible);
        else if (!is_canonical(&in, &game))
            totem_fail(&in, "there is another spelling");
    }
    if (offset)
        *offset = in.at;
    if (what)
        *what = in.failed;
    if (!totem_reader_ok(&in))
        return false;
    *out = game;
    return true;
}
