/* A copy of a text in memory of its own. */
#ifndef HUB_COPY_TEXT_H
#define HUB_COPY_TEXT_H

/* For free(). NULL: out of memory. */
char *copy_text(const char *text);

#endif
