/*
 * Holds the two ways of reading JSON against each other: an object read as a list of members and
 * the same text read as a tree.
 */
#ifndef SUPPORT_SAME_MEMBERS_H
#define SUPPORT_SAME_MEMBERS_H

#include <stddef.h>

/* NULL, or what differs. `len` is at most PROTOCOL_MESSAGE_BYTES. */
const char *members_differ(const char *bytes, size_t len);

#endif
