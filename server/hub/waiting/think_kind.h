/* What the worker threads are asked, and what becomes of a question; see think_queue.h. */
#ifndef HUB_THINK_KIND_H
#define HUB_THINK_KIND_H

/* In the order in which they are taken. */
enum think_kind {
    THINK_MOVE, /* of a computer that plays with people */
    THINK_HINT,
    THINK_PAGE,  /* of HTTP */
    THINK_ALONE, /* a move where computers play among themselves */
    THINK_ANALYSIS,
};
enum { THINK_KINDS = THINK_ANALYSIS + 1 };

enum think_outcome {
    THINK_ANSWERED,
    THINK_REFUSED,   /* not added: too many are waiting, or there is no worker for it */
    THINK_CANCELLED, /* not wanted any more */
    THINK_LATE,      /* not back in time */
    THINK_FAILED,    /* back without an answer */
};
enum { THINK_OUTCOMES = THINK_FAILED + 1 };

#endif
