#include "report.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void report_progress(const struct worker *workers, unsigned n, const char *phase, double part,
                     double left_s, double moves_per_s)
{
    enum { BAR = 20 };
    char bar[BAR + 1] = "";
    uint64_t p99_us = 0;
    uint64_t failures = 0;
    uint64_t games = 0;
    for (unsigned i = 0; i < n; i++) {
        p99_us = workers[i].last.p99_us > p99_us ? workers[i].last.p99_us : p99_us;
        failures += workers[i].last.failures;
        games += workers[i].last.games_over;
    }
    const int full = (int)(part * BAR);
    for (int i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '.';
    fprintf(stderr, "\r%-8s [%s] %8.0f moves/s  p99 %7.2f ms  %llu games  %llu errors", phase, bar,
            moves_per_s, (double)p99_us / 1000.0, (unsigned long long)games,
            (unsigned long long)failures);
    if (left_s >= 0)
        fprintf(stderr, "  %3.0f s left", left_s);
    fputs("\033[K", stderr);
    (void)fflush(stderr);
}

void report_progress_end(void)
{
    fputs("\r\033[K", stderr);
}

static double share_of_core(const struct report *report, const struct usage *before,
                            const struct usage *after)
{
    return 100.0 * (double)(after->cpu_us - before->cpu_us) / (report->seconds * 1e6);
}

static double per_move(const struct report *report, double what)
{
    return report->stats->moves > 0 ? what / (double)report->stats->moves : 0;
}

static void print_latency(const char *name, const struct histogram *histogram)
{
    printf("%-12s %10llu %9.3f %9.3f %9.3f %9.3f %9.3f\n", name,
           (unsigned long long)histogram->count, (double)histogram_at(histogram, 500) / 1000.0,
           (double)histogram_at(histogram, 900) / 1000.0,
           (double)histogram_at(histogram, 990) / 1000.0,
           (double)histogram_at(histogram, 999) / 1000.0, (double)histogram->max_us / 1000.0);
}

static void print_usage(const struct report *report, const char *name, const struct usage *before,
                        const struct usage *after)
{
    printf("%-12s %9.1f %% of a core  %8.2f us per move  %8.1f MiB resident  %8.1f MiB peak\n",
           name, share_of_core(report, before, after),
           per_move(report, (double)(after->cpu_us - before->cpu_us)),
           (double)after->resident_kib / 1024.0, (double)after->peak_kib / 1024.0);
}

void report_table(const struct report *report)
{
    const struct stats *stats = report->stats;
    printf("%.1f s: %llu moves, %.0f per second; %llu games begun, %llu over\n", report->seconds,
           (unsigned long long)stats->moves, (double)stats->moves / report->seconds,
           (unsigned long long)stats->games_started, (unsigned long long)stats->games_over);
    printf("\n%-12s %10s %9s %9s %9s %9s %9s\n", "latency, ms", "count", "p50", "p90", "p99",
           "p99.9", "max");
    print_latency("acknowledged", &stats->acknowledged);
    print_latency("delivered", &stats->delivered);
    printf("\npush of a move: median %llu bytes, p99 %llu; received %.1f MB, sent %.1f MB\n",
           (unsigned long long)histogram_at(&stats->push_size, 500),
           (unsigned long long)histogram_at(&stats->push_size, 990), (double)stats->bytes / 1e6,
           (double)stats->sent_bytes / 1e6);
    if (stats->resumes > 0)
        printf("resumed %llu times, median %llu bytes, p99 %llu\n",
               (unsigned long long)stats->resumes,
               (unsigned long long)histogram_at(&stats->resume_size, 500),
               (unsigned long long)histogram_at(&stats->resume_size, 990));
    putchar('\n');
    if (report->has_server)
        print_usage(report, "server", &report->server_before, &report->server_after);
    print_usage(report, "driver", &report->driver_before, &report->driver_after);
    printf("\nchecked %llu pushes, %llu whole states; ",
           (unsigned long long)(stats->pushes - stats->pushes_in_place),
           (unsigned long long)stats->states_checked);
    if (stats->pushes_in_place > 0)
        printf("%llu pushes were not checked but for their order; ",
               (unsigned long long)stats->pushes_in_place);
    fputs("failures:", stdout);
    for (int i = 0; i < FAILURES; i++) {
        if (stats->failures[i] > 0)
            printf(" %s %llu", failure_name((enum failure)i),
                   (unsigned long long)stats->failures[i]);
    }
    puts(stats_failures(stats) == 0 ? " none" : "");
}

static json_t *latency_json(const struct histogram *histogram)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:f}", "count", (json_int_t)histogram->count, "p50",
        (json_int_t)histogram_at(histogram, 500), "p90", (json_int_t)histogram_at(histogram, 900),
        "p99", (json_int_t)histogram_at(histogram, 990), "p99.9",
        (json_int_t)histogram_at(histogram, 999), "max", (json_int_t)histogram->max_us, "mean",
        histogram->count > 0 ? (double)histogram->sum_us / (double)histogram->count : 0.0);
}

