/* The archive: finished matches that anybody may look up, by a page of HTTP; and what of a match
 * goes into it. */
#include "profiles/archive.h"
#include "profiles/profile.h"
#include "profiles/tally.h"
#include "suites.h"
#include "tables/archive_table.h"
#include "world.h"
#include <inttypes.h>
#include <string.h>

static struct world world;
static int ana, bo, eve;

static int person(const char *handle)
{
    const int tab = world_guest(&world, "Somebody");
    if (handle)
        world_do(&world, tab, "claim", "{s:s}", "handle", handle);
    return tab;
}

static void set_up(void)
{
    world_init(&world);
    world.env.accounts = HUB_ACCOUNTS_OPEN;
    world.config.claims_per_address_per_day = 100;
    world_start(&world);
    ana = person("Ana-1");
    bo = person("bo-1");
    eve = person(NULL);
}

static void tear_down(void)
{
    world_release(&world);
}

/* ---- matches */

/* The last of them resigns at once. */
static void play(const int *tabs, int players, const char *access)
{
    struct table table = {.players = players};
    memcpy(table.tabs, tabs, (size_t)players * sizeof *tabs);
    json_t *ok = world_ok(&world, tabs[0], "create", "{s:s,s:{s:i}}", "access", access, "options",
                          "players", players);
    (void)snprintf(table.room, sizeof table.room, "%s", str(ok, "room"));
    (void)snprintf(table.code, sizeof table.code, "%s", str(ok, "code"));
    json_decref(ok);
    for (int at = 0; at < players; at++) {
        json_t *join = json_pack("{s:s,s:i}", "room", table.room, "seat", at);
        if (table.code[0])
            json_object_set_new(join, "code", json_string(table.code));
        world_do(&world, tabs[at], "join", "O", join);
        json_decref(join);
    }
    world_begin(&world, &table);
    for (int at = players - 1; at > 0; at--)
        world_do(&world, tabs[at], "resign", "{s:s}", "room", table.room);
    world_settle(&world);
}

static void play_two(const char *access)
{
    play((int[]){ana, bo}, 2, access);
}

/* Alone with a computer of the first level, against whom she gives up. */
static void play_alone(int tab)
{
    json_t *ok = world_ok(&world, tab, "create", "{s:{s:i}}", "options", "players", 2);
    const char *room = str(ok, "room");
    world_do(&world, tab, "join", "{s:s,s:i}", "room", room, "seat", 0);
    world_do(&world, tab, "bot", "{s:s,s:i,s:i}", "room", room, "seat", 1, "level", 1);
    world_do(&world, tab, "ready", "{s:s,s:b}", "room", room, "ready", 1);
    world_do(&world, tab, "start", "{s:s}", "room", room);
    world_do(&world, tab, "resign", "{s:s}", "room", room);
    json_decref(ok);
}

/* Rows as a server has them after years. */
static void put_rows(int matches, int seats, uint8_t size, int64_t at_ms)
{
    for (int match = 0; match < matches; match++) {
        struct archive_row row = {.game = "taluva",
                                  .why = "exhausted",
                                  .against = TALLY_PEOPLE,
                                  .size = size,
                                  .at_ms = at_ms + match,
                                  .options = ""};
        (void)snprintf(row.room, sizeof row.room, "2v%06u", (unsigned)match % 1000000U);
        for (int seat = 0; seat < seats; seat++) {
            row.session = 1000 + (uint64_t)seat;
            row.seat = (uint8_t)seat;
            (void)snprintf(row.handle, sizeof row.handle, "handle-%d", seat % 10);
            model_put_row(&world.store, &(struct store_row){.table = &archive_table, .row = &row});
        }
    }
}

/* ---- the page */

static int get_from(uint8_t host, const char *path, json_t **body)
{
    const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = host};
    char whole[256];
    struct hub_http_answer answer;
    uint64_t ticket, done = 0;
    (void)snprintf(whole, sizeof whole, "/api/archive/%s", path);
    if (!hub_http_get(world.hub, whole, address, world.now_ms, &answer, &ticket)) {
        world_settle(&world);
        while (hub_http_next(world.hub, &done, &answer) && done != ticket)
            hub_http_release(&answer);
        ck_assert_uint_eq(done, ticket);
    }
    const int status = answer.status;
    *body = json_loadb((const char *)answer.body, answer.len, 0, NULL);
    hub_http_release(&answer);
    return status;
}

static int get(const char *path, json_t **body)
{
    return get_from(7, path, body);
}

