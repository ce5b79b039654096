/*
 * The counters of net for /metrics: sockets that were refused, and how long each turn of the loop
 * was, which is how long the last of its messages had to wait.
 */
#ifndef NET_METRICS_H
#define NET_METRICS_H

#include "threads/checker.h"
#include <hub/admin_request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer;
struct feature;
struct net_keeper;

enum net_refusal {
    REFUSED_ADDRESS, /* as many sockets of its address are open as may be */
    REFUSED_RATE,    /* its address connects too fast */
    REFUSED_FULL,    /* cut to make room for a new one, as many are open as may be */
    REFUSED_FILES,   /* no descriptor is left for it */
    REFUSED_MEMORY,
};
enum { REFUSALS = REFUSED_MEMORY + 1 };

/* Whose connections are accepted. */
enum net_acceptor { ACCEPT_PLAYER, ACCEPT_OPERATOR };
enum { ACCEPTORS = ACCEPT_OPERATOR + 1 };

enum { TURN_BUCKETS = 17, TURN_FIRST = 6 };

struct net_metrics {
    uint64_t refused[REFUSALS];
    uint64_t accept_failures[ACCEPTORS]; /* of the system; each was followed by a pause */
    uint64_t misdirected;                /* HTTP requests answered with 421 */
    uint64_t slow_downs;                 /* HTTP requests answered with 429 */
    uint64_t slow_readers; /* HTTP links cut because of the answers that waited for all */
    uint64_t tls_failures; /* of what began as no handshake, or ended within the first read */
    uint64_t turns[TURN_BUCKETS]; /* bucket i: up to 2^(FIRST + i) us; the last: any */
    uint64_t turns_us, longest_us;
    uint64_t turns_left;                /* that left something to the next one */
    uint64_t admin[OPERATOR_WORDS_MAX]; /* requests of the operator, by operator_word_at */
    uint64_t begun_ns, idle_ns;         /* of the turn that is under way */
};

const char *refusal_name(enum net_refusal why);

/* At the end of a turn of the loop: it is about to wait. */
void net_metrics_turn(struct net_metrics *metrics, uint64_t now_ns, uint64_t idle_ns);

/* What is not counted here. */
struct net_gauges {
    size_t http_sockets, answer_bytes;
    int64_t commit_interval_us;
    int64_t stood_still_ms;
    uint64_t node_accept_failures;
    int64_t clock_ahead_ms;
    enum checker_finding store;
    bool lease_lost;
    const struct feature *const *features; /* NULL at the end */
};
/* Appends them in Prometheus' text format. */
void net_metrics_write(const struct net_metrics *metrics, const struct net_gauges *gauges,
                       struct buffer *out);

void net_metrics_write_keeper(const struct net_keeper *keeper, struct buffer *out);

#endif
