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
};

/* For so many more; false: out of memory. */
bool judgements_reserve(struct judgements *judgements, size_t more);
/* Takes the text over. There is place. */
void judgements_add(struct judgements *judgements, const struct judgement_row *row, char *text);
/* False: out of memory. */
bool judgements_restore(struct hub *hub, const struct judgement_row *row);
void judgements_release(struct judgements *judgements);
/* NULL: there is none. */
const struct judgement_row *judgement_find(const struct hub *hub, uint64_t id);
void judgement_write(const struct judgement_row *row, struct writer *writer); /* its members */

#endif
