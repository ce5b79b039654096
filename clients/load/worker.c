/*
 * One worker: its share of the matches and idle connections, on one loop. See workers.h for what it
 * writes and reads.
 */
#include "worker.h"

#include "match.h"
#include "pace.h"
#include "stats.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wire/clean.h>

enum { PROGRESS_MS = 250, COMPLAINTS_MAX = 10 };
enum { ANSWER_S = 100 }; /* a busy server is slow: that is measured, and no error */

struct work {
    const struct options *options;
    uv_loop_t loop;
    struct line_route *routes; /* one per source address */
    unsigned n_routes;
    uv_timer_t ramp_timer, progress_timer, storm_timer;
    uv_poll_t parent_poll;
    int from_parent, to_parent;

    struct match_plan plan;
    struct load_match *matches;
    unsigned n_matches, n_connected, n_playing, n_over;
    struct player *idle;
    unsigned n_idle, n_idle_connected, n_idle_in;

    struct stats stats;
    struct histogram recent; /* delivery as of the last progress */
    unsigned complaints;
    bool stopping;

    /* open loop */
    struct pace pace;
    bool pacing;
    unsigned pace_next;
};

static uint64_t now_us(void)
{
    return uv_hrtime() / 1000;
}

/* The callbacks of a match plan carry no context of their own but the match's owner. */
static struct work *work_of(const struct load_match *match)
{
    return match->owner;
}

static void complain_of(struct work *work, unsigned match, const char *failure, const char *what)
{
    if (work->complaints < COMPLAINTS_MAX && !work->stopping) {
        work->complaints++;
        char line[512]; /* `what` may be in the words of the server */
        snprintf(line, sizeof line, "taluva-load: match %u: %s: %s", match, failure, what);
        wire_clean_line(line);
        fprintf(stderr, "%s\n", line);
    }
}

static void on_failure(const struct load_match *match, enum failure failure, const char *what)
{
    complain_of(work_of(match), match->number, failure_name(failure), what);
}

static bool all_playing(const struct work *work)
{
    return work->n_playing == work->n_matches && work->n_idle_in == work->n_idle;
}

static void on_due(void *ctx, uint64_t due_us);

static void on_playing(struct load_match *match)
{
    struct work *work = work_of(match);
    work->n_playing += match->games_played == 0;
    if (work->plan.open_loop && !work->pacing && work->n_playing == work->n_matches) {
        work->pacing = true;
        if (pace_start(&work->pace, &work->loop,
                       work->options->rate_per_s / work->options->processes, on_due, work) < 0) {
            fputs("taluva-load: no timer\n", stderr);
            _exit(71);
        }
    }
}

static void on_over(struct load_match *match)
{
    work_of(match)->n_over++;
}

/* ---- idle connections */

static void idle_greeted(struct player *player)
{
    struct work *work = player->match;
    work->n_idle_in++;
}

static void idle_failed(struct player *player, enum failure failure, const char *what)
{
    struct work *work = player->match;
    work->stats.failures[failure]++;
    complain_of(work, (unsigned)(player - work->idle), failure_name(failure), what);
}

static void idle_entered(struct player *player, json_t *state)
{
    (void)player;
    (void)state;
}

static void idle_created(struct player *player, const char *room)
{
    (void)player;
    (void)room;
}

static bool idle_same(const struct player *player, const char *bytes, size_t len)
{
    (void)player;
    (void)bytes;
    (void)len;
    return false;
}

static void idle_pushed(struct player *player, json_t *push, const char *bytes, size_t len)
{
    (void)player;
    (void)push;
    (void)bytes;
    (void)len;
}

static void idle_followed(struct player *player, const struct message_event *event, size_t len)
{
    (void)player;
    (void)event;
    (void)len;
}

static void idle_answered(struct player *player, int64_t id, int64_t seq)
{
    (void)player;
    (void)id;
    (void)seq;
}

