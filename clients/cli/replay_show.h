/*
 * The viewer of recorded matches on the terminal: takes it over, and gives it back whatever ends
 * it.
 */
#ifndef CLI_REPLAY_SHOW_H
#define CLI_REPLAY_SHOW_H

#include <cli/replay.h>

enum replay_shown {
    REPLAY_SHOWN,       /* until the person had seen enough */
    REPLAY_NOT_SHOWN,   /* there was nothing to see */
    REPLAY_INTERRUPTED, /* by a signal: Control-C */
};

/* Begins at pictures->turn, if that names one. The standard output is a terminal. */
enum replay_shown replay_show(const char *name, const struct record *record,
                              const struct replay_pictures *pictures);

#endif
