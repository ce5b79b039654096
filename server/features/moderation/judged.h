/*
 * Judgements where whoever they are about is at home: they are told what was decided, why, and
 * until when, as it is decided and when they come back. The last few are kept.
 */
#ifndef MODERATION_JUDGED_H
#define MODERATION_JUDGED_H

#include "report_table.h"
#include <hub/letter.h>
#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct hub;
struct session;

enum { JUDGED_KEPT = 8 }; /* of one session */

struct judged_item {
    struct judged_row row;
    char *text; /* owned */
};

struct judged {
    struct judged_item *items; /* in the order in which they came */
    size_t count, size, prepared;
};

extern const char judged_letter[], heard_letter[];
enum { JUDGED_OPS = 4, JUDGED_TEXT = 4 * PROTOCOL_SAY_BYTES + 128 };

/* From the desk, in the batch of the judgement. False: no memory. */
bool judged_send(struct hub *hub, const struct judgement_row *row);
/* The same of one that answers an appeal against another one. */
bool heard_send(struct hub *hub, const struct judgement_row *row, uint64_t against);
enum letter_fate heard_apply(struct hub *hub, const struct store_letter *letter);
/* Is that one of theirs, which they know of, and may they appeal? */
bool judged_has(const struct hub *hub, uint64_t session, uint64_t id);
enum letter_fate judged_apply(struct hub *hub, const struct store_letter *letter);

/* All that they were told they have read. */
void op_heed(struct call *call);

/* False: out of memory. */
bool judged_restore(struct hub *hub, const struct judged_row *row);
void judged_gone(struct hub *hub, const struct session *session);
void judged_release(struct judged *judged);
/* Of the answer to hello: what holds, or was not read yet. */
void judged_write(const struct hub *hub, const struct session *session, struct writer *writer);

#endif
