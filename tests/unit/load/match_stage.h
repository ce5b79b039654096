/* A match of the load tester that plays against a hub in the same process, and what it reports. */
#ifndef TESTS_LOAD_MATCH_STAGE_H
#define TESTS_LOAD_MATCH_STAGE_H

#include "hub_wire.h"
#include "match.h"
#include <jansson.h>

struct match_stage {
    struct match_plan plan;
    struct load_match match;
    struct stats stats;
    struct line_route route;
    uint64_t now_us;
    unsigned playing, over, reports; /* calls of the plan's functions */
    enum failure failure;            /* of the first report */
    char what[200];
};
extern struct match_stage stage;

void match_stage_setup(void);
void match_stage_teardown(void);

/* Connects a match with these options on the command line; does not run it. */
void match_stage_begin(const char *words);
void match_stage_begin_as(const char *words, unsigned number, uint64_t seed);
/* Runs it, and expects that nothing is reported. */
void match_stage_play(void);

/* Runs it until the game has begun and nobody has anything to say. */
void match_stage_wait_for_playing(void);

/* Is the message a push of an event of this kind? */
bool match_stage_is(const json_t *message, const char *kind);
/* The text with the member changed; `value` is JSON, NULL removes the member. Path ends with NULL.
 */
char *match_stage_falsify(const char *text, const char *const *path, const char *value);

#endif
