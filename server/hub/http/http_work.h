/*
 * Pages of HTTP that take too long for the loop (features/feature.h): made by a thread that thinks,
 * while the request waits.
 */
#ifndef HUB_HTTP_WORK_H
#define HUB_HTTP_WORK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * So many are made, or wait for that, because of one address, and so many of its requests wait for
 * such pages, whoever they are made for; of more there is 503.
 */
enum { HTTP_WORKS_PER_ADDRESS = 4, HTTP_WORK_WAITS_PER_ADDRESS = 16 };

struct feature_page;
struct hub;
struct hub_http_answer;

/* For who pays by that address (NULL: nobody). True: answered now. What is made already is not made
 * another time: they wait for the same one. */
bool http_work_begin(struct hub *hub, const struct feature_page *page, const char *rest,
                     const uint8_t *ip, struct hub_http_answer *answer, uint64_t *ticket);

#endif
