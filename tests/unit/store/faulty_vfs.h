/*
 * A disk that fails on demand, and remembers: SQLite's own VFS with every change of a file counted,
 * kept on a tape, and failed where the test says.
 *
 * The tape knows what each file looked like after any number of changes, both if all of them
 * reached the disk (the program was killed) and if those not yet synced did not, or in part (the
 * power went). Shared-memory files are not on it: they do not outlive a crash.
 */
#ifndef TESTS_UNIT_STORE_FAULTY_VFS_H
#define TESTS_UNIT_STORE_FAULTY_VFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes it the default of every connection opened from now on. */
void faulty_install(void);

/* The changes from number `at` (counted from now, 0 first) to `at + count - 1` fail with SQLite's
 * `code`; `late` after having been carried out (as an fsync that comes back with an error). */
void faulty_plan(int at, int count, int code, bool late);
/* Reading number `at` fails, and no change does. */
void faulty_plan_read(int at);
/* `hook` is called within reading number `at`. */
void faulty_hook_read(int at, void (*hook)(void *ctx), void *ctx);
int faulty_reads(void); /* counted since the last plan, hook or clear */
void faulty_clear(void);
int faulty_changes(void); /* counted since the last plan or clear */
bool faulty_struck(void); /* has anything failed since? */

/* The tape runs from tape_begin; files already there are taken as synced. */
void tape_begin(void);
void tape_pause(void);
void tape_resume(void);
void tape_end(void); /* and forgets it */
size_t tape_length(void);

/* What becomes of the changes since a file's last sync when the power goes. */
enum tape_loss { TAPE_KEEP_ALL, TAPE_LOSE_ALL, TAPE_LOSE_SOME };
/* Writes the files as of the first `length` changes into `folder`. */
void tape_restore(const char *folder, size_t length, enum tape_loss loss, uint32_t seed);

#endif
