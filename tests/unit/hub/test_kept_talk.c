/* What is kept of talk for reports: nobody talks away what others have said. */
#include "operator.h"
#include "suites.h"
#include "world.h"
#include <registry/registry.h>
#include <stdio.h>
#include <string.h>

static struct world world;
static int ana, bo;
static char room[CODE_SPACE];

static int called(const char *name, const char *handle)
{
    const int tab = world_guest(&world, name);
    world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

/* Another table, of this one. */
static void open_table(int tab)
{
    json_t *ok = world_ok(&world, tab, "create", "{s:{s:i}}", "options", "players", 2);
    (void)snprintf(room, sizeof room, "%s", str(ok, "room"));
    json_decref(ok);
    world_do(&world, tab, "join", "{s:s,s:i}", "room", room, "seat", 0);
}

/* Ana and Bo are at a table, and nobody's rates are in the way. */
static void begin(int64_t talk_bytes)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.env.features = registry;
    world.config.talk_bytes = talk_bytes;
    world.config.says_burst = world.config.says_per_address_burst = 1000;
    world.config.watchers_say_burst = 1000;
    operator_init(&world);
    world_start(&world);
    ck_assert(operator_holds(""));
    ana = called("Ana", "ana");
    bo = called("Bo", "Bo-1");
    open_table(ana);
    world_do(&world, bo, "join", "{s:s,s:i}", "room", room, "seat", 1);
}

static void say(int tab, const char *text)
{
    world_do(&world, tab, "say", "{s:s,s:s}", "room", room, "text", text);
}

static void report(int seat)
{
    world_do(&world, ana, "report", "{s:s,s:i,s:s}", "room", room, "seat", seat, "why", "talk");
}

static void say_much(int tab, unsigned lines)
{
    char line[281];
    for (unsigned at = 0; at < lines; at++) {
        (void)snprintf(line, sizeof line, "%u %0250d", at, 0);
        say(tab, line);
    }
}

/* The lines in the last report of so many; `first`, if there is one, is the oldest. */
static size_t lines_reported(int id, const char *first)
{
    char ask[64];
    (void)snprintf(ask, sizeof ask, "{\"id\":1,\"op\":\"report\",\"report\":%d}", id);
    json_t *ok = operator_granted(ask);
    const json_t *talk = json_object_get(json_array_get(json_object_get(ok, "reports"), 0), "talk");
    const size_t count = json_array_size(talk);
    if (first)
        ck_assert_str_eq(str(json_array_get(talk, 0), "text"), first);
    json_decref(ok);
    return count;
}

/* Somebody at another address says much at tables of their own: their own lines go. */
START_TEST(talk_elsewhere_is_no_harm)
{
    enum { TABLES = 4, LINES = 20 };
    char here[sizeof room], first[sizeof room];
    begin(LINES * 400);
    say(bo, "you cheat");
    memcpy(here, room, sizeof here);
    world.host = 77;
    for (int at = 0; at < TABLES; at++) {
        const int tab = called("Flo", (const char *[]){"flo-1", "flo-2", "flo-3", "flo-4"}[at]);
        open_table(tab);
        say_much(tab, LINES);
        if (at == 0)
            memcpy(first, room, sizeof first);
    }
    memcpy(room, here, sizeof room);
    report(1);
    ck_assert_uint_eq(lines_reported(1, "you cheat"), 1);
    memcpy(room, first, sizeof room);
    world_do(&world, ana, "watch", "{s:s}", "room", room);
    report(0);
    ck_assert_uint_eq(lines_reported(2, NULL), 0); /* there is no more memory than there may be */
    world_release(&world);
}
END_TEST

/* Nor at the same table: who looks on talks away what they have said themselves. */
START_TEST(talk_of_who_looks_on_is_no_harm)
{
    begin(1 << 20);
    say(bo, "you cheat");
    world.host = 77;
    const int flo = called("Flo", "flo-1");
    world_do(&world, flo, "watch", "{s:s}", "room", room);
    for (int at = 0; at < 40; at++)
        say(flo, "la");
    say(ana, "stop it");
    report(1);
    ck_assert_uint_eq(lines_reported(1, "you cheat"), 24);
    world_release(&world);
}
END_TEST

Suite *kept_talk_suite(void)
{
    Suite *suite = suite_create("talk that is kept");
    TCase *tcase = tcase_create("talk that is kept");
    tcase_add_test(tcase, talk_elsewhere_is_no_harm);
    tcase_add_test(tcase, talk_of_who_looks_on_is_no_harm);
    suite_add_tcase(suite, tcase);
    return suite;
}