static json_t *usage_json(const struct report *report, const struct usage *before,
                          const struct usage *after)
{
    return json_pack("{s:I, s:f, s:f, s:I, s:I}", "cpu_us",
                     (json_int_t)(after->cpu_us - before->cpu_us), "core_percent",
                     share_of_core(report, before, after), "cpu_us_per_move",
                     per_move(report, (double)(after->cpu_us - before->cpu_us)), "resident_kib",
                     (json_int_t)after->resident_kib, "peak_kib", (json_int_t)after->peak_kib);
}

void report_json(const struct report *report)
{
    const struct stats *stats = report->stats;
    json_t *failures = json_object();
    for (int i = 0; i < FAILURES; i++)
        (void)json_object_set_new(failures, failure_name((enum failure)i),
                                  json_integer((json_int_t)stats->failures[i]));
    json_t *out = json_pack(
        "{s:f, s:I, s:f, s:I, s:I, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}",
        "seconds", report->seconds, "moves", (json_int_t)stats->moves, "moves_per_s",
        (double)stats->moves / report->seconds, "games_started", (json_int_t)stats->games_started,
        "games_over", (json_int_t)stats->games_over, "acknowledged_us",
        latency_json(&stats->acknowledged), "delivered_us", latency_json(&stats->delivered),
        "push_bytes", latency_json(&stats->push_size), "resume_bytes",
        latency_json(&stats->resume_size), "resumes", (json_int_t)stats->resumes, "received_bytes",
        (json_int_t)stats->bytes, "sent_bytes", (json_int_t)stats->sent_bytes, "pushes_checked",
        (json_int_t)(stats->pushes - stats->pushes_in_place), "pushes_in_place",
        (json_int_t)stats->pushes_in_place, "states_checked", (json_int_t)stats->states_checked,
        "failures", failures, "driver",
        usage_json(report, &report->driver_before, &report->driver_after));
    if (report->has_server)
        (void)json_object_set_new(
            out, "server", usage_json(report, &report->server_before, &report->server_after));
    (void)json_dumpf(out, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(out);
}

static unsigned missed(bool is_missed, const char *name, double is, double wanted)
{
    if (is_missed)
        fprintf(stderr, "taluva-load: %s is %.3f, wanted %.3f\n", name, is, wanted);
    return is_missed ? 1 : 0;
}

unsigned report_judge(const struct report *report)
{
    const struct options *options = report->options;
    const double p99_ms = (double)histogram_at(&report->stats->delivered, 990) / 1000.0;
    const double p999_ms = (double)histogram_at(&report->stats->delivered, 999) / 1000.0;
    const double rate = (double)report->stats->moves / report->seconds;
    unsigned count = stats_failures(report->stats) > 0 ? 1 : 0;
    count += missed(options->max_p99_ms > 0 && p99_ms > options->max_p99_ms, "p99, ms,", p99_ms,
                    options->max_p99_ms);
    count += missed(options->max_p999_ms > 0 && p999_ms > options->max_p999_ms, "p99.9, ms,",
                    p999_ms, options->max_p999_ms);
    count += missed(options->min_rate_per_s > 0 && rate < options->min_rate_per_s,
                    "moves per second", rate, options->min_rate_per_s);
    return count;
}
