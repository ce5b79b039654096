/*
 * The card of an invitation: what messengers are shown of a room by who has the code, and of one
 * that cannot be seen nothing; what people have written is text there, and the way leads to it.
 */
#include "suites.h"
#include "world.h"
#include <string.h>

static const char *const origins[] = {"https://play.example", NULL};
static const struct hub_passkeys page = {"play.example", origins};
static struct world world;
static char body[16384];
static char room[32], code[32];

static void set_up(void)
{
    world_init(&world);
    world.env.passkeys = &page;
    world_start(&world);
}

static void tear_down(void)
{
    world_release(&world);
}

/* Its status; 200: `body` is what has come. */
static int get(const char *path)
{
    static const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 7};
    struct hub_http_answer answer;
    uint64_t ticket;
    ck_assert(hub_http_get(world.hub, path, address, world.now_ms, &answer, &ticket));
    const int status = answer.status;
    (void)snprintf(body, sizeof body, "%.*s", (int)answer.len, (const char *)answer.body);
    if (status == 200)
        ck_assert_str_eq(answer.type, "text/html; charset=utf-8");
    hub_http_release(&answer);
    return status;
}

static void get_room(const char *with)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/r/%s%s%s", room, with[0] ? "/" : "", with);
    ck_assert_int_eq(get(path), 200);
}

static void has(const char *text)
{
    ck_assert_msg(strstr(body, text), "%s\nis not in\n%s", text, body);
}

static void has_not(const char *text)
{
    ck_assert_msg(!strstr(body, text), "%s\nis in\n%s", text, body);
}

/* Somebody sits at a table of their own. */
static int make(const char *name, const char *access, const char *title)
{
    const int tab = world_guest(&world, name);
    json_t *ok = world_ok(&world, tab, "create", "{s:s,s:s,s:{s:i}}", "access", access, "title",
                          title, "options", "players", 3);
    json_t *given = json_object_get(ok, "code");
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    (void)snprintf(code, sizeof code, "%s", given ? json_string_value(given) : "");
    json_decref(ok);
    json_t *join = json_pack("{s:s,s:i}", "room", room, "seat", 0);
    if (code[0])
        json_object_set_new(join, "code", json_string(code));
    world_do(&world, tab, "join", "O", join);
    json_decref(join);
    world_settle(&world);
    return tab;
}

START_TEST(who_invites_and_to_what)
{
    char way[96];
    make("Ana", "code", "Friday evening");
    get_room(code);
    has("<meta property=\"og:title\" content=\"Ana invites you to Taluva\">");
    has("<meta property=\"og:description\" content=\"Friday evening: Ana, 1 of 3 seats taken\">");
    has("<meta property=\"og:image\" content=\"https://play.example/card.png\">");
    (void)snprintf(way, sizeof way, "0; url=../../#/r/%s/%s\"", room, code);
    has(way);
    has("<meta name=\"referrer\" content=\"no-referrer\">");
    has("<meta name=\"robots\" content=\"noindex, nofollow\">");
}
END_TEST

START_TEST(nothing_of_a_room_without_its_code)
{
    make("Ana", "code", "Friday evening");
    get_room("");
    has("og:title\" content=\"Taluva\"");
    has_not("Ana");
    has_not("Friday");
    get_room("0123456789abcdef");
    has_not("Ana");
    (void)snprintf(room, sizeof room, "0123abcd"); /* the same as of one that there is not */
    get_room("");
    has("og:title\" content=\"Taluva\"");
}
END_TEST

START_TEST(an_open_room_needs_none)
{
    make("Ana", "open", "x");
    get_room("");
    has("Ana invites you to Taluva");
    has("content=\"x: Ana, 1 of 3 seats taken\"");
    has("0; url=../#/r/");
}
END_TEST

START_TEST(what_people_write_is_text)
{
    make("<b>&\"'Ana", "open", "\"><script>");
    get_room("");
    has("&lt;b&gt;&amp;&quot;&#39;Ana invites you");
    has("&quot;&gt;&lt;script&gt;: ");
    has_not("<script");
    has_not("<b>");
}
END_TEST

START_TEST(no_such_address)
{
    static const char *const none[] = {"/r/",
                                       "/r/abc",
                                       "/r/abcdefgh/",
                                       "/r/ABCDEFGH",
                                       "/r/abcdefgh9",
                                       "/r/abc\"efgh",
                                       "/r/abcdefgh/0123456789abcdeF",
                                       "/r/abcdefgh/0123456789abcdef0"};
    for (size_t at = 0; at < sizeof none / sizeof *none; at++)
        ck_assert_int_eq(get(none[at]), 404);
}
END_TEST

START_TEST(who_begun_invites_nobody)
{
    struct table table = {0};
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_settle(&world);
    (void)snprintf(room, sizeof room, "%s", table.room);
    get_room("");
    has("og:title\" content=\"A match of Taluva\"");
    has("2 of 2 seats taken");
}
END_TEST

Suite *card_suite(void)
{
    Suite *suite = suite_create("card");
    TCase *tests = tcase_create("card");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, who_invites_and_to_what);
    tcase_add_test(tests, nothing_of_a_room_without_its_code);
    tcase_add_test(tests, an_open_room_needs_none);
    tcase_add_test(tests, what_people_write_is_text);
    tcase_add_test(tests, no_such_address);
    tcase_add_test(tests, who_begun_invites_nobody);
    suite_add_tcase(suite, tests);
    return suite;
}
