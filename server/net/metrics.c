#include "metrics.h"

#include "net_private.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

const char *refusal_name(enum refusal why)
{
    static const char *const names[REFUSALS] = {
        [REFUSED_ADDRESS] = "address",
        [REFUSED_RATE] = "rate",
        [REFUSED_FULL] = "full",
        [REFUSED_MEMORY] = "memory",
    };
    return names[why];
}

/* Busy is what was not spent waiting, whoever kept the processor meanwhile. */
void net_metrics_turn(struct net_metrics *metrics, uint64_t now_ns, uint64_t idle_ns)
{
    uint64_t passed_ns = now_ns - metrics->begun_ns, waited_ns = idle_ns - metrics->idle_ns;
    uint64_t us = passed_ns > waited_ns ? (passed_ns - waited_ns) / 1000 : 0;
    bool first = metrics->begun_ns == 0;
    metrics->begun_ns = now_ns;
    metrics->idle_ns = idle_ns;
    if (first)
        return;
    size_t at = 0;
    while (at + 1 < TURN_BUCKETS && us > UINT64_C(1) << (TURN_FIRST + at))
        at++;
    metrics->turns[at]++;
    metrics->turns_us += us;
    if (us > metrics->longest_us)
        metrics->longest_us = us;
}

struct text {
    char *at, *end;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t room = (size_t)(text->end - text->at);
    int len = vsnprintf(text->at, room, format, args);
    va_end(args);
    if (len > 0 && (size_t)len < room)
        text->at += len;
}

static void head(struct text *text, const char *name, const char *type, const char *help)
{
    put(text, "# HELP taluva_%s %s\n# TYPE taluva_%s %s\n", name, help, name, type);
}

static void write_turns(struct text *text, const struct net_metrics *metrics)
{
    uint64_t total = 0;
    head(text, "loop_turn_seconds", "histogram", "Busy time of one turn of the loop.");
    for (size_t at = 0; at < TURN_BUCKETS; at++) {
        total += metrics->turns[at];
        if (at + 1 < TURN_BUCKETS)
            put(text, "taluva_loop_turn_seconds_bucket{le=\"%g\"} %" PRIu64 "\n",
                (double)(UINT64_C(1) << (TURN_FIRST + at)) * 1e-6, total);
    }
    put(text, "taluva_loop_turn_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n", total);
    put(text, "taluva_loop_turn_seconds_sum %g\n", (double)metrics->turns_us * 1e-6);
    put(text, "taluva_loop_turn_seconds_count %" PRIu64 "\n", total);
    head(text, "loop_turn_longest_seconds", "gauge", "The longest turn since the start.");
    put(text, "taluva_loop_turn_longest_seconds %g\n", (double)metrics->longest_us * 1e-6);
}

static void write_refusals(struct text *text, const struct net_metrics *metrics)
{
    head(text, "sockets_refused_total", "counter",
         "Connections closed before they sent a request, by reason.");
    for (int why = 0; why < REFUSALS; why++)
        put(text, "taluva_sockets_refused_total{why=\"%s\"} %" PRIu64 "\n",
            refusal_name((enum refusal)why), metrics->refused[why]);
    head(text, "http_slow_down_total", "counter", "HTTP requests answered with 429.");
    put(text, "taluva_http_slow_down_total %" PRIu64 "\n", metrics->slow_downs);
    head(text, "tls_failures_total", "counter", "Connections that did not begin as TLS does.");
    put(text, "taluva_tls_failures_total %" PRIu64 "\n", metrics->tls_failures);
}

size_t net_metrics_write(const struct net *net, char to[static NET_METRICS_BYTES])
{
    struct text text = {to, to + NET_METRICS_BYTES};
    head(&text, "http_sockets", "gauge", "Open sockets that are not WebSockets.");
    put(&text, "taluva_http_sockets %zu\n", net->http_count);
    write_refusals(&text, &net->metrics);
    write_turns(&text, &net->metrics);
    head(&text, "stood_still_seconds_total", "counter", "Time in which the server did not run.");
    put(&text, "taluva_stood_still_seconds_total %g\n", (double)net->clock->lost_ms * 1e-3);
    return (size_t)(text.at - to);
}
