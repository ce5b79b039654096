/* What is told whoever is here and is about no room: somebody wants to play with them, or something
 * of their rating is given back. */
#ifndef CLI_OWN_NEWS_H
#define CLI_OWN_NEWS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A line about it. False: it is something else. */
enum { OWN_NEWS_BYTES = 256 };
bool own_news_write(char *line, size_t size, const json_t *push);

#endif
