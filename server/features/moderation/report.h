/*
 * `report`, at the table: what the server knows of it goes to the desk by a letter. Nobody else
 * hears of it.
 */
#ifndef MODERATION_REPORT_H
#define MODERATION_REPORT_H

#include "report_table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer;
struct call;
struct hub;
struct session;

enum { REPORTS_REMEMBERED = 1024 }; /* who has reported at tables of this part lately */

struct reported {
    uint64_t by, about;
    enum report_why why;
    int64_t at_ms;
};

struct reporters {
    struct reported *items; /* REPORTS_REMEMBERED, the next one takes the place of the oldest */
    size_t count, next;
};

void op_report(struct call *call);
/* The same of what is said elsewhere: `make` makes the snapshot, of REPORT_TEXT_MAX bytes at most.
 * False: no memory. Who has been reported is not whoever asks. Answers the call. */
void report_file(const struct call *call, const struct reported *reported,
                 bool (*make)(const struct call *call, struct buffer *out));
/* What the server itself has seen of somebody (feature.seen): a report that nobody has made. */
int report_seen(struct hub *hub, const struct session *session, const char *object, size_t len);
void reporters_release(struct reporters *reporters);

#endif
