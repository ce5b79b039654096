/*
 * What is in the box, and how a game is dealt from it.
 *
 * Tiles, presets and the order of draws are data here and documented in protocol/notation.md, so
 * that anybody can repeat a deal in another language. The caller passes the source of randomness.
 */
#ifndef RULES_BOX_H
#define RULES_BOX_H

#include <rules/taluva.h>

enum {
    TALUVA_BOX_TILES = 48,      /* volcano tiles in the base box */
    TALUVA_BOX_TILES_FIVE = 60, /* with the fifth player's */
};

/* The tiles of a box in their base order (by tile number); how many, 48 or 60. */
size_t taluva_box(bool fifth, taluva_tile out[TALUVA_TILES_MAX]);

/* Whether a game of so many seats may be played with so many tiles: 24, 36, 48; five seats also 60.
 */
bool taluva_tiles_allowed(unsigned seats, unsigned tiles);

/* An edition's way to play: defaults for options. */
struct taluva_preset {
    const char *name;
    bool huts_anywhere;
    uint8_t tiles[TALUVA_SEATS_MAX + 1]; /* [seats]: by default; 0 for 0, 1 */
    uint8_t
        tiles_also[TALUVA_SEATS_MAX + 1]; /* [seats]: by choice; bit 0 is 24, 1: 36, 2: 48, 3: 60 */
};

/* The i-th preset, the default one first; NULL after the last. */
const struct taluva_preset *taluva_preset_at(size_t i);
const struct taluva_preset *taluva_preset_find(const char *name);
/* Does the preset's row in §1 allow this? It has two, three and four seats; five are none of it. */
bool taluva_preset_allows(const struct taluva_preset *preset, unsigned seats, unsigned tiles,
                          bool huts_anywhere);

/*
 * Deal. `uniform(ctx, n)` returns a number of 0..n-1, each as likely as the others; it is never
 * asked with n below 2. Drawn in this order:
 *
 *   1. the seat that starts, if `draw_first`: uniform(seats);
 *   2. the 2-Hex tiles, if `draw_two_hex`: the five in the order of their numbers, shuffled from
 * the front as below, as many as seats;
 *   3. the stack: the box (60 tiles for five seats, else 48) in its base order, shuffled from the
 * front, options->tiles of them.
 *
 * Shuffled from the front: for i = 0, 1, ... while more than one is left, swap i with
 * i + uniform(n - i).
 *
 * Fills in options->first and options->two_hex where they are drawn (else they stay), and the deck,
 * next tile first. The rest of `options` must be valid, tiles at most the box's: else the
 * refusal, and nothing is drawn or changed.
 */
struct taluva_deal {
    bool draw_first;
    bool draw_two_hex;
};
enum taluva_status taluva_deal(struct taluva_options *options, struct taluva_deal deal,
                               uint32_t (*uniform)(void *ctx, uint32_t n), void *ctx,
                               taluva_tile deck[TALUVA_TILES_MAX]);

#endif
