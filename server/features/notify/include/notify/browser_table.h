/*
 * Browsers as they are kept: where one of a session takes messages (Web Push). Its key is the
 * session's own: a second one with the same key takes the place of the first. It goes with its
 * session.
 */
#ifndef NOTIFY_BROWSER_TABLE_H
#define NOTIFY_BROWSER_TABLE_H

#include <hub/push.h>
#include <hub/store_row.h>
#include <stdint.h>

struct browser_row {
    uint64_t session;
    uint64_t key;
    uint32_t pass; /* id of the device that it is on */
    int64_t since_ms;
    uint8_t point[HUB_PUSH_POINT_BYTES];
    uint8_t auth[HUB_PUSH_AUTH_BYTES];
    const char *endpoint; /* borrowed, 0-terminated */
};

extern const struct store_table browser_table;

#endif
