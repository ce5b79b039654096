/* Why turns of an analysis were good or bad: positions are kept while the match is told. */
#ifndef CLI_TALUVA_ANALYSE_STORY_H
#define CLI_TALUVA_ANALYSE_STORY_H

#include <computer/analysis.h>
#include <protocol/record.h>
#include <stdio.h>

struct analyse_story {
    const taluva_tile *deck;
    struct taluva before[ANALYSIS_TURNS]; /* [turn of the analysis]: nothing is drawn yet */
};

/*
 * What the turn did that the better one would not have done, and the other way round: one indented
 * line each, below those turns; nothing if there are no words for it.
 */
void analyse_story_played(const struct analyse_story *story, const struct analysis *analysis,
                          unsigned turn, const struct record *record, FILE *out);
void analyse_story_better(const struct analyse_story *story, const struct analysis *analysis,
                          unsigned turn, const struct record *record, FILE *out);

/* What would have followed on the better one: the best answer to it one turn ahead, with the tile
 * that came. */
void analyse_story_answer(const struct analyse_story *story, const struct analysis *analysis,
                          unsigned turn, const struct record *record, FILE *out);

#endif
