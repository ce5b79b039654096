/*
 * The card of an invitation: what messengers are shown of a room by who has the code, and of one
 * that cannot be seen nothing; what people have written is text there, and the way leads to it.
 */
#include "connections/price.h"
#include "http/http_work.h"
#include "suites.h"
#include "world.h"
#include <hub/think.h>
#include <string.h>
#include <zlib.h>

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

/* ---- the picture */

enum { WIDTH = 800, HEIGHT = 420, LINE = 1 + 3 * WIDTH };

static _Alignas(max_align_t) unsigned char memory[64];
static uint8_t picture[HEIGHT][LINE];

static uint32_t number_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Into `picture`: three chunks, whose sums are right. */
static void read_picture(const struct hub_http_answer *answer)
{
    static const char *const chunks[] = {"IHDR", "IDAT", "IEND"};
    const uint8_t *at = answer->body + 8;
    uLongf size = sizeof picture;
    ck_assert_uint_gt(answer->len, 57);
    ck_assert_mem_eq(answer->body, "\x89PNG\r\n\x1a\n", 8);
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t len = number_at(at);
        ck_assert_mem_eq(at + 4, chunks[i], 4);
        ck_assert_uint_le((size_t)(at - answer->body) + 12 + len, answer->len);
        ck_assert_uint_eq(number_at(at + 8 + len), crc32(0, at + 4, len + 4));
        if (i == 0)
            ck_assert(number_at(at + 8) == WIDTH && number_at(at + 12) == HEIGHT);
        if (i == 1)
            ck_assert_int_eq(uncompress(picture[0], &size, at + 8, len), Z_OK);
        at += 12 + len;
    }
    ck_assert_uint_eq((size_t)(at - answer->body), answer->len);
    ck_assert_uint_eq(size, sizeof picture);
}

static uint32_t pixel(unsigned x, unsigned y)
{
    const uint8_t *at = &picture[y][1 + 3 * x];
    return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

static bool get_from(unsigned host, const char *path, struct hub_http_answer *answer,
                     uint64_t *ticket)
{
    const uint8_t address[16] = {
        [10] = 0xff, [11] = 0xff, [12] = 10, [14] = (uint8_t)(host >> 8), [15] = (uint8_t)host};
    return hub_http_get(world.hub, path, address, world.now_ms, answer, ticket);
}

static bool ask_from(unsigned host, const char *with, struct hub_http_answer *answer,
                     uint64_t *ticket)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/api/pictures/%s%s%s", room, with[0] ? "/" : "", with);
    return get_from(host, path, answer, ticket);
}

static bool ask_picture(const char *with, struct hub_http_answer *answer, uint64_t *ticket)
{
    return ask_from(7, with, answer, ticket);
}

static void no_picture(const char *with, int status)
{
    struct hub_http_answer answer;
    uint64_t ticket;
    ck_assert(ask_picture(with, &answer, &ticket));
    ck_assert_int_eq(answer.status, status);
    hub_http_release(&answer);
}

/* A worker draws it; or it has been kept. */
static void get_picture(const char *with, bool drawn)
{
    struct hub_http_answer answer;
    uint64_t ticket, done;
    ck_assert_int_eq(ask_picture(with, &answer, &ticket), !drawn);
    struct think_job *job = hub_think_take(world.hub);
    ck_assert_int_eq(job != NULL, drawn);
    if (job) {
        ck_assert(!hub_http_next(world.hub, &done, &answer));
        hub_think_run(job, memory, sizeof memory);
        hub_think_done(world.hub, job, 1, world.now_ms);
        ck_assert(hub_http_next(world.hub, &done, &answer));
        ck_assert_uint_eq(done, ticket);
    }
    ck_assert_int_eq(answer.status, 200);
    ck_assert_str_eq(answer.type, "image/png");
    read_picture(&answer);
    hub_http_release(&answer);
}

