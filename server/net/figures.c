#include "figures.h"

#include "server.h"

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
void figures_turn(struct net_figures *figures, uint64_t now_ns, uint64_t idle_ns)
{
    uint64_t passed_ns = now_ns - figures->begun_ns, waited_ns = idle_ns - figures->idle_ns;
    uint64_t us = passed_ns > waited_ns ? (passed_ns - waited_ns) / 1000 : 0;
    bool first = figures->begun_ns == 0;
    figures->begun_ns = now_ns;
    figures->idle_ns = idle_ns;
    if (first)
        return;
    size_t at = 0;
    while (at + 1 < TURN_BUCKETS && us > UINT64_C(1) << (TURN_FIRST + at))
        at++;
    figures->turns[at]++;
    figures->turns_us += us;
    if (us > figures->longest_us)
        figures->longest_us = us;
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

static void write_turns(struct text *text, const struct net_figures *figures)
{
    uint64_t total = 0;
    head(text, "loop_turn_seconds", "histogram", "Busy time of one turn of the loop.");
    for (size_t at = 0; at < TURN_BUCKETS; at++) {
        total += figures->turns[at];
        if (at + 1 < TURN_BUCKETS)
            put(text, "taluva_loop_turn_seconds_bucket{le=\"%g\"} %" PRIu64 "\n",
                (double)(UINT64_C(1) << (TURN_FIRST + at)) * 1e-6, total);
    }
    put(text, "taluva_loop_turn_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n", total);
    put(text, "taluva_loop_turn_seconds_sum %g\n", (double)figures->turns_us * 1e-6);
    put(text, "taluva_loop_turn_seconds_count %" PRIu64 "\n", total);
    head(text, "loop_turn_longest_seconds", "gauge", "The longest turn since the start.");
    put(text, "taluva_loop_turn_longest_seconds %g\n", (double)figures->longest_us * 1e-6);
}

static void write_refusals(struct text *text, const struct net_figures *figures)
{
    head(text, "sockets_refused_total", "counter",
         "Connections closed before they sent a request, by reason.");
    for (int why = 0; why < REFUSALS; why++)
        put(text, "taluva_sockets_refused_total{why=\"%s\"} %" PRIu64 "\n",
            refusal_name((enum refusal)why), figures->refused[why]);
    head(text, "http_slow_down_total", "counter", "HTTP requests answered with 429.");
    put(text, "taluva_http_slow_down_total %" PRIu64 "\n", figures->slow_downs);
    head(text, "tls_failures_total", "counter", "Connections that did not begin as TLS does.");
    put(text, "taluva_tls_failures_total %" PRIu64 "\n", figures->tls_failures);
}

size_t figures_write(const struct net *net, char to[static FIGURES_BYTES])
{
    struct text text = {to, to + FIGURES_BYTES};
    head(&text, "http_sockets", "gauge", "Open sockets that are not WebSockets.");
    put(&text, "taluva_http_sockets %zu\n", net->http_count);
    write_refusals(&text, &net->figures);
    write_turns(&text, &net->figures);
    head(&text, "stood_still_seconds_total", "counter", "Time in which the server did not run.");
    put(&text, "taluva_stood_still_seconds_total %g\n", (double)net->clock->lost_ms * 1e-3);
    return (size_t)(text.at - to);
}
