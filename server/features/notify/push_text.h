/*
 * What a message says, if it comes from another part of the site: the same for all browsers of a
 * session, and counted.
 */
#ifndef NOTIFY_PUSH_TEXT_H
#define NOTIFY_PUSH_TEXT_H

#include <stddef.h>

struct push_text {
    unsigned refs;
    size_t len;
    char bytes[];
};

/* With one reference. NULL: out of memory. */
struct push_text *push_text_create(const char *bytes, size_t len);
struct push_text *push_text_ref(struct push_text *text); /* NULL too */
void push_text_unref(struct push_text *text);            /* NULL too */

#endif
