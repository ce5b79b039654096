/*
 * Reports at the desk: those of one person that nobody has looked at are a case, known by the
 * number of the oldest of them. Bounded by who reports, in a case, and in all; the cheapest go:
 * what has been looked at, then what many others from the same place say.
 */
#ifndef MODERATION_CASES_H
#define MODERATION_CASES_H

#include "report_table.h"
#include <hub/letter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

enum {
    CASE_REPORTS = 16, /* of one person at once */
    REPORT_DAY_MS = 24 * 3600 * 1000,
    CASES_AGAIN_MS = 60000,
};

struct report {
    struct report_row row;
    char *text;       /* owned: what the row borrows */
    uint64_t against; /* of an appeal, the judgement; 0: it is none. As its text says */
};

struct cases {
    struct report *items; /* in the order of their numbers */
    size_t count, size;
    uint64_t last_id;
    int64_t due_ms;   /* nothing is old sooner; 0: that is to be looked at */
    int64_t again_ms; /* not sooner what is old is looked for */
};

extern const char report_letter[];
enum { REPORT_OPS = 2, REPORT_TEXT = 2 * REPORT_TEXT_MAX };
enum letter_fate report_apply(struct hub *hub, const struct store_letter *letter);

/* One more, in the batch that fills, with place for it; it is copied but for its number. */
enum letter_fate cases_add(struct hub *hub, struct report_row *row);
/* Who was judged has reported that themselves (appeal.h). */
bool report_is_appeal(const struct report_row *row);
/* Against which judgement an appeal is; 0: it is none that can be read. */
uint64_t report_read_against(const struct report_row *row);

/* False: out of memory. */
bool cases_restore(struct hub *hub, const struct report_row *row);
void cases_release(struct cases *cases);

/* NULL: there is none. */
const struct report *cases_find(const struct cases *cases, uint64_t id);

/* Whom the open case is about; 0: there is none. `ops` and `text`: what closing it takes. */
uint64_t cases_about(const struct hub *hub, uint64_t id, size_t *ops, size_t *text);
/* Puts its reports as judged so; memory has been reserved. */
void cases_put_judged(struct hub *hub, uint64_t about, uint64_t judgement);
/* The same in memory, when it is durable: those that were open up to that number. */
void cases_close(struct hub *hub, uint64_t about, uint64_t judgement);

/* What was judged so long ago (config.report_keep_days) is dropped, with what was decided of it
 * once that is over. */
void cases_look_again(struct hub *hub); /* when: something has changed */
int64_t cases_deadline_ms(const struct hub *hub);
void cases_tick(struct hub *hub);

/* Of reports and judgements: not given before; and one that was. */
uint64_t cases_next_id(struct hub *hub);
void cases_note_id(struct hub *hub, uint64_t id);

#endif
