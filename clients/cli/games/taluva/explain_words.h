/* What a turn does, in words: the facts of computer/explain.h as a sentence without its end. */
#ifndef CLI_TALUVA_EXPLAIN_WORDS_H
#define CLI_TALUVA_EXPLAIN_WORDS_H

#include <cli/text.h>
#include <computer/explain.h>

enum { EXPLAIN_WORDS = 4 }; /* facts that are told; the first ones matter most */

struct explain_names {
    void (*add)(struct text *out, unsigned seat, const void *user);
    const void *user;
};

/* "keeps Bo from winning by temple@2,1; threatens tower@0,3", or nothing. `seat` is whose turn. */
void explain_words(const struct explain *explain, unsigned seat, const struct explain_names *names,
                   struct text *out);

#endif
