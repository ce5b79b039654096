/* Commands as text (§6.1). */
#include "command_text.h"

#include <string.h>

static const char *const verbs[TOTEM_VERBS] = {"settle", "choose", "cast",   "pass",
                                               "write",  "reveal", "starve", "take"};

/* ---- reading */

static uint16_t read_set(struct totem_reader *in)
{
    unsigned set = 0, next = 0;
    if (totem_accept(in, '-'))
        return 0;
    do {
        const unsigned spell = totem_read_letter(in, totem_spell_letters, "spells, or -");
        if (spell < next)
            totem_fail(in, "spells stand in their order, each once");
        set |= 1u << spell;
        next = spell + 1;
    } while (totem_peek_letter(in, totem_spell_letters));
    return (uint16_t)set;
}

static void read_cast(struct totem_reader *in, struct totem_command *out)
{
    out->spell = (uint8_t)totem_read_letter(in, totem_spell_letters, "a spell");
    totem_expect(in, ':', ": after a spell");
    out->hut = (uint8_t)totem_read_hut(in);
}

static void read_take(struct totem_reader *in, struct totem_command *out)
{
    out->victim = (uint8_t)totem_read_letter(in, totem_family_letters, "the family that starves");
    totem_expect(in, ':', ": after the family that starves");
    totem_read_huts(in, out->people, '/');
}

static void read_argument(struct totem_reader *in, struct totem_command *out)
{
    if (out->verb == TOTEM_VERB_PASS)
        return;
    totem_expect(in, '=', "= after the family");
    switch ((enum totem_verb)out->verb) {
    case TOTEM_VERB_SETTLE:
    case TOTEM_VERB_STARVE:
        totem_read_huts(in, out->people, '/');
        return;
    case TOTEM_VERB_CHOOSE:
    case TOTEM_VERB_REVEAL:
        out->set = read_set(in);
        return;
    case TOTEM_VERB_CAST:
        read_cast(in, out);
        return;
    case TOTEM_VERB_WRITE:
        totem_read_puts(in, &out->puts);
        return;
    case TOTEM_VERB_TAKE:
        read_take(in, out);
        return;
    case TOTEM_VERB_PASS:
        return;
    }
}

static unsigned read_verb(struct totem_reader *in)
{
    for (unsigned verb = 0; verb < TOTEM_VERBS; verb++) {
        if (totem_accept_word(in, verbs[verb]))
            return verb;
    }
    totem_fail(in, "a command");
    return 0;
}

bool totem_command_parse(const char *text, size_t len, struct totem_command *out)
{
    struct totem_reader in;
    struct totem_command command;
    if (len > TOTEM_COMMAND_BYTES)
        return false;
    memset(&command, 0, sizeof command);
    memset(&command.puts, TOTEM_NONE, sizeof command.puts);
    totem_reader_init(&in, text, len);
    command.verb = (uint8_t)read_verb(&in);
    totem_expect(&in, '@', "@ after the command");
    command.family = (uint8_t)totem_read_letter(&in, totem_family_letters, "a family");
    read_argument(&in, &command);
    if (!totem_reader_done(&in))
        return false;
    *out = command;
    return true;
}

/* ---- writing */

static void write_choose(struct totem_writer *out, unsigned set, bool hidden)
{
    if (!hidden) {
        totem_write_set(out, set);
        return;
    }
    unsigned number = 0;
    for (unsigned spell = 0; spell < TOTEM_SPELLS; spell++)
        number += set >> spell & 1;
    totem_write_char(out, '*');
    totem_write_number(out, number);
}

static void write_take(struct totem_writer *out, const struct totem_command *command, bool hidden)
{
    totem_write_family(out, command->victim);
    totem_write_char(out, ':');
    if (hidden)
        totem_write_char(out, '*');
    else
        totem_write_huts(out, command->people, '/');
}

static void write_argument(struct totem_writer *out, const struct totem_command *command,
                           bool hidden)
{
    switch ((enum totem_verb)command->verb) {
    case TOTEM_VERB_SETTLE:
    case TOTEM_VERB_STARVE:
        totem_write_huts(out, command->people, '/');
        return;
    case TOTEM_VERB_CHOOSE:
        write_choose(out, command->set, hidden);
        return;
    case TOTEM_VERB_REVEAL:
        totem_write_set(out, command->set);
        return;
    case TOTEM_VERB_CAST:
        totem_write_char(out, hidden ? '?' : totem_spell_letters[command->spell]);
        totem_write_char(out, ':');
        totem_write_hut(out, command->hut);
        return;
    case TOTEM_VERB_WRITE:
        if (hidden)
            totem_write_char(out, '*');
        else
            totem_write_puts(out, &command->puts, false);
        return;
    case TOTEM_VERB_TAKE:
        write_take(out, command, hidden);
        return;
    case TOTEM_VERB_PASS:
        return;
    }
}

void totem_write_command(struct totem_writer *out, const struct totem_command *command, bool hidden)
{
    totem_write_text(out, verbs[command->verb]);
    totem_write_char(out, '@');
    totem_write_family(out, command->family);
    if (command->verb != TOTEM_VERB_PASS) {
        totem_write_char(out, '=');
        write_argument(out, command, hidden);
    }
}

size_t totem_command_format(const struct totem_command *command, char text[TOTEM_COMMAND_TEXT])
{
    struct totem_writer out = {text, 0, TOTEM_COMMAND_TEXT};
    totem_write_command(&out, command, false);
    return totem_writer_done(&out);
}
