/* All tables of described rows that a server knows (hub/store_row.h). */
#ifndef HUB_STORE_TABLES_H
#define HUB_STORE_TABLES_H

#include <hub/store_row.h>

extern const struct store_table store_pass_table, store_push_table, store_letter_table;

/*
 * In the order in which their rows are handed out; NULL at the end. Those of the hub, unless a
 * program gives it others as well, once, before its first store.
 */
extern const struct store_table *const *store_tables;
enum { STORE_TABLES_MAX = 32 };

#endif
