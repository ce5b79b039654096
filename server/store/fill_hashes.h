/* The step from version 2 to 3 that SQL cannot do: rows written without a hash get theirs. */
#ifndef STORE_FILL_HASHES_H
#define STORE_FILL_HASHES_H

#include <sqlite3.h>

/* Within a transaction of the caller. Rows that are not readable are left without. SQLite's code.
 */
int fill_hashes(sqlite3 *db);

#endif
