/*
 * Judgements, at the desk. What was decided is a row; whoever it is about is told by a letter to
 * their home. What lasts, being silenced or banned, is put among the bans and silences of the site,
 * which all parts go by: as long as it is not there, that is tried again.
 *
 * If an appeal is among the reports, what is decided takes the place of what it is against: that
 * ends, and what it led to among the bans goes. Whoever has judged first does not decide of it, if
 * there is another moderator; the operator may.
 */
#ifndef MODERATION_JUDGE_H
#define MODERATION_JUDGE_H

#include "report_table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct hub;
struct operator_word;
struct refusal;
struct reply;

enum { JUDGE_AGAIN_MS = 1000 };

extern const struct operator_word judge_word;

struct decision {
    uint64_t report; /* of the case */
    enum verdict verdict;
    enum report_why why;
    int64_t for_s;
    const char *text;
    /* Of a moderator, who is answered when it is durable; NULL: it is the operator's. */
    const struct call *call;
    struct reply *reply;
    bool others;  /* there are moderators beside that one */
    bool upholds; /* of an appeal: what it is against stays, whatever the verdict says */
};

/* False: `refusal` says why nothing was put. `*id`: of the judgement. */
bool judge_decide(struct hub *hub, const struct decision *decision, uint64_t *id,
                  struct refusal *refusal);

int64_t judgements_deadline_ms(const struct hub *hub);
void judgements_tick(struct hub *hub);

#endif
