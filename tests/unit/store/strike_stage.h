/* What the tests of single faults begin with, and what must be true after each. */
#ifndef TESTS_UNIT_STORE_STRIKE_STAGE_H
#define TESTS_UNIT_STORE_STRIKE_STAGE_H

#include "scenario.h"
#include "strike.h"
#include <sqlite_store.h>

extern struct scenario scenario;
extern const char *const kind_names[STRIKES];

void strike_set_up(void);
void strike_tear_down(void);
void start_again(void); /* with an empty folder */

/* The store as it is after so many batches of the scenario, loaded. */
struct sqlite_store *open_after(int batches);

/* What that store holds; learned once in a test, and compared with what the folder holds. */
extern char *expected[SCENARIO_BATCHES + 1];
void learn_expected(void);
void check_content(int batches);

/* Nothing has been left open, and a fault is told as what it is. */
void check_held(struct held before);
void check_told(enum strike kind, enum store_result result, const char *message);

#endif
