/* The part of a target behind its "?", as forms and OAuth write it: names, values, both escaped. */
#ifndef NET_QUERY_H
#define NET_QUERY_H

#include "http_head.h"

enum query_found {
    QUERY_ABSENT,
    QUERY_FOUND,
    QUERY_BAD, /* it is there twice, does not fit, or is escaped wrongly or to what is no text */
};

/* The value, with a NUL, within `size` bytes. */
enum query_found query_find(struct http_text query, const char *name, char *value, size_t size);

#endif
