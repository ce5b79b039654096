/* All tables of described rows that a server knows (hub/store_row.h). */
#ifndef HUB_STORE_TABLES_H
#define HUB_STORE_TABLES_H

#include <hub/store_row.h>
#include <stdbool.h>

struct feature;

extern const struct store_table store_letter_table, store_document_table, store_jump_table;

/*
 * In the order in which their rows are handed out; NULL at the end. Those of the hub, until a
 * program has said what features it has.
 */
extern const struct store_table *const *store_tables;
enum { STORE_TABLES_MAX = 48 };

/* Those of the hub and of these features (feature.tables), NULL at the end. Once, before the first
 * store is opened and the first hub is made. */
void store_tables_of(const struct feature *const *features);
bool store_tables_have(const struct store_table *table);

#endif
