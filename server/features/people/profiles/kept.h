/* What an account is told that is kept of it, beside what its profile shows. */
#ifndef PEOPLE_KEPT_H
#define PEOPLE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

struct hub;
struct writer;

/* feature.write_kept: how often it has played what, also where it shows nobody else. */
void people_write_kept(const struct hub *hub, uint64_t session, bool at_desk,
                       struct writer *writer);

#endif
