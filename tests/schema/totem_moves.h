/* Commands of Totem by chance, put together from what the answer to `moves` says is asked. */
#ifndef TESTS_SCHEMA_TOTEM_MOVES_H
#define TESTS_SCHEMA_TOTEM_MOVES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A command for one of the families in `asked`, legal or nearly so; false: nothing is asked. */
bool totem_compose(const json_t *asked, char *out, size_t size);

#endif
