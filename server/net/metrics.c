#include "metrics.h"

#include <hub/prometheus.h>
#include <net/keeper.h>
#include <net/log.h>
#include <stdbool.h>

const char *refusal_name(enum net_refusal why)
{
    static const char *const names[REFUSALS] = {
        [REFUSED_ADDRESS] = "address", [REFUSED_RATE] = "rate",     [REFUSED_FULL] = "full",
        [REFUSED_FILES] = "files",     [REFUSED_MEMORY] = "memory",
    };
    return names[why];
}

/* Busy is all time that was not spent waiting, even if other programs had the processor. */
void net_metrics_turn(struct net_metrics *metrics, uint64_t now_ns, uint64_t idle_ns)
{
    uint64_t passed_ns = now_ns - metrics->begun_ns, waited_ns = idle_ns - metrics->idle_ns;
    uint64_t us = passed_ns > waited_ns ? (passed_ns - waited_ns) / 1000 : 0;
    bool first = metrics->begun_ns == 0;
    metrics->begun_ns = now_ns;
    metrics->idle_ns = idle_ns;
    if (first)
        return;
    metrics->turns[prometheus_bucket(us, TURN_BUCKETS, TURN_FIRST)]++;
    metrics->turns_us += us;
    if (us > metrics->longest_us)
        metrics->longest_us = us;
}

static void write_turns(struct buffer *out, const struct net_metrics *metrics)
{
    const struct prometheus_buckets turns = {metrics->turns, TURN_BUCKETS, TURN_FIRST, 1e-6};
    prometheus_histogram(out, "loop_turn_seconds", "Busy time of one turn of the loop.", &turns,
                         (double)metrics->turns_us);
    prometheus_real(out, "loop_turn_longest_seconds", "gauge", "The longest turn since the start.",
                    (double)metrics->longest_us * 1e-6);
    prometheus_count(out, "loop_turns_left_total", "counter",
                     "Turns of the loop that left something to be read or written to the next one.",
                     metrics->turns_left);
}

static void write_refusals(struct buffer *out, const struct net_metrics *metrics)
{
    prometheus_head(out, "sockets_refused_total", "counter",
                    "Connections closed before they sent a request, by reason.");
    for (int why = 0; why < REFUSALS; why++)
        prometheus_labelled(out, "sockets_refused_total", "why",
                            refusal_name((enum net_refusal)why), metrics->refused[why]);
    prometheus_count(out, "http_misdirected_total", "counter",
                     "HTTP requests by a name that is not known, answered with 421.",
                     metrics->misdirected);
    prometheus_count(out, "http_slow_down_total", "counter", "HTTP requests answered with 429.",
                     metrics->slow_downs);
    prometheus_count(out, "http_slow_readers_total", "counter",
                     "HTTP connections cut because unsent answers took too much memory.",
                     metrics->slow_readers);
    prometheus_count(out, "tls_failures_total", "counter",
                     "Connections that did not begin with a TLS handshake.", metrics->tls_failures);
}

static void write_trouble(struct buffer *out, const struct net_metrics *metrics,
                          const struct net_gauges *gauges)
{
    static const char *const names[ACCEPTORS] = {
        [ACCEPT_PLAYER] = "players",
        [ACCEPT_OPERATOR] = "operators",
    };
    prometheus_head(out, "accept_failures_total", "counter",
                    "Pauses because the system had no descriptor or memory for a connection.");
    for (int whose = 0; whose < ACCEPTORS; whose++)
        prometheus_labelled(out, "accept_failures_total", "of", names[whose],
                            metrics->accept_failures[whose]);
    prometheus_labelled(out, "accept_failures_total", "of", "nodes", gauges->node_accept_failures);
    prometheus_count(out, "log_lines_lost_total", "counter",
                     "Lines of the log that could not be written in full.", log_lines_lost());
}

static void write_finding(struct buffer *out, enum checker_finding store)
{
    prometheus_count(out, "store_checking", "gauge",
                     "1 while the structure of a large store is checked after the start.",
                     store == CHECKER_CHECKING);
    prometheus_count(out, "store_damage", "gauge", "1 after that check has found damage.",
                     store == CHECKER_DAMAGED);
    prometheus_count(out, "store_check_failed", "gauge",
                     "1 if that check could not read the store.", store == CHECKER_FAILED);
}

void net_metrics_write_keeper(const struct net_keeper *keeper, struct buffer *out)
{
    prometheus_count(out, "keeper_opened_total", "counter", "Parts that were opened here.",
                     keeper->opened);
    prometheus_count(out, "keeper_taken_over_total", "counter",
                     "Of them from a node that had not given them up.", keeper->taken_over);
    prometheus_count(out, "keeper_given_up_total", "counter",
                     "Parts given up so that others have as many.", keeper->given_up);
    prometheus_count(out, "keeper_lost_total", "counter",
                     "Parts that another node has opened meanwhile.", keeper->lost);
    prometheus_count(out, "keeper_failed_total", "counter",
                     "Parts that could not be opened, or whose store failed.", keeper->failed);
    prometheus_real(out, "keeper_beat_age_seconds", "gauge",
                    "Since the last sign of life that the database has acknowledged.",
                    (double)keeper->since_beat_ms * 1e-3);
    prometheus_real(out, "keeper_clock_ahead_seconds", "gauge",
                    "How far the system's clock is ahead of the database's; below 0: behind.",
                    (double)keeper->clock_ahead_ms * 1e-3);
}

static void write_admin(const struct net_metrics *metrics, const struct net_gauges *gauges,
                        struct buffer *out)
{
    const struct operator_word *word;
    prometheus_head(out, "admin_requests_total", "counter", "Requests of the operator by kind.");
    for (size_t at = 0; (word = operator_word_at(gauges->features, at)); at++)
        prometheus_labelled(out, "admin_requests_total", "op", word->word, metrics->admin[at]);
}

void net_metrics_write(const struct net_metrics *metrics, const struct net_gauges *gauges,
                       struct buffer *out)
{
    prometheus_count(out, "http_sockets", "gauge", "Open sockets that are not WebSockets.",
                     gauges->http_sockets);
    prometheus_count(out, "http_answer_bytes", "gauge",
                     "HTTP answers in memory that are not sent, and bodies not whole.",
                     gauges->answer_bytes);
    write_refusals(out, metrics);
    write_trouble(out, metrics, gauges);
    write_turns(out, metrics);
    write_admin(metrics, gauges, out);
    prometheus_real(out, "commit_interval_seconds", "gauge",
                    "Least time from one commit to the next, which grows with the rate.",
                    (double)gauges->commit_interval_us * 1e-6);
    prometheus_real(out, "stood_still_seconds_total", "counter",
                    "Time in which the server did not run.", (double)gauges->stood_still_ms * 1e-3);
    prometheus_real(out, "clock_ahead_seconds", "gauge",
                    "How far the server's time is ahead of the system's clock.",
                    (double)gauges->clock_ahead_ms * 1e-3);
    prometheus_count(out, "lease_lost", "gauge",
                     "1 while nothing is said of what is stored, as another server may have it.",
                     gauges->lease_lost);
    write_finding(out, gauges->store);
}
