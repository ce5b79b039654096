/*
 * Totem's forms of recorded games: one object a game, one object a refusal
 * (tests/vectors/README.md), and the text record of a match.
 */
#ifndef CLI_TOTEM_REPLAY_PARTS_H
#define CLI_TOTEM_REPLAY_PARTS_H

#include <cli/replay.h>
#include <jansson.h>
#include <protocol/deal.h>
#include <protocol/record.h>
#include <totem_rules/notation.h>

/* A game or a refusal. */
void totem_replay_object(struct replay *replay, const json_t *object);
void totem_replay_record(struct replay *replay, const struct record *record,
                         struct deal_stream *stream);

/* The births of the round that is being played (§8.2). */
void totem_births_draw(struct totem_births *births, const uint8_t key[DEAL_KEY_BYTES],
                       unsigned round);

/* The family that is first if it is drawn (§8.1). */
unsigned totem_first_draw(const struct totem_options *options, const uint8_t key[DEAL_KEY_BYTES]);

/* "village" and the like, to a bool; "spells" and "meals" to their variant; a family's letter. */
bool totem_option_spells(const char *text, uint8_t *out);
bool totem_option_meals(const char *text, uint8_t *out);
bool totem_option_family(const char *text, uint8_t *out);

/* A line of a record that was played: its command, NULL if a seat left, and what followed. */
struct totem_played {
    const struct record_line *line;
    const struct totem_command *command;
    struct totem_effects effects;
};

/* Prints the village that it came to, if that is asked for; `played` NULL: at the start. */
void totem_replay_picture(struct replay *replay, const struct record *record,
                          const struct totem_played *played, const struct totem *game);

/* Prints the position if that is asked for. */
void totem_replay_position(struct replay *replay, const struct totem *game);

#endif
