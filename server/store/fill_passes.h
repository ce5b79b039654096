/* The step from version 5 to 6 that SQL cannot do: the token of each session becomes a pass. */
#ifndef STORE_FILL_PASSES_H
#define STORE_FILL_PASSES_H

#include <sqlite3.h>

/* Within a transaction of the caller. Damaged rows get none and stay damaged. SQLite's code. */
int fill_passes(sqlite3 *db);

#endif
