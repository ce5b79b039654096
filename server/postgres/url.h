/* The URL of a database, taken apart by libpq, and what is said of it: never the password. */
#ifndef POSTGRES_URL_H
#define POSTGRES_URL_H

#include "libpq.h"
#include <postgres/store.h>
#include <stdbool.h>
#include <stdint.h>

enum { URL_PARTS_MAX = 64, URL_NAME_MAX = 256 };

struct url {
    PQconninfoOption *options; /* what the pointers below point into */
    const char *keywords[URL_PARTS_MAX], *values[URL_PARTS_MAX];
    char timeout[16];
    char name[URL_NAME_MAX];
    enum postgres_problem problem; /* POSTGRES_FINE, or: */
    const char *trouble;           /* it is not understood, or libpq cannot be loaded */
};

/* False: there is no more than `name`, `problem` and `trouble`. `connect_ms` is used where the URL
 * does not say. */
bool url_parse(struct url *url, const char *text, int64_t connect_ms);
void url_release(struct url *url);

#endif
