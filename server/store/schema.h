/*
 * The tables, as a chain of migrations: version n is what the first n of them make of an empty
 * file. A migration that has been released is never edited; a change is one more at the end.
 */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

enum {
    STORE_APPLICATION_ID = 0x54616c75, /* "Talu", in the file's header */
    STORE_VERSION = 7,                 /* `user_version` in the file's header */
};

/* From version `from` to `from` + 1; 0 <= from < STORE_VERSION. The step from 2 is whole only with
 * fill_hashes after it, the step from 5 with fill_passes. */
const char *schema_migration(int from);

#endif
