/*
 * Answers of a server as people read them.
 */
#ifndef ADMIN_SHOW_H
#define ADMIN_SHOW_H

#include "command_line.h"
#include "table.h"
#include <jansson.h>
#include <stdio.h>

/* The list in an answer of this shape, "rooms"; NULL: it is no list. */
const char *show_list_name(enum command_shape shape);

/* A list: begin, add every page, print. Only rows with `filter` in them, unless that is NULL. */
void show_begin(struct table *table, enum command_shape shape);
void show_add(struct table *table, enum command_shape shape, const json_t *page,
              const char *filter);

/* An answer that is no list. False: no memory. */
bool show_answer(enum command_shape shape, const json_t *answer, FILE *out);

#endif