static json_t *found(const char *path)
{
    json_t *body;
    ck_assert_msg(get(path, &body) == 200, "%s", path);
    ck_assert(json_is_array(json_object_get(body, "matches")));
    return body;
}

static size_t count(const char *path)
{
    json_t *body = found(path);
    const size_t matches = json_array_size(json_object_get(body, "matches"));
    ck_assert_ptr_null(json_object_get(body, "after"));
    json_decref(body);
    return matches;
}

static const json_t *match_at(const json_t *body, size_t at)
{
    return json_array_get(json_object_get(body, "matches"), at);
}

START_TEST(a_match_of_two)
{
    play_two("open");
    json_t *body = found("game/taluva");
    ck_assert_uint_eq(json_array_size(json_object_get(body, "matches")), 1);
    ck_assert_ptr_null(json_object_get(body, "after"));
    const json_t *match = match_at(body, 0), *seats = json_object_get(match, "seats");
    ck_assert_uint_eq(strlen(str(match, "room")), 8);
    ck_assert_str_eq(str(match, "game"), "taluva");
    ck_assert_int_eq(num(match, "at"), world.now_ms);
    ck_assert_str_eq(str(match, "why"), "last-standing");
    ck_assert_str_eq(str(match, "against"), "people");
    ck_assert_int_eq(num(match, "size"), 2);
    ck_assert_ptr_null(json_object_get(match, "level"));
    ck_assert_uint_eq(strlen(str(match, "rules")), 16);
    ck_assert_int_eq(num(json_object_get(match, "options"), "players"), 2);
    ck_assert_uint_eq(json_array_size(seats), 2);
    for (size_t at = 0; at < 2; at++) {
        const json_t *seat = json_array_get(seats, at);
        const bool is_ana = num(seat, "seat") == 0;
        ck_assert_str_eq(str(seat, "handle"), is_ana ? "Ana-1" : "bo-1");
        ck_assert(json_is_true(json_object_get(seat, "won")) == is_ana);
        ck_assert(json_is_true(json_object_get(seat, "left")) == !is_ana);
    }
    json_decref(body);
}
END_TEST

START_TEST(what_is_not_there)
{
    play_two("code");
    play((int[]){eve, person(NULL)}, 2, "open"); /* nobody with a handle */
    ck_assert_uint_eq(count("game/taluva"), 0);
    ck_assert_uint_eq(count("handle/ana-1"), 0);
    play((int[]){eve, bo}, 2, "open");
    json_t *body = found("game/taluva");
    ck_assert_uint_eq(json_array_size(json_object_get(match_at(body, 0), "seats")), 1);
    json_decref(body);
}
END_TEST

START_TEST(by_what_is_asked_for)
{
    static const struct {
        const char *path;
        size_t count;
    } cases[] = {
        {"game/taluva", 3},
        {"game/totem", 0},
        {"game/taluva/size/2", 2},
        {"size/3/game/taluva", 1},
        {"game/taluva/against/computers", 1},
        {"game/taluva/against/people", 2},
        {"game/taluva/level/beginner", 1},
        {"game/taluva/level/strong", 0},
        {"game/taluva/why/last-standing", 3},
        {"game/taluva/why/two-kinds", 0},
        {"game/taluva/why/last-standing/size/3", 1},
        {"handle/Ana-1", 3},
        {"handle/aNa_I/against/computers", 1},
        {"handle/bo-1", 2},
        {"handle/bo-1/game/totem", 0},
        {"handle/bo-1/size/3", 1},
    };
    play_two("open");
    play((int[]){ana, bo, eve}, 3, "open");
    play_alone(ana);
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        ck_assert_msg(count(cases[at].path) == cases[at].count, "%s", cases[at].path);
        world_pass(&world, 1000); /* each is paid */
    }
}
END_TEST

/* The same options are of the same number, also in another server: it stands in rows. */
START_TEST(by_the_rules_of_a_match)
{
    char path[64];
    play_two("open");
    play((int[]){ana, bo, eve}, 3, "open");
    play_two("open");
    json_t *body = found("game/taluva/size/2");
    (void)snprintf(path, sizeof path, "game/taluva/rules/%s", str(match_at(body, 0), "rules"));
    json_decref(body);
    ck_assert_uint_eq(count(path), 2);
    ck_assert(archive_rules("{\"players\":2}") == UINT64_C(0x40bac0d6f0c30e3f));
    ck_assert_uint_eq(archive_rules(""), 0);
}
END_TEST

