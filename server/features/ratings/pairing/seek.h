/*
 * Quick match. Who seeks says so at home (op_seek.h), by a letter to the desk; the desk keeps who
 * waits as rows, looks each second who goes together (pool.h), opens a rated room for them, and
 * tells them by letters where it is.
 */
#ifndef RATINGS_SEEK_H
#define RATINGS_SEEK_H

#include "waiting/waiting.h"
#include <features/feature.h>
#include <hub/letter.h>

/* SEEK_TIMEOUT_MS: so long it is waited whether a match of theirs has just ended. */
enum { SEEK_TICK_MS = 1000, SEEK_TIMEOUT_MS = 2000, SEEK_OPS = WAITING_OPS };

enum letter_fate seek_apply(struct hub *hub, const struct store_letter *letter);
enum letter_fate apart_apply(struct hub *hub, const struct store_letter *letter);
enum letter_fate unseek_apply(struct hub *hub, const struct store_letter *letter);
/* False: out of memory. */
bool seeks_restore(struct hub *hub, const struct seek_row *row);
int64_t seeks_deadline_ms(const struct hub *hub);
void seeks_tick(struct hub *hub);

#endif
