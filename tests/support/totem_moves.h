/* Commands of Totem by chance, put together from what the answer to `moves` says is asked. */
#ifndef TESTS_SUPPORT_TOTEM_MOVES_H
#define TESTS_SUPPORT_TOTEM_MOVES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Where chance comes from. */
struct chance {
    unsigned (*below)(struct chance *chance, unsigned n); /* 0 to n - 1 */
};

/* A command for one of the families in `asked`, legal or nearly so; false: nothing is asked. */
bool totem_compose(const json_t *asked, struct chance *chance, char *out, size_t size);

#endif
