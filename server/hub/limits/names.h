/* What nobody is to be called here (hub_env.patterns). */
#ifndef HUB_NAMES_H
#define HUB_NAMES_H

#include <stdbool.h>

struct hub;

bool names_forbid(const struct hub *hub, const char *name);

#endif
