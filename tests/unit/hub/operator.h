/* The operator of a hub under test: asks, line by line. */
#ifndef OPERATOR_H
#define OPERATOR_H

#include "world.h"
#include <hub/admin.h>
#include <jansson.h>
#include <stdbool.h>

/* What was kept of the bans last; while it is full nothing can be kept. */
extern char operator_kept[1 << 16];
extern bool operator_full;

void operator_init(struct world *world);

/* The hub goes by this text of bans; false: it is none. */
bool operator_holds(const char *text);
/* The hub gets the bans that were kept. False: they are none. `closed`: as hub_hold_document. */
bool operator_restore(size_t *closed);
/* What the hub wants of its document is kept, and holds (operator_full: it is not): how often. */
unsigned operator_documents(void);
/* Asks; the answer may have to wait. */
enum admin_outcome operator_ask(const char *text, struct buffer *line);
/* The answer that has waited. */
enum admin_outcome operator_waited(struct buffer *line);
/* Asks and runs everything: the answer, a new reference. */
json_t *operator_asked(const char *text);
/* The same: `ok` of the answer. */
json_t *operator_granted(const char *text);
/* The same: it is refused with this code. */
void operator_denied(const char *text, const char *code);

#endif