START_TEST(by_the_time_of_its_end)
{
    char path[96];
    int64_t at_ms[3];
    for (int match = 0; match < 3; match++) {
        world_pass(&world, 60000);
        play_two("open");
        at_ms[match] = world.now_ms;
    }
    (void)snprintf(path, sizeof path, "game/taluva/since/%" PRId64, at_ms[1]);
    ck_assert_uint_eq(count(path), 2);
    (void)snprintf(path, sizeof path, "handle/bo-1/until/%" PRId64, at_ms[1]);
    ck_assert_uint_eq(count(path), 1);
    (void)snprintf(path, sizeof path, "game/taluva/since/%" PRId64 "/until/%" PRId64, at_ms[1],
                   at_ms[2]);
    json_t *body = found(path);
    ck_assert_uint_eq(json_array_size(json_object_get(body, "matches")), 1);
    ck_assert_int_eq(num(match_at(body, 0), "at"), at_ms[1]);
    json_decref(body);
}
END_TEST

START_TEST(no_such_search)
{
    static const char *const none[] = {"",
                                       "game",
                                       "game/",
                                       "size/2",
                                       "game/Taluva",
                                       "game/taluva/game/taluva",
                                       "game/taluva/colour/red",
                                       "game/taluva/size/0",
                                       "game/taluva/size/17",
                                       "game/taluva/size/x",
                                       "game/taluva/size/-2",
                                       "game/taluva/against/everybody",
                                       "game/taluva/rules/12",
                                       "game/taluva/rules/0000000000000000",
                                       "game/taluva/since/99999999999999999999",
                                       "game/taluva/after/1",
                                       "game/taluva/after/1.2",
                                       "game/taluva/after/x.2v5n8b1c",
                                       "game/taluva/until/5/after/1.2v5n8b1c",
                                       "game/taluva/after/1.2v5n8b1c/until/5",
                                       "game/taluva//size/2",
                                       "handle/a",
                                       "handle/nobody-1",
                                       "handle/ana%2d1"};
    json_t *body;
    for (size_t at = 0; at < sizeof none / sizeof *none; at++) {
        ck_assert_msg(get(none[at], &body) == 404, "%s", none[at]);
        ck_assert_ptr_null(body);
    }
}
END_TEST

static void show(int tab, bool hidden)
{
    world_do(&world, tab, "profile_show", "{s:b}", "hidden", hidden);
}

/* Neither by their handle nor by anything else; the others of the match are. */
START_TEST(who_shows_nothing)
{
    play_two("open");
    show(ana, true);
    json_t *body = found("handle/ana-1");
    ck_assert(json_is_true(json_object_get(body, "hidden")));
    ck_assert_uint_eq(json_array_size(json_object_get(body, "matches")), 0);
    json_decref(body);
    ck_assert_uint_eq(count("handle/bo-1"), 1);
    body = found("game/taluva");
    const json_t *seats = json_object_get(match_at(body, 0), "seats");
    ck_assert_uint_eq(json_array_size(seats), 1);
    ck_assert_str_eq(str(json_array_get(seats, 0), "handle"), "bo-1");
    json_decref(body);
    show(ana, false);
    body = found("game/taluva/why/last-standing");
    seats = json_object_get(match_at(body, 0), "seats");
    ck_assert_uint_eq(json_array_size(seats), 2);
    json_decref(body);
}
END_TEST

START_TEST(a_match_of_which_nobody_shows_anything)
{
    play_two("open");
    play((int[]){eve, bo}, 2, "open");
    show(bo, true);
    ck_assert_uint_eq(count("game/taluva"), 1);
    show(ana, true);
    ck_assert_uint_eq(count("game/taluva"), 0);
    ck_assert_uint_eq(count("game/taluva/size/2"), 0);
    ck_assert_uint_eq(count("game/taluva/why/last-standing"), 0);
}
END_TEST

START_TEST(a_handle_of_before)
{
    play_two("open");
    world_do(&world, ana, "claim", "{s:s}", "handle", "Hanna");
    ck_assert_uint_eq(count("handle/ana-1"), 1);
    json_t *body = found("handle/hanna");
    const json_t *seat = json_array_get(json_object_get(match_at(body, 0), "seats"), 0);
    ck_assert_str_eq(str(seat, "handle"), "Hanna"); /* not as it was then */
    json_decref(body);
    body = found("handle/ana-1");
    seat = json_array_get(json_object_get(match_at(body, 0), "seats"), 0);
    ck_assert_str_eq(str(seat, "handle"), "Hanna");
    json_decref(body);
}
END_TEST

