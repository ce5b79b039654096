/* A copy of a text in memory of its own. */
#ifndef BASE_COPY_TEXT_H
#define BASE_COPY_TEXT_H

/* For free(). NULL: out of memory. */
char *copy_text(const char *text);

#endif
