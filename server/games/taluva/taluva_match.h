/*
 * Taluva as a room's game, private to this folder. Nothing in the rules' value is secret; the
 * hidden part, the stack, is stored beside it, and tiles are passed to the rules one by one as they
 * are drawn.
 */
#ifndef TALUVA_MATCH_H
#define TALUVA_MATCH_H

#include <computer/computer.h>
#include <games/game.h>
#include <rules/box.h>
#include <rules/taluva.h>

/* A seat's latest turn, for `table.last`. */
struct taluva_last {
    bool placed;
    bool ended; /* with nothing built: `none` */
    bool built;
    struct taluva_placement placement;
    struct taluva_build build;
};

/* The preset of a room whose options no other preset allows, §1. */
enum { TALUVA_PRESET_CUSTOM = 255 };
#define TALUVA_CUSTOM_TEXT "custom"

struct taluva_match {
    /* Options as they were asked for; `options` has what they come to. */
    uint8_t preset; /* index, see taluva_preset_at, or TALUVA_PRESET_CUSTOM */
    bool first_drawn;
    bool two_hex;
    struct taluva_options options;

    /* After the deal. */
    uint16_t turn; /* from 1 */
    taluva_tile deck[TALUVA_TILES_MAX];
    struct taluva_last last[TALUVA_SEATS_MAX];
    struct taluva game;
};

/* The rules of new matches: games/game.h. */
enum { TALUVA_RULES_VERSION = 1 };

/* options.c */
bool taluva_match_create(void *value, unsigned version, const json_t *options,
                         struct refusal *refusal);
void taluva_match_write_options(const void *value, struct writer *writer);
void taluva_match_record_options(const void *value, struct game_pairs *pairs);

extern const struct game_rules taluva_rules;       /* play.c */
extern const struct game_views taluva_views;       /* view.c */
extern const struct game_record taluva_record;     /* record.c */
extern const struct game_computer taluva_computer; /* computer.c */
extern const struct game_analyst taluva_analyst;   /* analyse.c */

/* drawing.c: as in games/game.h. */
size_t taluva_drawing(const void *value, const uint8_t colours[PROTOCOL_SEATS],
                      struct game_shape *shapes);

/* A move as text, read: play.c. */
enum taluva_move_kind { TALUVA_MOVE_DRAW, TALUVA_MOVE_PLACE, TALUVA_MOVE_BUILD, TALUVA_MOVE_BAD };
struct taluva_move {
    enum taluva_move_kind kind;
    struct taluva_placement placement;
    struct taluva_build build;
};
void taluva_move_parse(struct taluva_move *move, const char *text, size_t len);

#define TALUVA_DRAW_TEXT "draw"

/*
 * think.c: what the player of computer/ is asked, from what a seat knows (see know in computer.c);
 * whoever is to act asks. `thinking` NULL: one turn is looked ahead, with no memory. The question
 * has as many simulations as there may be at most, 0: any number, and lasts as long as `known`.
 */
struct computer_question taluva_question(const struct taluva_match *known, uint64_t seed,
                                         const struct game_thinking *thinking);
/* Asks for the best turns. */
void taluva_think(const struct taluva_match *known, uint32_t simulations, uint64_t seed,
                  struct game_thinking *thinking, struct computer_answer *answer);
/*
 * Writes the first move of a turn; the length. A build after it becomes thinking->next, if
 * `thinking` is not NULL.
 */
size_t taluva_turn_write(const struct computer_turn *turn, struct game_thinking *thinking,
                         char move[PROTOCOL_MOVE_BYTES]);

/* hint.c: as in games/game.h. */
size_t taluva_hint(const void *known, unsigned seat, struct game_thinking *thinking,
                   struct game_hint_turn turns[GAME_HINT_TURNS]);
enum {
    TALUVA_HINT_SIMULATIONS = 1500, /* more than any level: 0.08 ms each */
    TALUVA_HINT_BYTES = TALUVA_HINT_SIMULATIONS * 1536,
};

#endif