static void begin_match(struct table *table, const char *access)
{
    world_table(&world, table, 2, "{s:s}", "access", access);
    world_begin(&world, table);
    world_settle(&world);
    hub_think_workers(world.hub, 1, sizeof memory);
    (void)snprintf(room, sizeof room, "%s", table->room);
    (void)snprintf(code, sizeof code, "%s", table->code);
}

static unsigned land(void)
{
    unsigned count = 0;
    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < WIDTH; x++)
            count += pixel(x, y) == 0x8fd0d6 ? 0 : 1;
    }
    return count;
}

START_TEST(the_island_is_drawn_as_it_is)
{
    struct table table = {0};
    begin_match(&table, "open");
    get_picture("", true);
    ck_assert_uint_eq(pixel(0, 0), 0x8fd0d6);
    ck_assert_uint_eq(land(), 0);
    for (int move = 0; move < 12; move++)
        ck_assert_int_ge(world_move(&world, &table), 0);
    get_picture("", true);
    ck_assert_uint_eq(pixel(0, 0), 0x8fd0d6);
    ck_assert_uint_gt(land(), 10000);
    get_room("");
    has("og:image\" content=\"https://play.example/api/pictures/");
    has("og:image:width\" content=\"800\"");
    ck_assert_int_eq(hub_think_take(world.hub) != NULL, 0);
}
END_TEST

START_TEST(a_picture_is_kept_until_something_happens)
{
    struct table table = {0};
    begin_match(&table, "open");
    get_picture("", true);
    get_picture("", false);
    ck_assert_int_ge(world_move(&world, &table), 0);
    get_picture("", true);
    get_picture("", false);
    for (unsigned other = 0; other < 8; other++) {
        struct table others = {0};
        begin_match(&others, "open");
        get_picture("", true);
    }
    (void)snprintf(room, sizeof room, "%s", table.room);
    get_picture("", true); /* so many others came since */
}
END_TEST

