/*
 * What never changes in a room after its first event: the seed, the game and its options, access,
 * title, clock. And that first event's text, from which all of it can be read back.
 */
#ifndef ROOM_SETUP_H
#define ROOM_SETUP_H

#include <games/game.h>
#include <protocol/deal.h>
#include <protocol/limits.h>
#include <room/room.h>

_Static_assert((int)ROOM_EVENT_TEXT_MAX >= (int)PROTOCOL_MOVE_BYTES, "an event holds any move");
_Static_assert((int)GAME_NO_SEAT == (int)ROOM_NO_SEAT, "a viewer without a seat is one thing");
_Static_assert((int)GAME_SERVER == (int)ROOM_SERVER, "a viewer who knows everything is one thing");

struct setup {
    struct room_seed seed;
    const struct game_type *game;
    unsigned rules_version; /* of the game, 1 to game->rules_version */
    unsigned seats;
    enum protocol_access access;
    struct protocol_clock clock;
    bool hints;                           /* players may ask for them */
    char rated[PROTOCOL_RATED_BYTES + 1]; /* the class by which the match is rated; "": it is not */
    char title[PROTOCOL_TITLE_BYTES + 1];
    char commitment[2 * DEAL_COMMITMENT_BYTES + 1];
};

void setup_init(struct setup *setup, const struct room_seed *seed);

enum { SETUP_CURRENT_RULES = 0 };

/*
 * Reads a create request. `value` has room for GAME_VALUE_MAX bytes and becomes the game's, not
 * dealt, played by that version of its rules. Without `hints` in the request there are none, as in
 * all rooms from before there were any: setup_choose_hints. False with *refusal; a version that
 * this program does not know is unknown_game.
 */
bool setup_read(struct setup *setup, void *value, const struct game_type *const games[],
                const struct request *create, unsigned rules_version, struct refusal *refusal);

/*
 * For a new room whose request leaves it open: hints if the game has them, unless there is a clock,
 * against which everybody thinks alone.
 */
void setup_choose_hints(struct setup *setup);

/*
 * Takes the text of a ROOM_CREATED event apart: the rules' version, the class of `rated`, and the
 * request, borrowed. False: the version or the class is none.
 */
bool setup_split(const struct room_event *created, unsigned *rules_version,
                 char rated[static PROTOCOL_RATED_BYTES + 1], const char **request, size_t *len);

/*
 * The text of the ROOM_CREATED event. 0 if it does not fit or memory ran out. A room is made from
 * this text, not from the request, so that a restored room went the same way as a new one.
 */
size_t setup_write(const struct setup *setup, const void *value, char text[ROOM_EVENT_TEXT_MAX]);

/* The game's colour with this word; -1: it has none. */
int setup_find_colour(const struct setup *setup, const char *word, size_t len);

/* Members of `clock` that do not change. */
void setup_write_clock(const struct setup *setup, struct writer *writer);

#endif
