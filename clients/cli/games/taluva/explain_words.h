/* What a turn does, in words: the facts of computer/explain.h as a sentence without its end. */
#ifndef CLI_TALUVA_EXPLAIN_WORDS_H
#define CLI_TALUVA_EXPLAIN_WORDS_H

#include <cli/text.h>
#include <computer/explain.h>
#include <protocol/record.h>

enum { EXPLAIN_WORDS = 4 }; /* facts that are told; the first ones matter most */

struct explain_names {
    void (*add)(struct text *out, unsigned seat, const void *user);
    const void *user;
};

/* "keeps Bo from winning by temple@2,1; threatens tower@0,3", or nothing. `seat` is whose turn. */
void explain_words(const struct explain *explain, unsigned seat, const struct explain_names *names,
                   struct text *out);

/* The name of a seat in a record, for explain_names; its user is the record. */
void explain_add_recorded(struct text *out, unsigned seat, const void *record);

/*
 * Of a turn as a record has it: its moves with blanks between, among which `draw` and `none` say
 * nothing. False: it is no such turn, or the rules refuse it.
 */
bool explain_written(const struct taluva *before, const char *turn, struct explain *out);

#endif