/* So none shows an event that is taken back, nor is kept beside another one with its number. */
START_TEST(no_picture_of_what_the_store_has_not_kept)
{
    struct table table = {0};
    begin_match(&table, "open");
    get_picture("", true);
    world.held = true;
    (void)world_post(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_settle(&world);
    no_picture("", 404);
    world_commit(&world, STORE_FAILED);
    get_picture("", false);
}
END_TEST

START_TEST(no_picture_without_the_code)
{
    struct table table = {0};
    begin_match(&table, "code");
    no_picture("", 404);
    no_picture("0123456789abcdef", 404);
    get_picture(code, true);
    no_picture("", 404); /* though it is kept */
    get_room("");
    has("https://play.example/card.png");
    get_room(code);
    has(code);
    has("/api/pictures/");
}
END_TEST

START_TEST(no_picture_of_what_is_not_drawn)
{
    struct table table = {0};
    make("Ana", "open", "a lobby");
    no_picture("", 404);
    world_table(&world, &table, 2, "{s:s,s:{s:i}}", "game", "totem", "options", "players", 2);
    world_begin(&world, &table);
    world_settle(&world);
    (void)snprintf(room, sizeof room, "%s", table.room);
    no_picture("", 404);
    get_room("");
    has("https://play.example/card.png");
    (void)snprintf(room, sizeof room, "../..");
    no_picture("", 404);
}
END_TEST

/* Nobody draws, or whoever asked is gone: then the next one is answered at once. */
START_TEST(who_asks_for_a_picture_may_go)
{
    struct table table = {0};
    struct hub_http_answer answer;
    uint64_t ticket;
    begin_match(&table, "open");
    hub_think_workers(world.hub, 0, 0);
    no_picture("", 503);
    hub_think_workers(world.hub, 1, sizeof memory);
    ck_assert(!ask_picture("", &answer, &ticket));
    struct think_job *job = hub_think_take(world.hub);
    ck_assert_ptr_nonnull(job);
    hub_http_cancel(world.hub, ticket);
    hub_think_run(job, memory, sizeof memory);
    hub_think_done(world.hub, job, 1, world.now_ms);
    ck_assert(!hub_http_next(world.hub, &ticket, &answer));
    get_picture("", false);
    ck_assert_int_ge(world_move(&world, &table), 0);
    ck_assert(!ask_picture("", &answer, &ticket));
    job = hub_think_take(world.hub);
    ck_assert_ptr_nonnull(job);
    hub_think_done(world.hub, job, 1, world.now_ms); /* the worker had no memory */
    ck_assert(hub_http_next(world.hub, &ticket, &answer));
    ck_assert_int_eq(answer.status, 503);
    hub_http_release(&answer);
    ck_assert(!ask_picture("", &answer, &ticket)); /* and one is still waited for at the end */
}
END_TEST

static void draw(bool draws)
{
    struct think_job *job = hub_think_take(world.hub);
    ck_assert_int_eq(job != NULL, draws);
    if (!job)
        return;
    hub_think_run(job, memory, sizeof memory);
    hub_think_done(world.hub, job, 1, world.now_ms);
}

static void has_come(uint64_t ticket)
{
    struct hub_http_answer answer;
    uint64_t done;
    ck_assert(hub_http_next(world.hub, &done, &answer));
    ck_assert_uint_eq(done, ticket);
    ck_assert_int_eq(answer.status, 200);
    read_picture(&answer);
    hub_http_release(&answer);
}

START_TEST(one_picture_for_all_who_wait_for_it)
{
    struct table table = {0};
    struct hub_http_answer answer;
    uint64_t first, gone, second, later;
    begin_match(&table, "open");
    ck_assert(!ask_from(7, "", &answer, &first));
    ck_assert(!ask_from(8, "", &answer, &gone));
    ck_assert(!ask_from(8, "", &answer, &second));
    hub_http_cancel(world.hub, gone);
    ck_assert_int_ge(world_move(&world, &table), 0);
    ck_assert(!ask_from(8, "", &answer, &later)); /* of another position */
    draw(true);
    has_come(first);
    has_come(second);
    ck_assert(!hub_http_next(world.hub, &first, &answer));
    draw(true);
    has_come(later);
    draw(false);
}
END_TEST

/* Whoever asks for many rooms at once; whether they wait for it or not. */
START_TEST(some_pictures_of_one_address)
{
    struct table table = {0};
    struct hub_http_answer answer;
    uint64_t ticket, other;
    for (unsigned at = 0; at < HTTP_WORKS_PER_ADDRESS; at++) {
        begin_match(&table, "open");
        ck_assert(!ask_picture("", &answer, &ticket));
        hub_http_cancel(world.hub, ticket);
    }
    ck_assert(!ask_picture("", &answer, &ticket)); /* which is made already */
    begin_match(&table, "open");
    no_picture("", 503);
    ck_assert(!ask_from(8, "", &answer, &other));
    draw(true);
    ck_assert_int_ge(world_move(&world, &table), 0);
    ck_assert(!ask_picture("", &answer, &ticket));
}
END_TEST

/* As many wait as may: somebody from elsewhere has a place, which the latest of where most wait
 * from has had. */
START_TEST(a_picture_gives_way)
{
    struct table table = {0};
    struct hub_http_answer answer;
    uint64_t tickets[4], done;
    static const uint8_t hosts[4] = {7, 7, 8, 9};
    world_release(&world);
    world_init(&world);
    world.config.think_asks = 3;
    world_start(&world);
    for (int at = 0; at < 4; at++) {
        begin_match(&table, "open");
        ck_assert(!hub_http_next(world.hub, &done, &answer));
        ck_assert(!ask_from(hosts[at], "", &answer, &tickets[at]));
    }
    ck_assert(hub_http_next(world.hub, &done, &answer));
    ck_assert_uint_eq(done, tickets[1]);
    ck_assert_int_eq(answer.status, 503);
    hub_http_release(&answer);
    for (int at = 0; at < 4; at++) {
        if (at == 1)
            continue;
        draw(true);
        has_come(tickets[at]);
    }
    draw(false);
}
END_TEST

static const char nowhere[] = "/api/pictures/0000000a";

/* For what there is not: the status. */
static int ask_nothing(unsigned host)
{
    struct hub_http_answer answer;
    uint64_t ticket;
    ck_assert(get_from(host, nowhere, &answer, &ticket));
    const int status = answer.status;
    hub_http_release(&answer);
    ck_assert(status == 404 || status == 429);
    return status;
}

static unsigned asks_until_refused(unsigned host)
{
    unsigned count = 0;
    while (ask_nothing(host) == 404)
        count++;
    return count;
}

/* Places for addresses are short: who gives way was forgotten, and is known again in the place of
 * the newcomer; who pays for their picture all the same, in that of a third one. */
START_TEST(who_is_forgotten_meanwhile_pays)
{
    enum { HERE = 256, THERE = 512, ELSEWHERE = 768, ALONE = 1024, CROWD = 7 };
    struct table table = {0};
    uint64_t ticket;
    struct hub_http_answer answer;
    static const unsigned hosts[3] = {THERE + 7, THERE + 7, THERE + 8};
    world_release(&world);
    world_init(&world);
    world.config.think_asks = 3;
    world.config.addresses = 2 * CROWD + 2; /* with that of the tables */
    world.config.requests_per_address_burst = PRICE_PAGE_TOKENS + 20;
    world.config.requests_per_address_per_s = PRICE_PAGE_TOKENS + 20;
    world_start(&world);
    for (int at = 0; at < 4; at++) {
        begin_match(&table, "open");
        if (at < 3)
            ck_assert(!ask_from(hosts[at], "", &answer, &ticket));
        world_pass(&world, 2000); /* what they have paid is theirs again */
    }
    for (unsigned at = 0; at < CROWD; at++) { /* the first one is who goes first */
        (void)ask_nothing(HERE + at);
        (void)ask_nothing(ELSEWHERE + at);
    }
    (void)ask_nothing(ALONE);
    ck_assert(!ask_from(HERE, "", &answer, &ticket));
    ck_assert_uint_le(asks_until_refused(HERE), 20);
}
END_TEST

/* However often it is the same one: others have to be served as well. */
START_TEST(some_requests_of_one_address_wait)
{
    struct table table = {0};
    struct hub_http_answer answer;
    uint64_t ticket;
    begin_match(&table, "open");
    for (unsigned at = 0; at < HTTP_WORK_WAITS_PER_ADDRESS; at++)
        ck_assert(!ask_from(7, "", &answer, &ticket));
    ck_assert(ask_from(7, "", &answer, &ticket));
    ck_assert_int_eq(answer.status, 503);
    hub_http_release(&answer);
    ck_assert(!ask_from(8, "", &answer, &ticket));
}
END_TEST

START_TEST(a_picture_has_its_price)
{
    struct table table = {0};
    world_release(&world);
    world_init(&world);
    world.config.requests_per_address_burst = 2 * PRICE_PAGE_TOKENS;
    world.config.requests_per_address_per_s = 1;
    world_start(&world);
    begin_match(&table, "open");
    get_picture("", true);
    get_picture("", false); /* it was made already */
    ck_assert_int_ge(world_move(&world, &table), 0);
    get_picture("", true);
    no_picture("", 429);
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
    tcase_add_test(tests, the_island_is_drawn_as_it_is);
    tcase_add_test(tests, a_picture_is_kept_until_something_happens);
    tcase_add_test(tests, no_picture_of_what_the_store_has_not_kept);
    tcase_add_test(tests, no_picture_without_the_code);
    tcase_add_test(tests, no_picture_of_what_is_not_drawn);
    tcase_add_test(tests, who_asks_for_a_picture_may_go);
    tcase_add_test(tests, one_picture_for_all_who_wait_for_it);
    tcase_add_test(tests, some_pictures_of_one_address);
    tcase_add_test(tests, a_picture_gives_way);
    tcase_add_test(tests, who_is_forgotten_meanwhile_pays);
    tcase_add_test(tests, some_requests_of_one_address_wait);
    tcase_add_test(tests, a_picture_has_its_price);
    suite_add_tcase(suite, tests);
    return suite;
}
