/* A piece of a message's text, as it is. */
#ifndef SITE_PIECE_H
#define SITE_PIECE_H

#include <stddef.h>

struct piece {
    const char *at; /* NULL: there is none */
    size_t len;
};

#endif
