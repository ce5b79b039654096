/*
 * Rule cases: drawn positions with a line of expectation for each question, in text files that
 * anyone can add to. cases/README.md says how they are written.
 */
#ifndef TESTS_RULES_CASES_H
#define TESTS_RULES_CASES_H

#include <rules/taluva.h>

struct cases_report {
    unsigned files, cases, expectations;
    bool seen[TALUVA_STATUSES]; /* statuses that some expectation has met */
};

/* Runs every file of a directory; fails the running test at the first line that is not met. */
void cases_run(const char *directory, struct cases_report *report);

#endif
