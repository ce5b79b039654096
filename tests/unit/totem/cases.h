/*
 * Runs the files of cases (cases/README.md). A question that is answered otherwise than the file
 * says fails the test, with the line.
 */
#ifndef TOTEM_TESTS_CASES_H
#define TOTEM_TESTS_CASES_H

#include <totem_rules/totem.h>

struct cases_report {
    unsigned files, cases, questions;
    bool seen[TOTEM_STATUSES]; /* answers that some `try` expects */
};

void cases_run(const char *folder, struct cases_report *report);

#endif
