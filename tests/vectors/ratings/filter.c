/*
 * The update of ratings as a filter: what is asked of it comes in lines (tests/vectors/README.md),
 * and goes out with the answer behind it.
 */
#include "constants.h"
#include <inttypes.h>
#include <rating/update.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { LINE_BYTES = 1024 };

static unsigned long read_number(char **at)
{
    char *end;
    const unsigned long number = strtoul(*at, &end, 10);
    if (end == *at)
        exit(EX_DATAERR);
    *at = *end ? end + 1 : end; /* what stands between two of them is one byte */
    return number;
}

static void answer_match(char *at)
{
    struct rating_match match = {0};
    struct rating after[RATING_SEATS];
    match.scale = (uint32_t)read_number(&at);
    match.still = (uint32_t)read_number(&at);
    while (*at && *at != '|') {
        struct rating *seat = &match.before[match.seats];
        seat->strength = (uint32_t)read_number(&at);
        seat->deviation = (uint32_t)read_number(&at);
        match.side[match.seats] = (uint8_t)read_number(&at);
        if (match.side[match.seats++] == match.sides)
            match.sides++;
    }
    for (at += *at ? 2 : 0; *at; match.stages++) {
        match.stage[match.stages].inside = (uint32_t)read_number(&at);
        match.stage[match.stages].first = (uint32_t)read_number(&at);
    }
    rating_update(&match, after);
    for (unsigned i = 0; i < match.seats; i++)
        printf(" %" PRIu32 "/%" PRIu32, after[i].strength, after[i].deviation);
}

static void answer_stages(char *at)
{
    uint8_t places[RATING_SEATS];
    struct rating_stage stages[RATING_SEATS];
    unsigned sides = 0;
    while (*at)
        places[sides++] = (uint8_t)read_number(&at);
    const unsigned count = rating_stages(places, sides, stages);
    for (unsigned i = 0; i < count; i++)
        printf(" %" PRIu32 ":%" PRIu32, stages[i].inside, stages[i].first);
}

static void answer_chances(char *at)
{
    uint32_t strengths[RATING_SEATS], chances[RATING_SEATS];
    unsigned sides = 0;
    const uint32_t steepness = (uint32_t)read_number(&at);
    while (*at)
        strengths[sides++] = (uint32_t)read_number(&at);
    rating_chances(strengths, sides, steepness, chances);
    for (unsigned i = 0; i < sides; i++)
        printf(" %" PRIu32, chances[i]);
}

static void answer_aged(char *at)
{
    const uint32_t deviation = (uint32_t)read_number(&at);
    printf(" %" PRIu32, rating_aged(deviation, strtoll(at, NULL, 10)));
}

static void answer_constants(char *at)
{
    (void)at;
    printf(" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, RATING_BLUR, RATING_Q, RATING_Q2,
           RATING_HALVES);
    for (unsigned i = 0; i < RATING_ROOTS; i++)
        printf(" %" PRIu32, rating_roots[i]);
}

int main(void)
{
    static const struct {
        const char *word;
        void (*answer)(char *at);
    } words[] = {{"match ", answer_match},
                 {"stages ", answer_stages},
                 {"chances ", answer_chances},
                 {"aged ", answer_aged},
                 {"constants", answer_constants}};
    char line[LINE_BYTES];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        printf("%s =", line);
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (strncmp(line, words[i].word, strlen(words[i].word)) == 0)
                words[i].answer(line + strlen(words[i].word));
        }
        printf("\n");
    }
    return 0;
}
