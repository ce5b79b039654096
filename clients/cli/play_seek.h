/*
 * Quick match from a terminal: says that somebody seeks a match, as often as the server wants to
 * hear it, until it has found one. One at a time in each process.
 */
#ifndef CLI_PLAY_SEEK_H
#define CLI_PLAY_SEEK_H

#include "online.h"

/* `room`: where a seat is kept; or `error`: the seek was refused. */
typedef void seek_found_fn(struct online *online, const char *room, const json_t *error);

/* The table was taken back, as not all have come, and it goes on. */
typedef void seek_lost_fn(void);

/* `request`: the whole `seek`, borrowed as long as it goes on. */
void seek_begin(struct online *online, json_t *request, seek_found_fn *found, seek_lost_fn *lost);

/* Every push that is no event: this may be the one that is waited for. */
void seek_hear(const json_t *push);

/* Who ends while they seek takes that back first. True: the run then ends by itself. */
bool seek_leaves(int exit_code);

/* Before the loop is closed. */
void seek_end(void);

#endif
