/*
 * Who is to be paired in a round, best first [1.2], each with what the criteria ask of them.
 */
#ifndef PAIRING_CONTESTANTS_H
#define PAIRING_CONTESTANTS_H

#include <pairing/event.h>

/* [1.4.2] */
enum pairing_float { FLOAT_NONE, FLOAT_DOWN, FLOAT_UP };

enum { FLOATS_KEPT = 2 }; /* of the last round, and of the one before it */

struct contestant {
    unsigned number;
    unsigned score;      /* with what is extra in this round, as everywhere here */
    unsigned points;     /* without it */
    bool odd;            /* the number, among those who have one by now [5.2.5] */
    char wants;          /* w b; 0: no preference [1.6] */
    char repeated;       /* w b: had in both of the last two games; 0: not so */
    unsigned difference; /* of games with one colour and with the other */
    bool absolute, strong;
    bool may_rest; /* [C2] */
    unsigned played;
    enum pairing_float floats[FLOATS_KEPT];
};

struct contestants {
    const struct pairing_event *event;
    unsigned round, count;
    bool last;    /* the last round planned */
    unsigned top; /* whoever has more is a topscorer in it [1.7] */
    char first;   /* colour */
    struct contestant list[PAIRING_ENTRANTS_MAX];
};

void contestants_gather(struct contestants *all, const struct pairing_event *event, unsigned round);

/* C1 and C3 */
bool contestants_may_meet(const struct contestants *all, const struct contestant *a,
                          const struct contestant *b);

static inline bool contestant_is_unbalanced(const struct contestant *one)
{
    return one->difference > 1;
}

/* Both want the same colour. */
static inline bool contestants_clash(const struct contestant *a, const struct contestant *b)
{
    return a->wants != 0 && a->wants == b->wants;
}

/* [5.2] w b: what the first of them gets. */
char contestants_colour(const struct contestants *all, const struct contestant *a,
                        const struct contestant *b);

#endif