static const struct player_room idle_room = {
    .greeted = idle_greeted,
    .entered = idle_entered,
    .created = idle_created,
    .same = idle_same,
    .pushed = idle_pushed,
    .followed = idle_followed,
    .answered = idle_answered,
    .failed = idle_failed,
};

/* ---- timers */

static void on_ramp(uv_timer_t *timer)
{
    struct work *work = timer->data;
    unsigned budget = work->options->ramp_per_s / 100 + 1; /* the timer ticks every 10 ms */
    while (budget > 0 && work->n_connected < work->n_matches) {
        struct load_match *match = &work->matches[work->n_connected++];
        const unsigned clients = match->n_clients;
        load_match_connect(match);
        budget -= budget < clients ? budget : clients;
    }
    while (budget > 0 && work->n_idle_connected < work->n_idle) {
        player_connect(&work->idle[work->n_idle_connected++]);
        budget--;
    }
    if (work->n_connected == work->n_matches && work->n_idle_connected == work->n_idle)
        uv_timer_stop(timer);
}

/* Hands a move that has fallen due to the next match in turn that is being played. */
static void on_due(void *ctx, uint64_t due_us)
{
    struct work *work = ctx;
    assert(work->n_matches > 0);
    for (unsigned tries = 0; !work->matches[work->pace_next].playing && tries < work->n_matches;
         tries++)
        work->pace_next = (work->pace_next + 1) % work->n_matches;
    load_match_due(&work->matches[work->pace_next], due_us);
    work->pace_next = (work->pace_next + 1) % work->n_matches;
}

static void on_storm(uv_timer_t *timer)
{
    struct work *work = timer->data;
    static struct rng rng = {7};
    for (unsigned i = 0; i < work->n_matches; i++) {
        const unsigned away = work->options->storm_away;
        for (unsigned c = away > 0 ? work->matches[i].seats : 0;
             work->matches[i].playing && c < work->matches[i].n_clients; c++) {
            if (rng_below(&rng, 100) < work->options->storm_percent)
                load_match_cut(&work->matches[i], c, away);
        }
    }
}

static void write_parent(struct work *work, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len > 0) {
        const ssize_t wrote = write(work->to_parent, at, len);
        if (wrote <= 0) {
            _exit(70); /* without a parent there is nobody to work for */
        }
        at += wrote;
        len -= (size_t)wrote;
    }
}

static void on_progress(uv_timer_t *timer)
{
    struct work *work = timer->data;
    const struct worker_progress progress = {
        .moves = work->stats.moves,
        .games_over = work->stats.games_over,
        .failures = stats_failures(&work->stats),
        .connections = work->stats.connects,
        .p99_us = histogram_at(&work->stats.delivered, 990),
        .playing = all_playing(work),
        .done = work->options->games != 0 && work->n_over == work->n_matches,
        .hopeless = work->stats.connects == 0 && work->stats.failures[FAILURE_CONNECT] > 0,
    };
    write_parent(work, &progress, sizeof progress);
}

/* ---- the parent */

/* What went wrong on the way up counts all the same. */
static void count_from_now(struct work *work)
{
    uint64_t failures[FAILURES];
    memcpy(failures, work->stats.failures, sizeof failures);
    memset(&work->stats, 0, sizeof work->stats);
    memcpy(work->stats.failures, failures, sizeof failures);
}

static void stop_work(struct work *work)
{
    const struct worker_progress last = {.connections = WORKERS_STATS_FOLLOW};
    work->stopping = true;
    (void)uv_poll_stop(&work->parent_poll); /* a busy loop would come back here before it ends */
    write_parent(work, &last, sizeof last);
    write_parent(work, &work->stats, sizeof work->stats);
    uv_stop(&work->loop);
}

static void on_parent(uv_poll_t *poll, int status, int events)
{
    struct work *work = poll->data;
    char word = 's';
    (void)events;
    if (status < 0 || read(work->from_parent, &word, 1) <= 0 || word == 's')
        stop_work(work);
    else
        count_from_now(work);
}

