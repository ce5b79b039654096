/*
 * Whoever was judged says, once, why that was wrong: where they are at home it is kept that they
 * have, and a letter to the desk makes a case of it.
 */
#ifndef MODERATION_APPEAL_H
#define MODERATION_APPEAL_H

#include "report_table.h"
#include <hub/letter.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct hub;

void op_appeal(struct call *call);

/* At the desk. */
extern const char appeal_letter[];
enum { APPEAL_OPS = 1, APPEAL_TEXT = REPORT_TEXT_MAX };
enum letter_fate appeal_apply(struct hub *hub, const struct store_letter *letter);

/* Of the open case about somebody, the first appeal behind place `*at`, which is moved on; 0: there
 * is none any more. */
uint64_t appeal_next(const struct hub *hub, uint64_t about, size_t *at);

#endif
