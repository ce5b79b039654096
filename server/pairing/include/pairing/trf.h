/*
 * FIDE's tournament report files (TRF16 and TRF26), as far as pairing a Swiss event needs them:
 * lines 001 (entrants), 012 (title), 142 and XXR (rounds planned), 152 and XXC (first colour), 162
 * and BBW to BBU (points), 192 (system, Baku acceleration), 240 (asked-for byes of a round), 250
 * and XXA (other acceleration), 260 and XXP (who must not meet). Lines of other kinds say nothing
 * about a pairing and are passed over; those that would change it and that this does not know
 * (teams, points by hand, other systems) are refused, and so is what contradicts itself. Ends of
 * lines may be LF, CR or both; columns are characters of UTF-8, or bytes where a line is not that.
 */
#ifndef PAIRING_TRF_H
#define PAIRING_TRF_H

#include <pairing/event.h>

enum { TRF_BYTES_MAX = 4 << 20 }; /* of a file */

enum trf_error {
    TRF_OK,
    TRF_OUT_OF_MEMORY,
    TRF_TOO_LONG,
    TRF_SHORT_LINE,   /* columns that every entrant's line has are missing */
    TRF_BAD_NUMBER,   /* no number where one belongs, or an entrant's number out of bounds */
    TRF_REPEATED,     /* two lines for one entrant */
    TRF_GAP,          /* a number without an entrant, or an opponent who is none */
    TRF_NOBODY,       /* no entrants at all */
    TRF_BAD_OPPONENT, /* plays against nobody or oneself */
    TRF_BAD_COLOUR,
    TRF_BAD_RESULT,
    TRF_CONTRADICTION,   /* two entrants say different things of one meeting */
    TRF_BAD_POINTS,      /* are not what the results give */
    TRF_TOO_MANY_ROUNDS, /* more than planned, or than can be read */
    TRF_BAD_VALUE,       /* of a line that is not an entrant's */
    TRF_NOT_SUPPORTED,   /* teams, points by hand, another system */
};

struct trf_place {
    unsigned line;    /* from 1; 0: no one line */
    unsigned entrant; /* number; 0: none */
    unsigned round;   /* 0: none */
};

/*
 * Into an event that has been through pairing_event_init; after an error only
 * pairing_event_release is of use. A last round in which some have a bye and nobody a board is the
 * one to be paired. `place` says where an error is.
 */
enum trf_error trf_read(struct pairing_event *event, const char *text, size_t len,
                        struct trf_place *place);

/*
 * Writes the event as TRF26, with CR LF; how many bytes that takes, of which no more than `size`
 * are written, and no 0 behind them. What trf_read has read is written so that it is read the same.
 */
size_t trf_write(const struct pairing_event *event, char *text, size_t size);

/* "a result that is none", without a full stop */
const char *trf_error_text(enum trf_error error);

#endif