/* ---- setting up */

/* The worker's part of `total` things. */
static unsigned share_of(unsigned total, unsigned worker, unsigned workers)
{
    return total / workers + (worker < total % workers ? 1 : 0);
}

static bool open_routes(struct work *work)
{
    const unsigned n = work->options->sources > 0 ? work->options->sources : 1;
    work->routes = calloc(n, sizeof *work->routes);
    for (; work->routes && work->n_routes < n; work->n_routes++) {
        char source[WIRE_SOURCE_TEXT];
        (void)snprintf(source, sizeof source, "127.0.0.%u", work->n_routes + 1);
        if (!line_route_init(&work->routes[work->n_routes], &work->loop, &work->options->server,
                             work->options->sources > 0 ? source : NULL, ANSWER_S))
            return false;
    }
    return work->routes != NULL;
}

static bool make_matches(struct work *work, unsigned worker)
{
    const struct options *options = work->options;
    work->n_matches = share_of(options->rooms, worker, options->processes);
    work->n_idle = share_of(options->idle, worker, options->processes);
    work->matches = calloc(work->n_matches + 1, sizeof *work->matches);
    work->idle = calloc(work->n_idle + 1, sizeof *work->idle);
    if (!work->matches || !work->idle)
        return false;
    for (unsigned i = 0; i < work->n_matches; i++) {
        const unsigned number = i * options->processes + worker;
        if (!load_match_init(&work->matches[i], &work->plan, &work->routes[i % work->n_routes],
                             &work->stats, work, number, (uint64_t)options->seed))
            return false;
    }
    for (unsigned i = 0; i < work->n_idle; i++)
        player_init(&work->idle[i], &idle_room, work, &work->routes[i % work->n_routes],
                    &work->stats, PLAYER_WATCHES, "load idle", 1);
    return true;
}

static void make_plan(struct work *work)
{
    const struct options *options = work->options;
    work->plan = (struct match_plan){
        .game = options->game,
        .game_options = options->game_options,
        .watchers = options->watchers,
        .check_every = options->check_every,
        .sample = options_sample(options),
        .open_loop = options->rate_per_s > 0,
        .slow_watchers = options->slow_watchers,
        .games = options->games,
        .playing = on_playing,
        .over = on_over,
        .now_us = now_us,
        .report = on_failure,
    };
}

static void start_timer(struct work *work, uv_timer_t *timer, uv_timer_cb callback, uint64_t every)
{
    (void)uv_timer_init(&work->loop, timer);
    timer->data = work;
    (void)uv_timer_start(timer, callback, every, every);
}

static void start_timers(struct work *work)
{
    start_timer(work, &work->ramp_timer, on_ramp, 10);
    start_timer(work, &work->progress_timer, on_progress, PROGRESS_MS);
    if (work->options->storm_every_s > 0)
        start_timer(work, &work->storm_timer, on_storm, work->options->storm_every_s * 1000ULL);
    (void)uv_poll_init(&work->loop, &work->parent_poll, work->from_parent);
    work->parent_poll.data = work;
    (void)uv_poll_start(&work->parent_poll, UV_READABLE, on_parent);
}

int work(const struct options *options, unsigned worker, int from_parent, int to_parent)
{
    struct work *work = calloc(1, sizeof *work);
    if (!work || uv_loop_init(&work->loop) != 0)
        return 71;
    work->options = options;
    work->from_parent = from_parent;
    work->to_parent = to_parent;
    make_plan(work);
    if (!open_routes(work) || !make_matches(work, worker)) {
        fputs("taluva-load: out of memory\n", stderr);
        return 71;
    }
    start_timers(work);
    (void)uv_run(&work->loop, UV_RUN_DEFAULT);
    return 0; /* the process ends here and takes its connections with it */
}
