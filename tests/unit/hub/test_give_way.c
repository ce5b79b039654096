/* A hint that waits loses its place to somebody from elsewhere (thinking/think_queue.h). */
#include "suites.h"
#include "world.h"
#include <cards.h>
#include <hub/think.h>
#include <string.h>

enum { WORKERS = 2, MEMORY = CARDS_THINKING_BYTES };

static struct world world;
static _Alignas(max_align_t) unsigned char memory[MEMORY];

static void setup(void)
{
    world_init(&world);
    world.config.think_asks = 3;
    world_start(&world);
    hub_think_workers(world.hub, WORKERS, MEMORY);
}

static void teardown(void)
{
    world_release(&world);
}

/* A match of cards, in which both may act, at another address. */
static void begin_cards(struct table *table, unsigned host)
{
    world.host = host;
    world_table(&world, table, 2, "{s:s,s:{s:i}}", "game", "cards", "options", "players", 2);
    world_begin(&world, table);
    world_forget(&world, table->tabs[0]);
    world_forget(&world, table->tabs[1]);
}

static int64_t ask(const struct table *table, int seat)
{
    const int64_t id = world_post(&world, table->tabs[seat], "hint", "{s:s}", "room", table->room);
    world_settle(&world);
    return id;
}

static void work(void)
{
    struct think_job *job = hub_think_take(world.hub);
    ck_assert_ptr_nonnull(job);
    hub_think_run(job, memory, MEMORY);
    hub_think_done(world.hub, job, 1, world.now_ms);
    world_settle(&world);
}

static void expect_hinted(int tab, unsigned expected)
{
    unsigned count = 0;
    for (json_t *push; (push = world_push(&world, tab, "event")); json_decref(push))
        count += strcmp(str(json_object_get(push, "event"), "kind"), "hinted") == 0;
    ck_assert_uint_eq(count, expected);
}

/* The latest of where most come from loses it, is told so, and asks again without a second hint. */
START_TEST(somebody_from_elsewhere_has_a_place)
{
    struct table tables[3] = {0};
    int64_t ids[3];
    for (unsigned at = 0; at < 3; at++)
        begin_cards(&tables[at], 77 + at);
    const int ana = tables[0].tabs[0], bo = tables[0].tabs[1];
    ids[0] = ask(&tables[0], 0);
    const int64_t late_id = ask(&tables[0], 1);
    ids[1] = ask(&tables[1], 0);
    ck_assert_ptr_null(world_reply(&world, bo, late_id));
    ids[2] = ask(&tables[2], 0);
    world_denied(&world, bo, late_id, "busy");
    for (int at = 0; at < 3; at++)
        work();
    for (int at = 0; at < 3; at++)
        world_granted(&world, tables[at].tabs[0], ids[at]);
    const int64_t again = ask(&tables[0], 1);
    work();
    world_granted(&world, bo, again);
    expect_hinted(ana, 2);
    ck_assert(world_figure(&world, "think_jobs_total{kind=\"hint\",outcome=\"refused\"}") == 1);
}
END_TEST

Suite *give_way_suite(void)
{
    Suite *suite = suite_create("hints that give way");
    TCase *tcase = tcase_create("hints that give way");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, somebody_from_elsewhere_has_a_place);
    suite_add_tcase(suite, tcase);
    return suite;
}
