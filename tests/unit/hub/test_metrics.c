/* Each value of /metrics changes by exactly as much as it should. */
#include "suites.h"
#include "world.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct world world;
static struct table table;

static void setup(void)
{
    world_init(&world);
    world.config.connections_per_address = 4;
    world_start(&world);
    world_table(&world, &table, 2, "");
}

static void teardown(void)
{
    world_release(&world);
}

static double figure(const char *line)
{
    return world_figure(&world, line);
}

/* ---- actions */

static const char ping[] = "{\"id\":1,\"op\":\"ping\"}";

static void send_ping(void)
{
    world_send(&world, table.tabs[0], ping);
    world_settle(&world);
}

static void send_garbage(void)
{
    world_send(&world, table.tabs[0], "?");
    world_settle(&world);
}

static void send_no_utf8(void)
{
    world_send(&world, table.tabs[0], "\xff");
    world_settle(&world);
}

static void send_too_much(void)
{
    char text[5000];
    memset(text, ' ', sizeof text);
    text[sizeof text - 1] = '\0';
    world_send(&world, table.tabs[0], text);
    world_settle(&world);
}

static void flood(void)
{
    for (int i = 0; i < 1000 && world.tabs[table.tabs[0]].link.open; i++)
        send_ping();
}

static void leave_unread(void)
{
    world.tabs[table.tabs[0]].deaf = true;
    send_ping();
}

static void never_read(void)
{
    world.tabs[table.tabs[0]].deaf = true;
    while (world.tabs[table.tabs[0]].link.open) {
        send_ping();
        world.now_ms += 100;
    }
}

static void say_nothing(void)
{
    world_connect(&world);
    world_pass(&world, 10000);
}

static void be_idle(void)
{
    world_guest(&world, "Zoe");
    world_pass(&world, 1801000);
}

static void be_cut(void)
{
    world_cut(&world, table.tabs[0]);
}

static void come(void)
{
    world_connect(&world);
}

static void come_from_elsewhere(void)
{
    world_connect_from(&world, 9);
}

static void come_too_many(void)
{
    while (world_connect(&world) >= 0)
        ;
}

static void be_a_guest(void)
{
    world_guest(&world, "Zoe");
}

static void create(void)
{
    world_do(&world, table.tabs[0], "create", "");
}

