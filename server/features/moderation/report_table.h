/*
 * Reports and judgements as they are kept: rows of the desk, and of whoever was judged one at home.
 */
#ifndef MODERATION_REPORT_TABLE_H
#define MODERATION_REPORT_TABLE_H

#include <hub/store_row.h>
#include <protocol/limits.h>
#include <stdint.h>

enum report_why { WHY_TALK, WHY_NAME, WHY_CHEATING, WHY_STALLING, WHY_OTHER, REPORT_WHYS };
const char *why_word(enum report_why why);
/* REPORT_WHYS: it is none. */
enum report_why why_find(const char *word);

enum verdict { VERDICT_DISMISS, VERDICT_WARN, VERDICT_SILENCE, VERDICT_BAN, VERDICTS };
const char *verdict_word(enum verdict verdict);
/* VERDICTS: it is none. */
enum verdict verdict_find(const char *word);
/* Does it hold until some time? */
bool verdict_lasts(enum verdict verdict);

enum { REPORT_TEXT_MAX = 4096 };

/* What somebody has reported. There is one number for reports and judgements. */
struct report_row {
    uint64_t id;
    uint64_t about, by; /* sessions; by 0: the server itself */
    uint16_t source;    /* where it came from (hub/kernel.h) */
    enum report_why why;
    uint64_t judgement; /* 0: nobody has looked at it */
    int64_t at_ms;
    const char *text; /* the snapshot: an object of JSON; borrowed */
    uint16_t text_len;
};

/* What was decided of a case. */
struct judgement_row {
    uint64_t id;
    uint64_t about;
    enum verdict verdict;
    enum report_why why;
    uint8_t holds; /* it is among the bans and silences of the site, or has to be nowhere */
    int64_t at_ms, until_ms; /* 0: it has no end, as it does not last */
    uint64_t by;             /* 0: the operator */
    const char *text;        /* to whoever it is about; "": nothing more; borrowed */
};

/* What an account was told of it. */
struct judged_row {
    uint64_t session;
    uint64_t id; /* of the judgement */
    enum verdict verdict;
    enum report_why why;
    uint8_t heeded; /* they have seen it */
    int64_t at_ms, until_ms;
    const char *text; /* borrowed */
};

extern const struct store_table report_table, judgement_table, judged_table;

#endif
