/*
 * Pages of HTTP that take too long for the loop (features/feature.h): made by a thread that thinks,
 * while the request waits.
 */
#ifndef HUB_HTTP_WORK_H
#define HUB_HTTP_WORK_H

#include <stdbool.h>
#include <stdint.h>

struct feature_page;
struct hub;
struct hub_http_answer;

/* For who pays by that address (NULL: nobody). True: answered now. */
bool http_work_begin(struct hub *hub, const struct feature_page *page, const char *rest,
                     const uint8_t *ip, struct hub_http_answer *answer, uint64_t *ticket);

#endif
