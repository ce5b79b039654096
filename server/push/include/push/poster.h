/* Who carries out requests of HTTP, one at a time, each on a thread that may wait. */
#ifndef PUSH_PUBLIC_POSTER_H
#define PUSH_PUBLIC_POSTER_H

#include <stdbool.h>

enum { PUSH_MESSAGE_MAX = 256 };

/* Once in a program, before any thread uses the rest. False with `message`: libcurl cannot be
 * loaded, or no memory; it may be tried again. */
bool push_posting_begin(char message[static PUSH_MESSAGE_MAX]);
void push_posting_end(void);

/* Keeps connections to services for the next message. Used by one thread at a time. */
struct push_poster;
struct push_poster *push_poster_create(void); /* NULL: no memory */
void push_poster_destroy(struct push_poster *poster);

#endif
