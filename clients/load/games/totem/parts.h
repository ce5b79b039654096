/*
 * What load_totem's table is made of, by file. The contracts stand in load/game.h.
 */
#ifndef LOAD_TOTEM_PARTS_H
#define LOAD_TOTEM_PARTS_H

#include <base/rng.h>
#include <load/game.h>
#include <totem_rules/notation.h>

/* The game as the server knows it, with everything that is hidden: the driver leads all seats. */
struct totem_copy {
    struct totem game;
    /* The command played last, what it was played on, and what chance brought then. */
    struct totem before;
    struct totem_command command;
    struct totem_births births;
};

/* choose.c; the game is not over. */
unsigned totem_choose_family(const struct totem *game);
void totem_choose(const struct totem *game, struct rng *rng, struct totem_command *out);

/* copy.c */
bool totem_copy_begin(struct totem_copy *copy, const json_t *state);
bool totem_copy_play(struct totem_copy *copy, const char *move, const json_t *event);
bool totem_copy_follow(struct totem_copy *copy, const char *move, struct scan push);
bool totem_copy_tells(const struct totem_copy *copy, unsigned audience, const json_t *event);
const char *totem_copy_difference(const struct totem_copy *copy, unsigned audience,
                                  const json_t *state, bool whole);

/* table.c: the table that the audience must be shown; a new reference. */
json_t *totem_table(const struct totem *game, unsigned audience);

/* Who looks on, in the words of the rules. */
static inline unsigned totem_audience(unsigned viewer)
{
    return viewer == LOAD_WATCHER ? (unsigned)TOTEM_WATCHER : viewer;
}

#endif
