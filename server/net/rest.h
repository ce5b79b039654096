/*
 * When a commit may begin, and until when the loop may rest meanwhile: see rest_until_due in
 * loop.c.
 */
#ifndef NET_REST_H
#define NET_REST_H

#include <stdbool.h>
#include <stdint.h>

struct net;
struct served_part;

bool rest_commit_is_due(const struct served_part *part);
/* Of all parts, by net_clock_monotonic_us, which is `now_us`; 0: the loop does not rest. */
int64_t rest_until_us(const struct net *net, int64_t now_us);

#endif
