/*
 * The page of what is kept of people: it says what the configuration has, in each language, and
 * what a server does not have it does not speak of.
 */
#include "../../support/failing_alloc.h"
#include "suites.h"
#include "world.h"
#include <string.h>

static const char *const languages[] = {"en", "fr", "zh"};
enum { LANGUAGES = sizeof languages / sizeof *languages };

static struct world world;
static char body[65536];

static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OFF;
    world_start(&world);
}

static void tear_down(void)
{
    world_release(&world);
}

static int get(const char *path)
{
    static const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 7};
    struct hub_http_answer answer;
    uint64_t ticket;
    world_pass(&world, 1000);
    ck_assert(hub_http_get(world.hub, path, address, world.now_ms, &answer, &ticket));
    const int status = answer.status;
    (void)snprintf(body, sizeof body, "%.*s", (int)answer.len, (const char *)answer.body);
    if (status == 200)
        ck_assert_str_eq(answer.type, "text/html; charset=utf-8");
    hub_http_release(&answer);
    return status;
}

static void get_in(const char *language)
{
    char path[32];
    (void)snprintf(path, sizeof path, "/privacy/%s", language);
    ck_assert_int_eq(get(path), 200);
    ck_assert(!strchr(body, '{') && !strchr(body, '}'));
    ck_assert(strstr(body, "</html>\n"));
}

static void has(const char *text)
{
    ck_assert_msg(strstr(body, text), "%s is not there", text);
}

static void has_not(const char *text)
{
    ck_assert_msg(!strstr(body, text), "%s is there", text);
}

START_TEST(it_says_what_is_configured)
{
    get_in("en");
    has("Kept for 7 days after your last visit if you have never had a seat, else 60 days.");
    has("is kept without an end; one in which fewer than two people have acted for 90 days.");
    has("at most 100000 are kept");
    has_not("oldest go first");
    has("the last 50, as long");
    world.config.visitor_idle_days = 1;
    world.config.session_idle_days = 31;
    world.config.keep_days = 365;
    world.config.keep_solo_days = 0;
    world.config.keep_matches = 5000;
    world.config.keep_solo_matches = 0;
    world.config.games_per_session = 12;
    world.config.link_ms = 60001;
    world_start(&world);
    get_in("en");
    has("Kept for 1 day after your last visit if you have never had a seat, else 31 days.");
    has("is kept for 365 days; one in which fewer than two people have acted without an end too.");
    has("At most 5000 are kept, the oldest go first.");
    has_not("Of those with fewer than two people");
    has("the last 12, as long");
    has("is good for 2 minutes"); /* and no sooner gone than that */
}
END_TEST

START_TEST(each_language_says_it)
{
    static const char *const days[] = {"17 days after that", "17 jours après", "其后 17 天"};
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world_start(&world);
    get_in(languages[_i]);
    has_not(days[_i]);
    world.config.report_keep_days = 17;
    world_start(&world);
    get_in(languages[_i]);
    has(days[_i]);
}
END_TEST

/* Whatever the memory for it does not suffice for, there is an answer. */
START_TEST(it_is_answered_without_memory)
{
    static const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 7};
    struct hub_http_answer answer;
    uint64_t ticket;
    bool failed = true;
    for (uint64_t nth = 1; failed; nth++) {
        memset(&answer, 0xff, sizeof answer);
        world_pass(&world, 1000);
        failing_alloc_arm(nth, false);
        failing_alloc_enter();
        ck_assert(hub_http_get(world.hub, "/privacy/en", address, world.now_ms, &answer, &ticket));
        failing_alloc_leave();
        failing_alloc_disarm(&failed);
        ck_assert_int_eq(answer.status, failed ? 503 : 200);
        hub_http_release(&answer);
    }
}
END_TEST

/* Of what there is not nothing is said, whatever the language. */
START_TEST(it_says_nothing_of_what_there_is_not)
{
    static const struct hub_push push = {.key = "key"};
    static const char *const accounts[] = {"data-tables=\"account ", "data-tables=\"report ",
                                           "data-tables=\"rating ", "taluva export"};
    get_in(languages[_i]);
    for (size_t at = 0; at < sizeof accounts / sizeof *accounts; at++)
        has_not(accounts[at]);
    has_not("data-tables=\"push\"");
    has("data-tables=\"session pass\"");
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.push = &push;
    world_start(&world);
    get_in(languages[_i]);
    for (size_t at = 0; at < sizeof accounts / sizeof *accounts; at++)
        has(accounts[at]);
    has("data-tables=\"push\"");
}
END_TEST

START_TEST(invitations_and_talk)
{
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world_start(&world);
    get_in("en");
    has("The last lines of each table are in memory");
    has_not("An invitation of the operator");
    world.env.accounts = HUB_ACCOUNTS_INVITE;
    world.config.talk_bytes = 0;
    world_start(&world);
    get_in("en");
    has_not("The last lines of each table are in memory");
    has("An invitation of the operator's is good for 14 days.");
    has_not("data-tables=\"external\"");
    world.env.accounts = HUB_ACCOUNTS_EXTERNAL;
    world_start(&world);
    get_in("en");
    has("data-tables=\"external\"");
}
END_TEST

START_TEST(the_ways_to_it)
{
    static const char *const none[] = {"/privacy/", "/privacy/de", "/privacy/en/", "/privacy/EN"};
    ck_assert_int_eq(get("/privacy"), 200);
    has("href=\"privacy/en\"");
    has("href=\"privacy/fr\"");
    has("href=\"privacy/zh\"");
    for (size_t at = 0; at < sizeof none / sizeof *none; at++)
        ck_assert_msg(get(none[at]) == 404, "%s", none[at]);
}
END_TEST

Suite *privacy_suite(void)
{
    Suite *suite = suite_create("privacy");
    TCase *tests = tcase_create("privacy");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, it_says_what_is_configured);
    tcase_add_test(tests, it_is_answered_without_memory);
    tcase_add_loop_test(tests, each_language_says_it, 0, LANGUAGES);
    tcase_add_loop_test(tests, it_says_nothing_of_what_there_is_not, 0, LANGUAGES);
    tcase_add_test(tests, invitations_and_talk);
    tcase_add_test(tests, the_ways_to_it);
    suite_add_tcase(suite, tests);
    return suite;
}
