/* What somebody is told that is kept of them at the desk: what they have reported. */
#ifndef MODERATION_KEPT_H
#define MODERATION_KEPT_H

#include <stdbool.h>
#include <stdint.h>

struct hub;
struct writer;

/* More of somebody's reports are not told, the newest are: nobody makes so many in good faith. */
enum { KEPT_REPORTS_MAX = 100 };

/* feature.write_kept */
void moderation_write_kept(const struct hub *hub, uint64_t session, bool at_desk,
                           struct writer *writer);

#endif