START_TEST(of_who_is_erased_nothing_is_found)
{
    play_two("open");
    world_do(&world, ana, "close_account", "{s:s}", "handle", "Ana-1");
    world_pass(&world, world.config.closing_ms + 120000);
    json_t *body = found("game/taluva");
    const json_t *seats = json_object_get(match_at(body, 0), "seats");
    ck_assert_uint_eq(json_array_size(seats), 1);
    ck_assert_str_eq(str(json_array_get(seats, 0), "handle"), "bo-1");
    json_decref(body);
}
END_TEST

/* ---- page after page */

/* All that there are, each once and whole; how many answers that took. */
static int follow(const char *path, size_t matches, size_t seats)
{
    char next[128];
    int answers = 0;
    size_t seen = 0;
    int64_t before = INT64_MAX;
    (void)snprintf(next, sizeof next, "%s", path);
    while (next[0]) {
        json_t *body = found(next);
        const size_t here = json_array_size(json_object_get(body, "matches"));
        ck_assert_uint_le(here, ARCHIVE_MATCHES);
        for (size_t at = 0; at < here; at++) {
            const json_t *match = match_at(body, at);
            ck_assert_int_lt(num(match, "at"), before);
            ck_assert_uint_eq(json_array_size(json_object_get(match, "seats")), seats);
            before = num(match, "at");
        }
        seen += here;
        answers++;
        if (json_object_get(body, "after"))
            (void)snprintf(next, sizeof next, "%s/after/%s", path, str(body, "after"));
        else
            next[0] = '\0';
        json_decref(body);
        world_pass(&world, 1000);
    }
    ck_assert_uint_eq(seen, matches);
    return answers;
}

static void hide_rows(uint64_t first, unsigned count)
{
    for (unsigned at = 0; at < count; at++) {
        const struct profile_row row = {.session = first + at, .hidden = 1};
        model_put_row(&world.store, &(struct store_row){.table = &profile_table, .row = &row});
    }
}

/* Of those who hide there are more pages than one, and some have numbers below all others. */
START_TEST(many_show_nothing)
{
    const struct profile_row shows = {.session = 1002, .hidden = 0};
    put_rows(25, 5, 5, 1000);
    hide_rows((uint64_t)INT64_MIN, 2 * STORE_QUERY_ROWS_MAX);
    hide_rows(1000, 2);
    model_put_row(&world.store, &(struct store_row){.table = &profile_table, .row = &shows});
    hide_rows(1004, 2 * STORE_QUERY_ROWS_MAX);
    ck_assert_int_eq(follow("game/taluva", 25, 2), 2);
    json_t *body = found("game/taluva");
    const json_t *seats = json_object_get(match_at(body, 0), "seats");
    ck_assert_int_eq(num(json_array_get(seats, 0), "seat"), 3);
    ck_assert_int_eq(num(json_array_get(seats, 1), "seat"), 2);
    json_decref(body);
    hide_rows(1002, 2);
    ck_assert_int_eq(follow("game/taluva", 0, 0), 2);
}
END_TEST

START_TEST(many_matches)
{
    put_rows(45, 3, 3, 1000);
    ck_assert_int_eq(follow("game/taluva", 45, 3), 3);
    ck_assert_int_eq(follow("game/taluva/why/exhausted", 45, 3), 3);
    ck_assert_int_eq(follow("game/taluva/since/1035", 10, 3), 1);
}
END_TEST

/* Not so many rows are looked at that anybody would notice: the answer says where it goes on. A
 * match that lies at the end of what is looked at is whole. */
START_TEST(what_is_seldom_is_found_in_several_answers)
{
    enum { ROWS = ARCHIVE_PAGES * STORE_QUERY_ROWS_MAX };
    put_rows(ROWS / 2, 3, 4, 5000);
    put_rows(5, 3, 3, 1000);
    const int answers = follow("game/taluva/size/3", 5, 3);
    ck_assert_int_ge(answers, 2);
    ck_assert_int_le(answers, 3);
    ck_assert_int_eq(follow("game/taluva/size/2", 0, 0), answers);
}
END_TEST

/* How often one may ask that at once. */
static int count_granted(uint8_t host, const char *path)
{
    json_t *body;
    int times = 0, status;
    while ((status = get_from(host, path, &body)) == 200) {
        json_decref(body);
        times++;
    }
    json_decref(body);
    ck_assert_int_eq(status, 429);
    return times;
}

/* What looks through many pages of rows costs that many, however little it finds. */
START_TEST(each_page_of_rows_is_paid)
{
    put_rows((ARCHIVE_PAGES - 1) * STORE_QUERY_ROWS_MAX / 3, 3, 4, 5000);
    const int of_one = count_granted(1, "game/totem");
    world_pass(&world, 3600000);
    const int of_many = count_granted(2, "game/taluva/size/2");
    ck_assert_int_ge(of_many, 1);
    ck_assert_int_lt(of_many * (ARCHIVE_PAGES - 2), of_one);
}
END_TEST

