/*
 * Text for commands, positions and events (§6.1, §7.1, §7.2).
 *
 * Readers take bytes that may be anything, need no terminator, and accept the one spelling that
 * there is. Writers need a buffer of the size named here, always terminate it and return the length
 * without the terminator.
 *
 * An audience is a seat, TOTEM_WATCHER or TOTEM_SERVER; it is told what it may know (§7).
 */
#ifndef TOTEM_RULES_NOTATION_H
#define TOTEM_RULES_NOTATION_H

#include <totem_rules/totem.h>

enum {
    TOTEM_COMMAND_BYTES = 64, /* the longest that is read */
    TOTEM_COMMAND_TEXT = 256, /* whatever a command holds fits */
    TOTEM_POSITION_TEXT = 2048,
    TOTEM_EVENT_TEXT = 4096,
};

bool totem_command_parse(const char *text, size_t len, struct totem_command *out);
size_t totem_command_format(const struct totem_command *command, char out[TOTEM_COMMAND_TEXT]);

/*
 * Only what a game can come to, as the server sees it. `out` is untouched if not; *what (may be
 * NULL) is then a phrase for people, and *offset the byte at which reading stopped.
 */
bool totem_position_parse(const char *text, size_t len, struct totem *out, size_t *offset,
                          const char **what);
size_t totem_position_format(const struct totem *game, unsigned audience,
                             char out[TOTEM_POSITION_TEXT]);

/* What the family has written and is not read yet, without the `+` of a position; "" if nothing. */
size_t totem_note_format(const struct totem *game, unsigned family, char out[TOTEM_COMMAND_TEXT]);

/*
 * The event of a command: the command and what followed, each one word, a space between two.
 * `command` NULL: the effects alone, as of a seat that left. `options`: the game's.
 */
size_t totem_event_format(const struct totem_options *options, const struct totem_command *command,
                          const struct totem_effects *effects, unsigned audience,
                          char out[TOTEM_EVENT_TEXT]);

/* The letter of a family, a person, a spell; where it stands in a row of them. */
extern const char totem_family_letters[];
extern const char totem_kind_letters[];
extern const char totem_spell_letters[];

/* Words of positions: "settle", "reveal3"; "totem", "rounds", "last-standing". NULL beyond. */
const char *totem_step_name(enum totem_step step);
const char *totem_end_name(enum totem_end end);

#endif
