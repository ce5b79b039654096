/* A tournament report file on its way into an event. */
#ifndef PAIRING_TRF_READER_H
#define PAIRING_TRF_READER_H

#include "trf_line.h"
#include <pairing/trf.h>

enum { TRF_POINTS_MAX = 999 }; /* tenths that a result, or acceleration, can give */

/* What is kept till all lines have been read. */
struct trf_reader {
    struct pairing_event *event;
    struct trf_place *place;
    struct trf_line line;
    bool there[PAIRING_ENTRANTS_MAX + 1];
    bool bye_given;                            /* points of the bye */
    bool extra_given;                          /* somebody's acceleration */
    unsigned extra_most;                       /* the highest number that has any */
    unsigned points[PAIRING_ENTRANTS_MAX + 1]; /* that the file says, in tenths */
    unsigned line_of[PAIRING_ENTRANTS_MAX + 1];
    unsigned last[PAIRING_ENTRANTS_MAX + 1]; /* the last round that says something */
    uint64_t full[PAIRING_ENTRANTS_MAX + 1], half[PAIRING_ENTRANTS_MAX + 1]; /* of them */
    uint64_t away[PAIRING_ENTRANTS_MAX + 1]; /* rounds from 1, as bits from 0 */
    unsigned highest;
};

/* Lines 250 and XXA. */
enum trf_error trf_read_extra(struct trf_reader *reader);
enum trf_error trf_read_extra_of(struct trf_reader *reader);

/* When all lines have been read: how many rounds there were, and whether it all agrees. */
enum trf_error trf_check_whole(struct trf_reader *reader);

#endif
