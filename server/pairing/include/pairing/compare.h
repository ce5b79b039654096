/*
 * A round as it was paired beside the round that the rules give: what is in the one and not in the
 * other. Forfeits whose colours the file does not tell agree with either.
 */
#ifndef PAIRING_COMPARE_H
#define PAIRING_COMPARE_H

#include <pairing/dutch.h>

struct pairing_difference {
    struct pairing_round expected, given; /* the boards that are not in the other */
};

/* Of two rounds; false: there is none. */
bool pairing_compare(const struct pairing_event *event, unsigned round,
                     const struct pairing_round *expected, struct pairing_difference *difference);

#endif