/* ---- letters */

static void send(const char *text)
{
    const uint64_t session = strtoull(world.tabs[ana].session, NULL, 16);
    const struct store_letter letter = {.addressee = session,
                                        .id = 77,
                                        .at_ms = 1,
                                        .kind = "people.match",
                                        .text = text,
                                        .text_len = (uint16_t)strlen(text)};
    model_put_row(&world.store, &(struct store_row){.table = &store_letter_table, .row = &letter});
    world_restart(&world);
    world_pass(&world, 60000);
}

static bool is_set_aside(void)
{
    const struct store_letter *letter = model_nth(&world.store, &store_letter_table, 0);
    ck_assert(!letter || letter->state == STORE_LETTER_UNREADABLE);
    return letter;
}

/* One that a version before has sent says less. */
START_TEST(a_letter_of_before)
{
    send("2v5n8b1c 5 taluva 1 2 0 1 1 1");
    ck_assert(!is_set_aside());
    json_t *body = found("game/taluva");
    const json_t *match = match_at(body, 0);
    ck_assert_int_eq(num(match, "at"), 5);
    ck_assert_ptr_null(json_object_get(match, "why"));
    ck_assert_ptr_null(json_object_get(match, "rules"));
    ck_assert_ptr_null(json_object_get(match, "options"));
    json_decref(body);
}
END_TEST

static const char *const wrong[] = {
    "",
    "2v5n8b1c",
    "2v5n8b1c 5 taluva 1 2 0 1 1",
    "2v5n8b1c 5 taluva 1 2 0 1 1 2",
    "2v5n8b1c 5 taluva 1 2 0 1 2 1",
    "2v5n8b1c 5 taluva 1 2 2 1 1 1",
    "2v5n8b1c 5 taluva 1 17 0 1 1 1",
    "2v5n8b1c 5 taluva 0 2 0 1 1 1",
    "2v5n8b1c 5 taluva 3 2 0 1 1 1",
    "2v5n8b1c x taluva 1 2 0 1 1 1",
    "2v5n8b1c 5 seventeen-letters 1 2 0 1 1 1",
    "2v5n8b1u 5 taluva 1 2 0 1 1 1",
    "2v5n8b1c 5 taluva 1 2 0 1 1 0 two-kinds - {}",
    "2v5n8b1c 5 taluva 1 2 0 1 1 1 two-kinds",
    "2v5n8b1c 5 taluva 1 2 0 1 1 1 a-word-of-more-than-24-letters - {}",
    "2v5n8b1c  5 taluva 1 2 0 1 1 1",
    "2v5n8b1c 5 taluva 1 2 0 1 1 1 two-kinds - {",
    "2v5n8b1c 5 taluva 1 2 0 1 1 1 two-kinds - []",
    "2v5n8b1c 5 taluva 1 2 0 1 1 1 two-kinds - {},\"more\":1",
};

START_TEST(a_letter_that_is_none)
{
    send(wrong[_i]);
    ck_assert_msg(is_set_aside(), "%s", wrong[_i]);
    ck_assert_uint_eq(model_rows(&world.store, &archive_table), 0);
    ck_assert_uint_eq(model_rows(&world.store, &tally_table), 0);
}
END_TEST

Suite *archive_suite(void)
{
    Suite *suite = suite_create("archive");
    TCase *tests = tcase_create("archive");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_match_of_two);
    tcase_add_test(tests, what_is_not_there);
    tcase_add_test(tests, by_what_is_asked_for);
    tcase_add_test(tests, by_the_rules_of_a_match);
    tcase_add_test(tests, by_the_time_of_its_end);
    tcase_add_test(tests, no_such_search);
    tcase_add_test(tests, who_shows_nothing);
    tcase_add_test(tests, a_match_of_which_nobody_shows_anything);
    tcase_add_test(tests, a_handle_of_before);
    tcase_add_test(tests, of_who_is_erased_nothing_is_found);
    suite_add_tcase(suite, tests);
    TCase *model = model_case(suite, set_up, tear_down);
    tcase_add_test(model, many_show_nothing);
    tcase_add_test(model, many_matches);
    tcase_add_test(model, what_is_seldom_is_found_in_several_answers);
    tcase_add_test(model, each_page_of_rows_is_paid);
    tcase_add_test(model, a_letter_of_before);
    tcase_add_loop_test(model, a_letter_that_is_none, 0, sizeof wrong / sizeof *wrong);
    return suite;
}
