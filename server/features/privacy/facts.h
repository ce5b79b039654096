/* What templates can say of a server: its limits, by their names, and what it has. */
#ifndef PRIVACY_FACTS_H
#define PRIVACY_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

/* 0 or 1: `accounts` `invites` `external` `visitors` `push`; or a limit (hub/config.h). False:
 * there is no such fact. */
bool fact_find(const struct hub *hub, const char *name, size_t len, int64_t *value);

#endif
