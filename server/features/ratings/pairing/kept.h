/* What somebody is told that is kept of them: conduct at home; ratings and a seek at the desk. */
#ifndef RATINGS_KEPT_H
#define RATINGS_KEPT_H

#include <stdbool.h>
#include <stdint.h>

struct hub;
struct writer;

/* feature.write_kept */
void ratings_write_kept(const struct hub *hub, uint64_t session, bool at_desk,
                        struct writer *writer);

#endif
