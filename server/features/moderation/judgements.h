/* What was decided, as the desk has it in memory. */
#ifndef MODERATION_JUDGEMENTS_H
#define MODERATION_JUDGEMENTS_H

#include "report_table.h"
#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

struct judgement {
    struct judgement_row row;
    char *text; /* owned */
};

struct judgements {
    struct judgement *items; /* in the order of their numbers */
    size_t count, size, prepared;
    uint64_t made;
    int64_t again_ms; /* what is not in force yet is looked at */
    bool crowded;     /* something waits as there are as many bans as may be: that was logged */
};

/* For so many more; false: out of memory. */
bool judgements_reserve(struct judgements *judgements, size_t more);
/* Takes the text over. There is place. */
void judgements_add(struct judgements *judgements, const struct judgement_row *row, char *text);
/* False: out of memory. */
bool judgements_restore(struct hub *hub, const struct judgement_row *row);
void judgements_release(struct judgements *judgements);
/* It has ended; what it led to among the bans goes, if it lasts. Nothing without it. */
void judgement_end(struct hub *hub, uint64_t id, int64_t now_ms);
/* The row as it is then. */
struct judgement_row judgement_ended(const struct hub *hub, const struct judgement_row *row,
                                     int64_t now_ms);
/* NULL: there is none. */
const struct judgement_row *judgement_find(const struct hub *hub, uint64_t id);

/* Those that hold, are over, and were made so long ago (config.report_keep_days) that no report
 * that names them is kept either: when the first one is that, and they are dropped. */
int64_t judgements_due_ms(const struct hub *hub);
/* False: not all of them, there is no place for more in this batch. */
bool judgements_drop_old(struct hub *hub);
void judgement_write(const struct judgement_row *row, struct writer *writer); /* its members */

#endif
