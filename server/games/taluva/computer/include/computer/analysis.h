/*
 * What a match can teach: for each turn what the seats could hope for before its tile was known,
 * after the best turn with the tile, and after the turn that was played. What the tile changed is
 * luck, what the choice of turn changed is its quality.
 *
 * All three are one number of the same kind, the worth of a position before a draw: each tile that
 * may come is searched for its best turn, and the chances after it are averaged. So what a turn
 * leaves is what the next one starts with, and a turn that the search would never have looked at
 * is rated like any other.
 *
 * The match is told move by move, and a turn is rated when it is complete. No heap, no clock, no
 * globals, no floating point: the same match has the same analysis with every compiler, unless it
 * was cancelled.
 */
#ifndef COMPUTER_ANALYSIS_H
#define COMPUTER_ANALYSIS_H

#include <computer/computer.h>

enum {
    ANALYSIS_SIMULATIONS = 400, /* for each question, unless somebody says otherwise */
    ANALYSIS_TURNS = TALUVA_TILES_MAX + TALUVA_TWO_HEX_MAX, /* each lays a tile */
    ANALYSIS_POINTS = 5,

    /* Memory for so many simulations: more of it changes nothing. */
    ANALYSIS_SIMULATION_BYTES = 1500,
    ANALYSIS_ROOT_BYTES = 8000,

    /* Per mille. */
    ANALYSIS_ONE = 1000,
    ANALYSIS_MISTAKE = 40,  /* a loss from here on is a mistake */
    ANALYSIS_BLUNDER = 100, /* and from here on a blunder */
    ANALYSIS_GOOD = 80,     /* a good turn is the best, and every other one is so much worse */
    ANALYSIS_SWING = 100,   /* a turning point moves somebody's chance by so much */
};

enum analysis_mark {
    ANALYSIS_PLAIN,
    ANALYSIS_IS_GOOD,
    ANALYSIS_IS_MISTAKE, /* also where a win in hand was missed that is worth less than a blunder */
    ANALYSIS_IS_BLUNDER,
};

/* Something that happened in a match. */
enum analysis_kind { ANALYSIS_DRAW, ANALYSIS_PLACE, ANALYSIS_BUILD, ANALYSIS_FORFEIT };
struct analysis_move {
    uint8_t kind; /* enum analysis_kind; FORFEIT: the seat resigned or ran out of time */
    struct taluva_placement placement;
    struct taluva_build build;
};

/* A turn as it may be written down: COMPUTER_PART_*; PLACE alone: its player is out. */
struct analysis_text {
    uint8_t parts; /* 0: there is nothing to say; DRAW alone: draw, instead of a 2-Hex tile */
    struct taluva_placement placement;
    struct taluva_build build;
};

/* Chances are per mille and by seat, of what computer.h says: winning, or the share left behind. */
struct analysis_turn {
    uint16_t number; /* as in the record: from 1, turns that were cut short counted */
    uint8_t seat;
    uint8_t mark;                    /* enum analysis_mark */
    int16_t start[TALUVA_SEATS_MAX]; /* before the tile was known */
    int16_t best[TALUVA_SEATS_MAX];  /* with the tile known, and the best turn that was found */
    int16_t played[TALUVA_SEATS_MAX];
    /*
     * For the seat whose turn it was. Who might take a 2-Hex tile instead of drawing chooses before
     * he knows: that choice belongs to the loss. A tile that was chosen is no luck.
     */
    int16_t luck; /* what the tile that came is worth, against the usual one */
    int16_t loss; /* how much worse than the best the turn was, at least 0 */
    struct analysis_text turn;
    struct analysis_text better; /* of a mistake or a blunder */
};

struct analysis_seat {
    int32_t luck, loss;
    unsigned good, mistakes, blunders;
};

/* Who answers questions in place of this computer. */
struct analysis_thinker {
    /*
     * As computer_think: legal turns, and of the first one its chances, unless it is to draw. An
     * answer that says `cancelled` ends the rating; its turns are legal all the same.
     */
    void (*think)(void *user, const struct computer_question *question,
                  struct computer_answer *answer);
    void *user;
};

/* How much may be spent. */
struct analysis_effort {
    uint32_t simulations;      /* for each question: each turn asks three */
    const atomic_bool *cancel; /* NULL, or looked at often */
    void *memory;              /* aligned as malloc aligns; its contents are lost */
    size_t memory_bytes;
    struct analysis_thinker thinker; /* `think` is NULL: this computer */
};

/* The worth of a position in which nothing has been drawn. */
struct analysis_worth {
    int32_t chances[TALUVA_SEATS_MAX];
    int32_t draw[TALUVA_SEATS_MAX]; /* if its player draws */
    struct computer_turn take;      /* the best with a 2-Hex tile; parts 0: there is none */
    bool draws;                     /* drawing is the best that can be done */
};

/* Read what is above the line; the rest is for analysis.c. */
struct analysis {
    struct taluva game;   /* as it is now */
    bool cancelled;       /* nothing was rated from then on */
    uint64_t simulations; /* done */
    unsigned n;
    struct analysis_turn turns[ANALYSIS_TURNS]; /* those that were played to their end */
    unsigned n_points;
    uint16_t points[ANALYSIS_POINTS]; /* numbers of turns, ascending */
    struct analysis_seat seats[TALUVA_SEATS_MAX];

    /* ---- inside */
    struct analysis_effort effort;
    taluva_tile deck[TALUVA_TILES_MAX];
    uint8_t unseen[TALUVA_TILE_TWO_HEX];
    unsigned begun; /* turns that have a placement, complete or not */
    /* The turn that is being played. */
    struct taluva before; /* nothing drawn yet */
    uint8_t unseen_before[TALUVA_TILE_TWO_HEX];
    taluva_tile drawn;
    struct analysis_text turn;
    bool left;        /* another seat left after its placement */
    bool worth_known; /* of `before` */
    struct analysis_worth worth;
};

/*
 * A match before its first draw. `deck` has options->tiles tiles, next one first. Else than
 * TALUVA_OK: there is no such match.
 */
enum taluva_status analysis_begin(struct analysis *analysis, const struct taluva_options *options,
                                  const taluva_tile *deck, const struct analysis_effort *effort);

/*
 * What happened next. A draw need not be told: it follows from the placement. Other than TALUVA_OK:
 * the rules refuse it, and the match cannot go on.
 */
enum taluva_status analysis_move(struct analysis *analysis, uint8_t seat,
                                 const struct analysis_move *move);

/* After the last move: fills in turning points and seats. */
void analysis_finish(struct analysis *analysis);

/* "draw", a placement or a build as notation.md has them. */
bool analysis_move_read(struct analysis_move *move, const char *text, size_t len);

#endif
