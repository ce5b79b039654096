/*
 * Totem as a room's game, private to this folder. The rules' value holds what players hide from
 * each other; the key of all births to come, which nobody may know, is stored beside it.
 */
#ifndef TOTEM_MATCH_H
#define TOTEM_MATCH_H

#include <games/game.h>
#include <totem_rules/notation.h>
#include <totem_rules/totem.h>

struct totem_match {
    /* As they were asked for; `game.options` has the first family that was drawn. */
    struct totem_options options;
    bool first_drawn;

    /* After the deal. */
    uint8_t key[DEAL_KEY_BYTES]; /* births follow from it, see totem_match_births */
    struct totem game;
};

/* options.c */
bool totem_match_create(void *value, unsigned version, const json_t *options,
                        struct refusal *refusal);
void totem_match_write_options(const void *value, struct writer *writer);
void totem_match_record_options(const void *value, struct game_pairs *pairs);

extern const struct game_rules totem_rules;       /* play.c */
extern const struct game_views totem_views;       /* view.c */
extern const struct game_record totem_record;     /* record.c */
extern const struct game_computer totem_computer; /* computer.c */

/* play.c: the births of the round that is being played. */
void totem_match_births(const struct totem_match *match, struct totem_births *births);
/* The same for a command, but all zero where no command can bring births. That saves most hashing,
 * and whether it does is known to everybody. */
void totem_match_births_of_command(const struct totem_match *match, struct totem_births *births);

/* table.c: see struct game_views. */
void totem_match_write_table(const void *before, const void *after, unsigned viewer,
                             struct patch *patch);

/* moves.c: see struct game_views. */
void totem_match_write_moves(const void *value, unsigned seat, struct writer *writer);

/* Who looks on, in the words of the rules. */
static inline unsigned totem_match_audience(unsigned viewer)
{
    if (viewer == GAME_SERVER)
        return TOTEM_SERVER;
    return viewer == GAME_NO_SEAT ? (unsigned)TOTEM_WATCHER : viewer;
}

/* A family's name as a string: "R". */
struct totem_name {
    char text[4];
};
struct totem_name totem_family_name(unsigned family);
struct totem_name totem_hut_name(unsigned hut);

/* A list of people or spells as a string: "wwm"; "" if it is empty. */
enum { TOTEM_LETTERS_TEXT = TOTEM_KINDS * 256 };
size_t totem_people_text(const struct totem_people *people, char text[TOTEM_LETTERS_TEXT]);
size_t totem_spells_text(unsigned set, char text[TOTEM_LETTERS_TEXT]);

#endif
