/* What the tests of the store share: its folder, which each test has anew, and ops to commit. */
#ifndef STORE_CASES_H
#define STORE_CASES_H

#include "row_ops.h"
#include "scratch.h"
#include <check.h>

extern struct scratch scratch;

/* A room, an op that names one, an event of one. */
struct store_op op_room(const char *id);
struct store_op op_of(enum store_op_kind kind, const char *id);
struct store_op op_guest(const char *id, uint64_t session, uint64_t instead_of);
/* Of a device, named "Tablet", whose secret's hash is of that byte alone. */
struct store_op op_pass(uint64_t session, uint32_t id, int secret_byte);
struct store_op op_push(uint64_t session, uint64_t key, const char *endpoint);
/* Of two seats (0: nobody's); of each session so many stay. */
struct store_op op_game(const char *id, uint64_t session, uint8_t seat, int64_t at_ms,
                        uint32_t keep);
struct store_op op_event(const char *id, uint64_t seq);
enum store_result commit_ops(struct sqlite_store *store, const struct store_op *ops, size_t count);
enum store_result commit_one(struct sqlite_store *store, struct store_op op);

/* Opening, loading, the log on disk, backups and versions; what bits that turn do; folders and
 * files by themselves; and all of it through hub/store.h. */
void add_opening_tests(TCase *tests);
void add_loading_tests(TCase *tests);
void add_damage_tests(TCase *tests);
void add_files_tests(TCase *tests);
void add_engine_tests(TCase *tests);
void add_check_tests(TCase *tests);
void add_end_tests(TCase *tests);
void add_erase_tests(TCase *tests);
void add_games_tests(TCase *tests);
void add_hand_tests(TCase *tests);
void add_rows_tests(TCase *tests);
void add_trim_tests(TCase *tests);
void add_large_tests(TCase *tests);   /* the check of a large store while it is used */
void add_signing_tests(TCase *tests); /* the file of the keys beside the store */
void add_push_key_tests(TCase *tests);
void add_site_keys_tests(TCase *tests); /* the document of both */
void add_restore_tests(TCase *tests);   /* a copy in place of a store */
void add_bans_tests(TCase *tests);      /* that of the bans */

#endif
