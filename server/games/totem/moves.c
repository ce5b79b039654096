/*
 * What a seat that may act can do: every command where there are not too many, and for each of its
 * families what is asked, from which any command can be composed. The seat's own knowledge is
 * enough for all of it.
 */
#include "totem_match.h"
#include <string.h>

enum { MOVES_MAX = 1000 };

/* ---- every command */

/* How many there are, or more than MOVES_MAX; written only where there are not too many. */
static size_t write_commands(const struct totem *game, unsigned family, struct writer *writer)
{
    struct totem_command commands[MOVES_MAX];
    size_t count = totem_list(game, family, commands, MOVES_MAX);
    for (size_t i = 0; writer && i < count; i++) {
        char text[TOTEM_COMMAND_TEXT];
        size_t len = totem_command_format(&commands[i], text);
        writer_string_n(writer, text, len);
    }
    return count;
}

/* The families of the seat that may act. */
static unsigned asked_families(const struct totem *game, unsigned seat)
{
    unsigned families = totem_acting(game);
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (totem_seat_of(&game->options, family) != seat)
            families &= ~(1U << family);
    }
    return families;
}

static size_t write_all_commands(const struct totem *game, unsigned families, struct writer *writer)
{
    size_t count = 0;
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if ((families >> family) & 1)
            count += write_commands(game, family, writer);
    }
    return count;
}

static void write_list(const struct totem *game, unsigned families, struct writer *writer)
{
    size_t count = write_all_commands(game, families, NULL);
    writer_key_array(writer, "moves");
    if (count <= MOVES_MAX)
        write_all_commands(game, families, writer);
    writer_end(writer);
}

/* ---- what is asked */

static void write_people(const char *key, const struct totem_people *people, struct writer *writer)
{
    char text[TOTEM_LETTERS_TEXT];
    totem_people_text(people, text);
    writer_key_string(writer, key, text);
}

static void write_spells(unsigned set, struct writer *writer)
{
    char text[TOTEM_LETTERS_TEXT];
    totem_spells_text(set, text);
    writer_key_string(writer, "spells", text);
}

static void write_huts(const struct totem *game, struct writer *writer)
{
    writer_key_array(writer, "huts");
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL; hut++) {
        if (game->families[hut / TOTEM_HUTS].state == TOTEM_FAMILY_PLAYING)
            writer_string(writer, totem_hut_name(hut).text);
    }
    writer_end(writer);
}

static unsigned min_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void ask_settle(const struct totem *game, unsigned family, struct writer *writer)
{
    const struct totem_people all = totem_everybody(&game->families[family]);
    write_people("people", &all, writer);
    writer_key_int(writer, "stay", totem_to_settle(game, family));
}

/* Before anything is chosen all spells are at home. */
static void ask_spells(const struct totem *game, unsigned family, struct writer *writer)
{
    const struct totem_family *asked = &game->families[family];
    write_spells(totem_spells_in(asked, TOTEM_SPELL_HOME), writer);
    writer_key_int(writer, "most", totem_allowance(game, family));
    writer_key_int(writer, "free", min_of(asked->pieces, TOTEM_SPELLS));
}

/* What was chosen is paid for; in variant A pieces come first, then birds. */
static void ask_cast(const struct totem *game, unsigned family, struct writer *writer)
{
    const struct totem_family *asked = &game->families[family];
    unsigned at_home = totem_spells_in(asked, TOTEM_SPELL_HOME);
    unsigned in_hand = totem_spells_in(asked, TOTEM_SPELL_CHOSEN);
    bool turns = game->options.spells == TOTEM_SPELLS_TURNS;
    unsigned placed = TOTEM_SPELLS - totem_set_size(at_home);
    unsigned free_ones = asked->pieces > placed ? asked->pieces - placed : 0;
    write_spells(turns ? in_hand : at_home, writer);
    write_huts(game, writer);
    writer_key_int(writer, "free",
                   turns ? totem_set_size(in_hand) : min_of(free_ones, totem_set_size(at_home)));
}

static void ask_reveal(const struct totem *game, unsigned family, struct writer *writer)
{
    unsigned down = totem_spells_in(&game->families[family], TOTEM_SPELL_DOWN);
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++) {
        if (totem_spell_step((enum totem_spell)spell) != (enum totem_step)game->step)
            down &= ~(1U << spell);
    }
    write_spells(down, writer);
}

/* Of the people of the family that is dealt with, those who can be chosen. */
static void ask_people(const struct totem *game, unsigned family, struct writer *writer)
{
    unsigned victim = game->hungry[0].family;
    writer_key_string(writer, "from", totem_family_name(victim).text);
    writer_key_object(writer, "people");
    for (unsigned hut = 0; hut < TOTEM_HUTS; hut++) {
        struct totem_people people = game->families[victim].huts[hut];
        if (game->step == TOTEM_STEP_STARVE)
            people.of[TOTEM_ELDER] = 0;
        if (totem_count(&people) > 0)
            write_people(totem_hut_name(victim * TOTEM_HUTS + hut).text, &people, writer);
    }
    writer_end(writer);
    writer_key_int(writer, "count", totem_to_name(game, family));
}

static const char *verb_of(enum totem_step step)
{
    switch (step) {
    case TOTEM_STEP_REVEAL_BIRTHS:
    case TOTEM_STEP_REVEAL_CATCH:
    case TOTEM_STEP_REVEAL_ILLNESS:
    case TOTEM_STEP_REVEAL_GENERATIONS:
        return "reveal";
    case TOTEM_STEP_SETTLE:
    case TOTEM_STEP_CHOOSE:
    case TOTEM_STEP_CAST:
    case TOTEM_STEP_WRITE:
    case TOTEM_STEP_STARVE:
    case TOTEM_STEP_TAKE:
    case TOTEM_STEP_OVER:
        break;
    }
    return totem_step_name(step);
}

static void write_members(const struct totem *game, unsigned family, struct writer *writer)
{
    switch ((enum totem_step)game->step) {
    case TOTEM_STEP_SETTLE:
        ask_settle(game, family, writer);
        return;
    case TOTEM_STEP_CHOOSE:
        ask_spells(game, family, writer);
        return;
    case TOTEM_STEP_WRITE:
        ask_spells(game, family, writer);
        write_huts(game, writer);
        return;
    case TOTEM_STEP_CAST:
        ask_cast(game, family, writer);
        return;
    case TOTEM_STEP_REVEAL_BIRTHS:
    case TOTEM_STEP_REVEAL_CATCH:
    case TOTEM_STEP_REVEAL_ILLNESS:
    case TOTEM_STEP_REVEAL_GENERATIONS:
        ask_reveal(game, family, writer);
        return;
    case TOTEM_STEP_STARVE:
    case TOTEM_STEP_TAKE:
        ask_people(game, family, writer);
        return;
    case TOTEM_STEP_OVER:
        return;
    }
}

static void write_asked(const struct totem *game, unsigned families, struct writer *writer)
{
    writer_key_object(writer, "asked");
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (!((families >> family) & 1))
            continue;
        writer_key_object(writer, totem_family_name(family).text);
        writer_key_string(writer, "kind", verb_of((enum totem_step)game->step));
        write_members(game, family, writer);
        writer_end(writer);
    }
    writer_end(writer);
}

void totem_match_write_moves(const void *value, unsigned seat, struct writer *writer)
{
    const struct totem_match *match = value;
    unsigned families = asked_families(&match->game, seat);
    write_list(&match->game, families, writer);
    write_asked(&match->game, families, writer);
}