static void leave(void)
{
    world_do(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
}

static void get_ready(void)
{
    world_do(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
}

static void begin(void)
{
    world_begin(&world, &table);
}

static void move(void)
{
    begin();
    ck_assert_int_ge(world_move(&world, &table), 0);
}

static void move_wrongly(void)
{
    begin();
    for (int i = 0; i < 2; i++) {
        world_post(&world, table.tabs[i], "move", "{s:s,s:s}", "room", table.room, "move",
                   "nonsense");
        world_settle(&world);
        world_forget(&world, table.tabs[i]);
    }
}

static void resign(void)
{
    begin();
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
}

static void play_again(void)
{
    resign();
    world_do(&world, table.tabs[0], "rematch", "{s:s}", "room", table.room);
    world_do(&world, table.tabs[1], "rematch", "{s:s}", "room", table.room);
}

static void watch(void)
{
    int tab = world_guest(&world, "Zoe");
    world_do(&world, tab, "watch", "{s:s}", "room", table.room);
}

static void look_again(void)
{
    int tab = world_guest(&world, "Zoe");
    world_do(&world, tab, "watch", "{s:s,s:i}", "room", table.room, "have", 1);
}

static void look_back(void)
{
    begin();
    while (world_move(&world, &table) >= 0)
        world_pass(&world, 100);
    world_pass(&world, 10000);
    world_do(&world, table.tabs[0], "past", "{s:s,s:i}", "room", table.room, "have", 0);
}

static void drain(void)
{
    hub_drain(world.hub, world.now_ms);
}

static void fail_to_store(void)
{
    world.answer = STORE_FAILED;
    world_post(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
}

static void recover(void)
{
    fail_to_store();
    world.answer = STORE_OK;
    world_pass(&world, 10000);
}

/* ---- the values that they change */

enum { ANY = 1000000 }; /* more than before, whatever its size */

static const struct {
    const char *line;
    void (*act)(void);
    double more;
} figures[] = {
    {"sessions", be_a_guest, 1},
    {"sessions", come, 0},
    {"connections", come, 1},
    {"connections", be_cut, -1},
    {"addresses", come_from_elsewhere, 1},
    {"addresses", come, 0},
    {"outbox_bytes", leave_unread, ANY},
    {"outbox_bytes", send_ping, 0},
    {"history_bytes", look_back, ANY},
    {"draining", drain, 1},
    {"rooms{phase=\"lobby\"}", create, 1},
    {"rooms{phase=\"playing\"}", begin, 1},
    {"rooms{phase=\"over\"}", resign, 1},
    {"requests_total{op=\"ping\",result=\"ok\"}", send_ping, 1},
    {"requests_total{op=\"unknown\",result=\"bad_json\"}", send_garbage, 1},
    {"requests_total{op=\"create\",result=\"ok\"}", create, 1},
    {"requests_total{op=\"move\",result=\"ok\"}", move, 1},
    {"requests_total{op=\"move\",result=\"not_your_turn\"}", move_wrongly, 1},
    {"requests_total{op=\"ready\",result=\"store_failing\"}", fail_to_store, 1},
    {"closes_total{code=\"1007\"}", send_no_utf8, 1},
    {"closes_total{code=\"1009\"}", send_too_much, 1},
    {"closes_total{code=\"4001\"}", say_nothing, 1},
    {"closes_total{code=\"4002\"}", never_read, 1},
    {"closes_total{code=\"4003\"}", flood, 1},
    {"closes_total{code=\"4004\"}", be_idle, 1},
    {"closes_total{code=\"4004\"}", be_cut, 0},
    {"connections_refused_total", come_too_many, 1},
    {"connections_refused_total", come, 0},
    {"events_total{kind=\"created\"}", create, 1},
    {"events_total{kind=\"stood\"}", leave, 1},
    {"events_total{kind=\"readied\"}", get_ready, 1},
    {"events_total{kind=\"started\"}", begin, 1},
    {"events_total{kind=\"move\"}", move, 1},
    {"events_total{kind=\"resigned\"}", resign, 1},
    {"events_total{kind=\"rematched\"}", play_again, 1},
    {"events_total{kind=\"created\"}", play_again, 1},
    {"events_total{kind=\"sat\"}", play_again, 2},
    {"store_failing", fail_to_store, 1},
    {"store_failing", recover, 0},
    {"commit_failures_total", fail_to_store, 1},
    {"commit_failures_total", get_ready, 0},
    {"commit_seconds_count", get_ready, 1},
    {"commit_seconds_sum", get_ready, 0.0015},
    {"commit_seconds_count", send_ping, 0},
    {"batch_ops_count", get_ready, 1},
    {"batch_ops_sum", get_ready, 1},
    {"batch_ops_bucket{le=\"1\"}", get_ready, 1},
    {"received_total", send_ping, 1},
    {"received_bytes_total", send_ping, sizeof ping - 1},
    {"sent_total", send_ping, 1},
    {"sent_bytes_total", send_ping, sizeof "{\"id\":1,\"ok\":{\"time\":1790000000000}}" - 1},
    {"sent_total", leave_unread, 0},
    {"snapshots_total", watch, 1},
    {"snapshots_total", look_again, 0},
    {"resumes_total", look_again, 1},
    {"resumes_total", watch, 0},
};

START_TEST(test_figure)
{
    const char *line = figures[_i].line;
    double before = figure(line);
    figures[_i].act();
    double more = figure(line) - before;
    for (int tab = 0; tab < WORLD_TABS; tab++)
        world_forget(&world, tab);
    if (figures[_i].more == (double)ANY)
        ck_assert_msg(more > 0, "%s: nothing more", line);
    else
        ck_assert_msg(more > figures[_i].more - 1e-9 && more < figures[_i].more + 1e-9,
                      "%s: %g more, not %g", line, more, figures[_i].more);
}
END_TEST

/* Each value is below the lines that say what it is: # HELP, # TYPE. */
START_TEST(test_each_figure_is_explained)
{
    static const char type[] = "# TYPE ";
    struct hub_http_answer answer;
    uint64_t ticket;
    ck_assert(hub_get_from(1, world.hub, "/metrics", world.now_ms, &answer, &ticket));
    char *page = strndup((const char *)answer.body, answer.len), *rest = NULL;
    const char *name = "nothing";
    size_t len = strlen(name), figures_seen = 0;
    for (char *line = strtok_r(page, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, type, sizeof type - 1) == 0) {
            name = line + sizeof type - 1;
            len = strcspn(name, " ");
        } else if (line[0] != '#') {
            ck_assert_msg(strncmp(line, name, len) == 0 && strchr("{ _", line[len]), "%s", line);
            figures_seen++;
        }
    }
    ck_assert_uint_gt(figures_seen, sizeof figures / sizeof figures[0]);
    free(page);
    hub_http_release(&answer);
}
END_TEST

Suite *metrics_suite(void)
{
    Suite *suite = suite_create("metrics");
    TCase *tests = tcase_create("metrics");
    tcase_add_checked_fixture(tests, setup, teardown);
    TCase *near = near_case(suite, setup, teardown);
    tcase_add_loop_test(near, test_figure, 0, sizeof figures / sizeof figures[0]);
    tcase_add_test(tests, test_each_figure_is_explained);
    suite_add_tcase(suite, tests);
    return suite;
}
