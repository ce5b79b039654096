#include "match_stage.h"

#include "command_line.h"
#include <check.h>
#include <load_taluva/game.h>
#include <load_totem/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct match_stage stage;
static struct options options;

static void on_playing(struct load_match *match)
{
    ck_assert_ptr_eq(match, &stage.match);
    stage.playing++;
}

static void on_over(struct load_match *match)
{
    ck_assert_ptr_eq(match, &stage.match);
    stage.over++;
}

static uint64_t now_us(void)
{
    return stage.now_us;
}

static void on_report(const struct load_match *match, enum failure failure, const char *what)
{
    ck_assert_ptr_eq(match, &stage.match);
    if (stage.reports++ > 0)
        return;
    stage.failure = failure;
    (void)snprintf(stage.what, sizeof stage.what, "%s", what);
}

void match_stage_setup(void)
{
    memset(&stage, 0, sizeof stage);
    hub_wire_setup();
}

void match_stage_teardown(void)
{
    load_match_release(&stage.match);
    hub_wire_teardown();
}

static void read_words(const char *words)
{
    static const struct load_game *const games[] = {&load_taluva, &load_totem, NULL};
    static char text[256];
    char *argv[16], *rest;
    int argc = 0;
    (void)snprintf(text, sizeof text, "taluva-load %s", words);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    ck_assert_int_eq(options_read(&options, games, argc, argv), OPTIONS_RUN);
}

void match_stage_begin(const char *words)
{
    match_stage_begin_as(words, 7, 1);
}

void match_stage_begin_as(const char *words, unsigned number, uint64_t seed)
{
    read_words(words);
    stage.plan = (struct match_plan){
        .game = options.game,
        .game_options = options.game_options,
        .watchers = options.watchers,
        .check_every = options.check_every,
        .sample = options_sample(&options),
        .open_loop = options.rate_per_s > 0,
        .slow_watchers = options.slow_watchers,
        .games = options.games,
        .playing = on_playing,
        .over = on_over,
        .now_us = now_us,
        .report = on_report,
    };
    ck_assert(load_match_init(&stage.match, &stage.plan, &stage.route, &stage.stats, &stage, number,
                              seed));
    load_match_connect(&stage.match);
}

void match_stage_play(void)
{
    hub_wire_run();
    ck_assert_msg(stage.reports == 0, "%s", stage.what);
    ck_assert_uint_eq(stats_failures(&stage.stats), 0);
}

bool match_stage_is(const json_t *message, const char *kind)
{
    const char *is = json_string_value(json_object_get(json_object_get(message, "event"), "kind"));
    return is && strcmp(is, kind) == 0;
}

char *match_stage_falsify(const char *text, const char *const *path, const char *value)
{
    json_t *message = json_loads(text, 0, NULL), *parent = message;
    for (; path[1]; path++)
        parent = json_object_get(parent, path[0]);
    ck_assert_ptr_nonnull(parent);
    if (value)
        json_object_set_new(parent, path[0], json_loads(value, JSON_DECODE_ANY, NULL));
    else
        json_object_del(parent, path[0]);
    char *other = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    return other;
}

void match_stage_wait_for_playing(void)
{
    while (stage.playing == 0)
        ck_assert(hub_wire_step());
    hub_wire_run();
}
