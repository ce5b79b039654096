/* Talk in the lobby: what is asked at the same moment as something that it depends on, what else it
 * counts for, and what is kept of a line that is gone. */
#include "chat/lines.h"
#include "chat/listeners.h"
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <registry/registry.h>
#include <string.h>

static struct world world;
static int ana, bo;

static int called(const char *name, const char *handle)
{
    world.host++; /* each from an address of their own */
    const int tab = world_guest(&world, name);
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void configure(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.chat = HUB_CHAT_EVERYBODY;
    world.env.features = registry;
    world.config.chat_age_ms = 0;
    world.config.requests_burst = 10000;
    operator_init(&world);
}

static void begin(void)
{
    world_start(&world);
    ck_assert(operator_holds(""));
    ana = called("Ana", "ana");
    bo = called("Bo", "Bo-1");
}

static void set_up(void)
{
    configure();
    begin();
}

static void tear_down(void)
{
    world_release(&world);
}

static int64_t say(int tab, const char *text)
{
    json_t *ok = world_ok(&world, tab, "chat_say", "{s:s}", "text", text);
    const int64_t n = num(ok, "line");
    json_decref(ok);
    return n;
}

static int64_t drop_later(int tab, int64_t n)
{
    return world_post(&world, tab, "chat_drop", "{s:I}", "line", (json_int_t)n);
}

/* ---- at the same moment */

/* Who waits for the next line is told at once that there is one less. */
START_TEST(test_somebody_is_erased_meanwhile)
{
    tear_down();
    configure();
    world.config.closing_ms = 60000;
    begin();
    const int64_t n = say(ana, "mine");
    world_do(&world, ana, "close_account", "{s:s}", "handle", "ana");
    world_cut(&world, ana);
    world_pass(&world, world.config.closing_ms - 1000);
    bo = world_back(&world, bo);
    const int64_t id = world_post(&world, bo, "chat", "{s:I}", "have", (json_int_t)n);
    world_pass(&world, CHAT_HOLD_MS - 1000);
    json_t *reply = world_reply(&world, bo, id);
    const json_t *gone = json_object_get(json_object_get(reply, "ok"), "gone");
    ck_assert_int_eq(json_integer_value(json_array_get(gone, 0)), n);
    json_decref(reply);
}
END_TEST

START_TEST(test_two_moderators_at_once)
{
    json_decref(operator_granted("{\"id\":1,\"op\":\"moderator\",\"handle\":\"ana\"}"));
    json_decref(operator_granted("{\"id\":1,\"op\":\"moderator\",\"handle\":\"Bo-1\"}"));
    const int chi = called("Chi", "chi");
    const int64_t n = say(chi, "hm");
    const int64_t first = drop_later(ana, n), second = drop_later(bo, n);
    world_settle(&world);
    world_granted(&world, ana, first);
    world_denied(&world, bo, second, "unknown_line");
}
END_TEST

/* Whoever waits there may ask again, in place of the question before. */
START_TEST(test_one_more_of_a_full_address)
{
    int tabs[LISTENERS_PER_SHARE];
    json_t *ok = world_ok(&world, bo, "chat", "");
    const json_int_t have = num(ok, "have");
    json_decref(ok);
    for (int at = 0; at < LISTENERS_PER_SHARE; at++) {
        tabs[at] = world_connect_from(&world, 99);
        world_do(&world, tabs[at], "hello", "");
        (void)world_post(&world, tabs[at], "chat", "{s:I}", "have", have);
        world_settle(&world);
    }
    const int64_t again = world_post(&world, tabs[0], "chat", "{s:I}", "have", have);
    world_settle(&world);
    json_t *reply = world_reply(&world, tabs[0], again);
    ck_assert_ptr_null(reply);
}
END_TEST

/* ---- what it counts for */

/* As much as somebody may say at tables they may say at all. */
START_TEST(test_it_counts_as_said)
{
    tear_down();
    configure();
    world.config.says_burst = 2;
    world.config.says_per_min = 1;
    begin();
    (void)say(ana, "one");
    (void)say(ana, "two");
    world_refused(&world, ana, "slow_down", "chat_say", "{s:s}", "text", "three");
    (void)say(bo, "four");
}
END_TEST

/* ---- what is kept of one that is gone */

START_TEST(test_a_copy_is_without_it)
{
    const int64_t id = drop_later(ana, say(ana, "oh"));
    world_settle(&world);
    world_granted(&world, ana, id);
    json_t *ok = world_ok(&world, ana, "kept_at_desk", "");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "chat")), 0);
    json_decref(ok);
}
END_TEST

