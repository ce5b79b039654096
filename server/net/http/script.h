/*
 * What a browser need not be sent of a script. The page's sources say their types in comments,
 * which are a fifth of what they are made of.
 */
#ifndef NET_SCRIPT_H
#define NET_SCRIPT_H

#include <stddef.h>

/* Leaves out, in place, the comments that have lines of their own, and returns how long the text is
 * then. The lines stay, empty, so that errors are where they are in the source; so do comments that
 * begin with ! (licences), # or @ (for tools). It knows no more of the language than where texts
 * and regular expressions end: from the first line on whose end may be within one, everything is
 * kept. */
size_t script_drop_comments(unsigned char *text, size_t len);

#endif
