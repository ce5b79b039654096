/* The limits and delays of net, as hub/config.h has those of the hub: one table. */
#ifndef NET_CONFIG_H
#define NET_CONFIG_H

#include <stdint.h>

/* ROW(name, default, min, max, reason) */
#define NET_LIMITS(ROW)                                                                            \
    ROW(http_sockets, 1024, 16, 1000000, "open sockets that are not (yet) WebSockets")             \
    ROW(http_sockets_per_address, 256, 1, 1000000,                                                 \
        "the same of one address, unless it is a trusted proxy")                                   \
    ROW(connects_per_address_per_s, 50, 1, 1000000, "new sockets of one address")                  \
    ROW(connects_per_address_burst, 1000, 1, 1000000, "new sockets of one address at once")        \
    ROW(http_requests_per_address_per_s, 100, 1, 1000000,                                          \
        "HTTP requests of one address; more get 429")                                              \
    ROW(http_requests_per_address_burst, 2000, 1, 1000000, "HTTP requests of one address at once") \
    ROW(http_answer_bytes_in_all, 67108864, 65536, 68719476736,                                    \
        "unsent HTTP answers made for one request each, and bodies; more cuts the slowest")        \
    ROW(http_timeout_ms, 10000, 100, 600000, "time to send a request or to receive its answer")    \
    ROW(control_frames_per_s, 10, 1, 1000000, "pings and pongs of one connection; more: 4003")     \
    ROW(control_frames_burst, 100, 1, 1000000, "pings and pongs of one connection at once")        \
    ROW(reads_per_turn, 16, 1, 65535,                                                              \
        "read from sockets of one address in one turn of the loop; more has its turn later")       \
    ROW(ping_interval_ms, 30000, 1000, 3600000, "time between WebSocket pings to a connection")    \
    ROW(ping_timeout_ms, 60000, 2000, 7200000, "a connection silent for so long is closed")        \
    ROW(close_timeout_ms, 5000, 100, 600000, "time for a peer to answer a close frame")            \
    ROW(drain_timeout_ms, 5000, 100, 600000, "longest time from SIGTERM to the end")               \
    ROW(commit_interval_ms, 2, 0, 6, "longest interval between commits; few moves need none")      \
    ROW(admin_connections, 8, 1, 1000,                                                             \
        "connections of operators; one more cuts the one that is idle longest")                    \
    ROW(admin_timeout_ms, 10000, 100, 600000, "time for an operator to read an answer")            \
    ROW(think_threads, 1, 0, 64, "threads that think and draw pictures; 0: all play quick")        \
    ROW(think_memory_mb, 32, 1, 65536, "memory of each; it is used as far as a level needs it")

struct net_config {
#define NET_LIMIT_FIELD(name, standard, min, max, reason) int64_t name;
    NET_LIMITS(NET_LIMIT_FIELD)
#undef NET_LIMIT_FIELD
};

void net_config_init(struct net_config *config); /* the defaults */

#endif