enum { SOURCE = 77, SESSION = 5, KEEP_MS = 60000, AT_MS = 1000 };

static void add_line(struct chat_lines *lines)
{
    struct chat_line *line = chat_lines_add(lines, PROTOCOL_LANG_EN, AT_MS);
    line->session = SESSION;
    line->source = SOURCE;
    (void)snprintf(line->text, sizeof line->text, "hi");
}

static bool is_anybodys(const struct chat_lines *lines)
{
    const struct chat_line *line = chat_lines_at(lines, 0);
    return line->gone && !line->text[0] && line->session == 0 && line->source == 0;
}

/* Of one that its writer takes away it is known whose it was, as it counts; of others nothing. */
START_TEST(test_who_has_said_it)
{
    struct chat_lines lines = {0};
    add_line(&lines);
    chat_lines_take_away(&lines, chat_lines_at(&lines, 0), AT_MS);
    ck_assert_uint_eq(chat_lines_at(&lines, 0)->session, SESSION);
    ck_assert_uint_eq(chat_lines_at(&lines, 0)->source, SOURCE);
    chat_lines_erase(&lines, SESSION, AT_MS);
    ck_assert(is_anybodys(&lines));
    chat_lines_release(&lines);
    add_line(&lines);
    ck_assert(!chat_lines_let_go(&lines, KEEP_MS, AT_MS + KEEP_MS - 1));
    ck_assert(chat_lines_let_go(&lines, KEEP_MS, AT_MS + KEEP_MS));
    ck_assert(is_anybodys(&lines));
    ck_assert_int_eq(chat_lines_due_ms(&lines, KEEP_MS), INT64_MAX);
    chat_lines_release(&lines);
}
END_TEST

/* Numbers go on where the time is, also behind many in one millisecond. */
START_TEST(test_numbers_go_with_the_time)
{
    struct chat_lines lines = {0};
    int64_t last = 0;
    for (int at = 0; at < 5; at++) {
        const int64_t n = chat_lines_add(&lines, PROTOCOL_LANG_EN, AT_MS)->n;
        ck_assert_int_gt(n, last);
        last = n;
    }
    ck_assert_int_eq(chat_lines_add(&lines, PROTOCOL_LANG_EN, AT_MS + 500)->n, AT_MS + 500);
    ck_assert_int_gt(chat_lines_add(&lines, PROTOCOL_LANG_EN, AT_MS)->n, AT_MS + 500);
    chat_lines_release(&lines);
}
END_TEST

Suite *chat_edges_suite(void)
{
    Suite *suite = suite_create("chat_edges");
    TCase *tests = tcase_create("the lobby at its edges");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_somebody_is_erased_meanwhile);
    tcase_add_test(tests, test_two_moderators_at_once);
    tcase_add_test(tests, test_one_more_of_a_full_address);
    tcase_add_test(tests, test_it_counts_as_said);
    tcase_add_test(tests, test_a_copy_is_without_it);
    suite_add_tcase(suite, tests);
    TCase *lines = tcase_create("lines that are gone");
    tcase_add_test(lines, test_who_has_said_it);
    tcase_add_test(lines, test_numbers_go_with_the_time);
    suite_add_tcase(suite, lines);
    return suite;
}
