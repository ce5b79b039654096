/* What is told whoever is here and is about no room: somebody wants to play with them, or something
 * of their rating is given back. */
#ifndef CLI_OWN_NEWS_H
#define CLI_OWN_NEWS_H

#include "online.h"

void own_news_say(struct online *online, const json_t *push);

#endif
