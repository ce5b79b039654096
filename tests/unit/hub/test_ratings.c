/*
 * Ratings: what of a match is rated, the book that it comes into, and that it does so exactly once
 * wherever the server dies.
 */
#include "outcome.h"
#include "rows.h"
#include "site.h"
#include "suites.h"
#include <hub/kernel.h>
#include <identity/identity.h>
#include <protocol/encoding.h>
#include <protocol/reply.h>
#include <rating/ledger.h>
#include <ratings/ratings.h>
#include <string.h>

static const struct feature *const features[] = {&feature_identity, &feature_ratings, NULL};
static struct table table;
static uint64_t ids[5];

static void set_up(void)
{
    world_init(&home);
    home.env.features = features;
    world_start(&home);
}

static void tear_down(void)
{
    world_release(&home);
}

/* ---- what is rated */

static struct room_result result_of(const char *rated, const char *game, unsigned seats)
{
    struct room_result result = {.room_id = "k3m9x0aq",
                                 .game = game,
                                 .decided = true,
                                 .ended_ms = 1000,
                                 .rated = rated,
                                 .seats = seats};
    for (unsigned i = 0; i < seats; i++)
        result.seat[i] = (struct room_result_seat){
            .session = 101 + i, .won = i == 0, .rank = (uint8_t)(i + 1), .in_play = true};
    return result;
}

START_TEST(what_is_not_rated)
{
    struct book_match match;
    struct room_result result = result_of("", "taluva", 2);
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_NOT_MEANT);
    result.rated = "taluva.duel.live";
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_RATED);
    result.early_out = true;
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_ABORTED);
    result.decided = false;
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_NOT_DECIDED);
    result = result_of("taluva.duel.live", "taluva", 3);
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
    result = result_of("taluva.duel.live", "totem", 2);
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
    result = result_of("taluva.other.live", "taluva", 2);
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
    result = result_of("taluva.duel.live", "taluva", 2);
    result.seat[1].session = 0; /* a computer */
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
    result = result_of("taluva.table.live", "taluva", 9);
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
    result = result_of("taluva.team.live", "taluva", 2);
    result.teams = 2;
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_UNKNOWN);
}
END_TEST

/* Who wins, who left (a computer stood in), and what is made of it. */
static const struct {
    const char *rated;
    unsigned seats, teams;
    uint32_t won, left; /* seats */
    uint8_t rank[5];
    uint32_t winners, still; /* sides */
    uint8_t place[5];
} endings[] = {
    {"taluva.duel.live", 2, 0, 1, 0, {1, 2}, 1, 0, {0}},
    {"taluva.duel.slow", 2, 0, 2, 0, {2, 1}, 2, 0, {0}},
    {"taluva.table.live", 3, 0, 5, 0, {1, 3, 1}, 5, 0, {0}},
    {"taluva.table.live", 3, 0, 1, 2, {1, 2, 3}, 1, 0, {0}},
    {"taluva.table.live", 3, 0, 3, 2, {1, 1, 3}, 1, 0, {0}},
    {"taluva.table.live", 3, 0, 1, 1, {1, 2, 3}, 0, 6, {0}},
    {"taluva.table.live", 4, 0, 1, 9, {1, 2, 3, 4}, 0, 6, {0}},
    {"taluva.team.live", 4, 2, 5, 0, {0}, 1, 0, {0}},
    {"taluva.team.live", 4, 2, 5, 2, {0}, 1, 0, {0}},
    {"taluva.team.live", 4, 2, 5, 4, {0}, 0, 2, {0}},
    {"taluva.ranking.live", 4, 0, 4, 0, {2, 2, 1, 4}, 0, 0, {2, 2, 1, 4}},
    {"taluva.ranking.live", 4, 0, 4, 4, {2, 2, 1, 4}, 0, 0, {1, 1, 4, 3}},
    {"taluva.ranking.live", 4, 0, 4, 12, {3, 2, 1, 4}, 0, 0, {2, 1, 3, 3}},
};

START_TEST(what_comes_of_an_ending)
{
    struct book_match match;
    struct room_result result = result_of(endings[_i].rated, "taluva", endings[_i].seats);
    result.teams = endings[_i].teams;
    for (unsigned i = 0; i < result.seats; i++) {
        result.seat[i].won = endings[_i].won >> i & 1;
        result.seat[i].stood_in_for = endings[_i].left >> i & 1;
        result.seat[i].rank = endings[_i].rank[i];
        result.seat[i].team = (uint8_t)(result.teams ? i % result.teams : 0);
    }
    ck_assert_int_eq(outcome_of(&result, &match), OUTCOME_RATED);
    ck_assert_str_eq(rating_class_at(match.class)->name, endings[_i].rated);
    ck_assert_str_eq(match.room, "k3m9x0aq");
    ck_assert_int_eq(match.ended_ms, 1000);
    ck_assert_uint_eq(match.sides, result.teams ? 2 : result.seats);
    ck_assert_uint_eq(match.winners, endings[_i].winners);
    ck_assert_uint_eq(match.still, endings[_i].still);
    for (unsigned i = 0; i < result.seats; i++) {
        ck_assert_uint_eq(match.seat[i].account, 101 + i);
        ck_assert_uint_eq(match.seat[i].side, result.teams ? i % 2 : i);
        ck_assert_uint_eq(match.place[i], endings[_i].place[i]);
    }
}
END_TEST

/* ---- a rated match */

/* As whoever pairs people opens it, and all of them are there and ready. */
static void begin_rated(unsigned players, const char *class)
{
    static const char *const names[] = {"Ana", "Bo", "Chi", "Dee", "Eva"};
    struct kernel_room_plan plan = {.rated = class};
    struct request create;
    struct refusal refusal;
    request_init(&create, 1, REQUEST_CREATE);
    create.fields = REQUEST_OPTIONS;
    create.options = json_pack("{s:i}", "players", (int)players);
    plan.create = &create;
    table.players = (int)players;
    for (unsigned i = 0; i < players; i++) {
        if (!home.tabs[table.tabs[i]].link.open || ids[i] == 0)
            table.tabs[i] = world_guest(&home, names[i]);
        ids[i] = site_session(&home, table.tabs[i]);
        plan.seat[i] = (struct kernel_seat){.session = ids[i], .name = names[i]};
    }
    plan.host = ids[0];
    ck_assert(kernel_open_room(home.hub, &plan, table.room, &refusal));
    request_release(&create);
    world_settle(&home);
    for (unsigned i = 0; i < players; i++)
        world_do(&home, table.tabs[i], "join", "{s:s}", "room", table.room);
    world_begin(&home, &table);
}

static void play_some(void)
{
    for (int move = 0; move < 16; move++)
        ck_assert_int_ge(world_move(&home, &table), 0);
}

/* The last event of the match, which the first seat wins; nothing is settled. */
static void end_rated(void)
{
    for (int i = table.players - 1; i > 1; i--)
        world_do(&home, table.tabs[i], "resign", "{s:s}", "room", table.room);
    (void)world_post(&home, table.tabs[1], "resign", "{s:s}", "room", table.room);
}

static void play_rated(unsigned players, const char *class)
{
    begin_rated(players, class);
    play_some();
    end_rated();
    world_settle(&home);
}

static size_t lines(void)
{
    return model_rows(&home.store, &book_table);
}

/* All of it, from the outside: each line follows, and its end is the rows'. */
static void book_is_sound(size_t count)
{
    struct hub_http_answer answer;
    struct ledger ledger;
    uint64_t ticket, got;
    ledger_init(&ledger);
    ck_assert(!hub_http_get(home.hub, "/api/book", NULL, home.now_ms, &answer, &ticket));
    world_settle(&home);
    ck_assert(hub_http_next(home.hub, &got, &answer));
    ck_assert_int_eq(answer.status, 200);
    const char *at = (const char *)answer.body, *end = at + answer.len;
    for (size_t n = 0; n < count; n++) {
        static const char head[] = "{\"hash\":\"", middle[] = "\",\"entry\":";
        uint8_t hash[BOOK_HASH_BYTES];
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        ck_assert_ptr_nonnull(stop);
        const char *digits = at + sizeof head - 1;
        const char *entry = digits + 2 * sizeof hash + sizeof middle - 1;
        ck_assert(hex_decode(hash, sizeof hash, digits, 2 * sizeof hash));
        const enum ledger_fault fault =
            ledger_check(&ledger, entry, (size_t)(stop - entry) - 1, hash);
        ck_assert_msg(fault == LEDGER_FINE, "%s: %s", ledger_fault_text(fault), entry);
        at = stop + 1;
    }
    ck_assert_ptr_eq(at, end);
    hub_http_release(&answer);
    for (size_t row = 0; row < model_rows(&home.store, &rating_table); row++) {
        const struct rating_row *rating = model_nth(&home.store, &rating_table, row);
        const struct standing *standing = ledger_find(&ledger, rating->account, rating->class);
        const struct standing stored = standing_of(rating);
        ck_assert_ptr_nonnull(standing);
        ck_assert_uint_eq(stored.rating.strength, standing->rating.strength);
        ck_assert_uint_eq(stored.rating.deviation, standing->rating.deviation);
        ck_assert_uint_eq(stored.matches, standing->matches);
        ck_assert_uint_eq(stored.n, standing->n);
    }
    ledger_release(&ledger);
}

static void is_told(int tab, json_int_t before, json_int_t after)
{
    json_t *push = world_push(&home, tab, "rated");
    ck_assert_ptr_nonnull(push);
    ck_assert_str_eq(str(push, "room"), table.room);
    ck_assert_str_eq(str(push, "class"), "taluva.duel.live");
    ck_assert_int_eq(num(push, "before"), before);
    ck_assert_int_eq(num(push, "after"), after);
    ck_assert(json_is_true(json_object_get(push, "provisional")));
    json_decref(push);
}

START_TEST(a_match_is_rated)
{
    play_rated(2, "taluva.duel.live");
    ck_assert_uint_eq(lines(), 2);
    ck_assert_uint_eq(model_rows(&home.store, &rating_table), 2);
    ck_assert_uint_eq(model_rows(&home.store, &rating_step_table), 2);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    is_told(table.tabs[0], 1500, 1662);
    is_told(table.tabs[1], 1500, 1338);
    book_is_sound(2);
    ck_assert_double_eq(world_figure(&home, "book_lines"), 2);
    play_rated(2, "taluva.duel.live");
    ck_assert_uint_eq(lines(), 3);
    is_told(table.tabs[0], 1662, 1720);
    book_is_sound(3);
}
END_TEST

START_TEST(an_unrated_match_is_not)
{
    play_rated(2, NULL);
    ck_assert_uint_eq(lines(), 0);
    begin_rated(2, "taluva.duel.live");
    end_rated(); /* before anybody has played */
    world_settle(&home);
    ck_assert_uint_eq(lines(), 0);
    ck_assert_ptr_null(world_push(&home, table.tabs[0], "rated"));
    book_is_sound(0);
}
END_TEST

START_TEST(the_book_goes_on_after_a_restart)
{
    play_rated(3, "taluva.table.live");
    world_restart(&home);
    memset(ids, 0, sizeof ids);
    play_rated(2, "taluva.duel.live");
    ck_assert_uint_eq(lines(), 3);
    book_is_sound(3);
}
END_TEST

/* ---- wherever it dies */

static struct store_query query;
static bool asked, stored;

/* The next single step of what is between the match's end and the push. False: there is none. */
static bool take_step(void)
{
    if (home.out && !stored) {
        (void)model_commit(&home.store, home.out);
        stored = true;
    } else if (home.out) {
        home.out = NULL;
        stored = false;
        hub_batch_done(home.hub, STORE_OK, 1, home.now_ms);
    } else if (asked) {
        asked = false;
        model_query(&home.store, home.hub, &query, home.now_ms);
    } else if (hub_batch_ready(home.hub) && hub_batch_ops(home.hub) > 0) {
        home.out = hub_batch_take(home.hub);
    } else {
        asked = hub_query_take(home.hub, &query);
        return asked;
    }
    return true;
}

START_TEST(each_match_is_in_the_book_once)
{
    bool more = true;
    asked = stored = false;
    begin_rated(2, "taluva.duel.live");
    play_some();
    home.held = true;
    end_rated();
    for (int step = 0; step < _i && more; step++)
        more = take_step();
    home.held = false;
    if (asked && query.release && query.owner)
        query.release(&query);
    world_restart(&home);
    world_pass(&home, 2000);
    const bool ended = lines() > 0;
    ck_assert_int_eq(ended, _i > 1); /* the last event was stored */
    book_is_sound(ended ? 2 : 0);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), 0);
    if (!more)
        return;
    memset(ids, 0, sizeof ids);
    play_rated(2, "taluva.duel.live");
    book_is_sound(ended ? 3 : 2);
}
END_TEST

/* A store that fails takes back what a letter has made of the book, also of two at once. */
START_TEST(what_is_not_stored_is_taken_back)
{
    play_rated(2, "taluva.duel.live");
    json_decref(world_push(&home, table.tabs[0], "rated"));
    begin_rated(2, "taluva.duel.live");
    play_some();
    home.held = true;
    end_rated();
    asked = stored = false;
    /* until the page of the book is in a batch: three letters, of the match and of either player */
    while (
        !(home.out && !stored && lines() == 2 && model_rows(&home.store, &store_letter_table) == 3))
        ck_assert(take_step());
    home.held = false;
    world_commit(&home, STORE_FAILED);
    ck_assert_uint_eq(lines(), 2);
    world_pass(&home, home.config.store_retry_max_ms + 1000);
    ck_assert_uint_eq(lines(), 3);
    book_is_sound(3);
}
END_TEST

/* ---- letters that nobody has sent */

static void send_letter(uint64_t addressee, const char *kind, const char *text)
{
    const struct kernel_letter letter = {
        .addressee = addressee, .kind = kind, .text = text, .text_len = strlen(text)};
    ck_assert_int_eq(kernel_send_letter(home.hub, &letter), 0);
    world_settle(&home);
}

START_TEST(what_makes_no_sense_is_set_aside)
{
    static const char *const wrong[] = {"",
                                        "ana\nbo\n",
                                        "ana\n{}",
                                        "\n{}",
                                        "{\"n\":0,\"at\":0,\"kind\":\"system\",\"version\":1}",
                                        "a234567890123456789012345678901\n{}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        send_letter(LETTER_TO_DESK, "ratings.match", wrong[i]);
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table), sizeof wrong / sizeof wrong[0]);
    ck_assert_uint_eq(lines(), 0);
    const int tab = world_guest(&home, "Ana");
    send_letter(site_session(&home, tab), "ratings.told", "{\"push\":\"other\",\"x\":1}");
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table),
                      sizeof wrong / sizeof wrong[0] + 1);
    send_letter(12345, "ratings.told", "{\"push\":\"rated\",\"room\":\"k3m9x0aq\"}");
    ck_assert_uint_eq(model_rows(&home.store, &store_letter_table),
                      sizeof wrong / sizeof wrong[0] + 1);
}
END_TEST

/* ---- pages */

static int get(const char *path, char body[static 2048])
{
    struct hub_http_answer answer;
    uint64_t ticket = 0, got;
    if (!hub_http_get(home.hub, path, NULL, home.now_ms, &answer, &ticket)) {
        world_settle(&home);
        ck_assert(hub_http_next(home.hub, &got, &answer));
    }
    ck_assert_uint_lt(answer.len, 2048);
    memcpy(body, answer.body, answer.len);
    body[answer.len] = '\0';
    const int status = answer.status;
    hub_http_release(&answer);
    return status;
}

START_TEST(pages)
{
    char body[2048], path[64];
    play_rated(2, "taluva.duel.live");
    (void)snprintf(path, sizeof path, "/api/ratings/%s", home.tabs[table.tabs[0]].session);
    ck_assert_int_eq(get(path, body), 200);
    ck_assert_ptr_nonnull(strstr(body, "{\"class\":\"taluva.duel.live\",\"rating\":1662,"
                                       "\"deviation\":290,\"provisional\":true,\"matches\":1,"));
    (void)snprintf(path, sizeof path, "/api/curves/%s/taluva.duel.live",
                   home.tabs[table.tabs[1]].session);
    ck_assert_int_eq(get(path, body), 200);
    ck_assert_ptr_nonnull(strstr(body, "\"before\":1500,\"rating\":1338,\"deviation\":290}\n"));
    ck_assert_int_eq(get("/api/leaders/taluva.duel.live", body), 200);
    ck_assert_str_eq(body, ""); /* nobody is known well enough */
    ck_assert_int_eq(get("/api/book/1", body), 200);
    ck_assert_ptr_nonnull(strstr(body, "\"entry\":{\"n\":2,"));
    ck_assert_ptr_null(strstr(body, "\"n\":1,"));
    ck_assert_int_eq(get("/.well-known/taluva-book.json", body), 200);
    ck_assert_int_eq(strncmp(body, "{\"n\":2,\"hash\":\"", 15), 0);
    static const char *const none[] = {"/api/leaders/taluva",
                                       "/api/leaders/",
                                       "/api/ratings/12",
                                       "/api/ratings/0123456789abcdeg",
                                       "/api/ratings/0123456789abcdef/",
                                       "/api/curves/0123456789abcdef",
                                       "/api/curves/0123456789abcdef/x",
                                       "/api/book/x",
                                       "/api/book/-1",
                                       "/api/book/1x",
                                       "/api/book/12345678901234567"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        ck_assert_msg(get(none[i], body) == 404, "%s", none[i]);
}
END_TEST

START_TEST(who_has_a_place_in_lists)
{
    char body[2048];
    for (int match = 0; match < 30; match++) {
        play_rated(2, "taluva.duel.live");
        for (int seat = 0; seat < 2; seat++)
            world_forget(&home, table.tabs[seat]);
        const int swapped = table.tabs[0]; /* they win in turn */
        table.tabs[0] = table.tabs[1];
        table.tabs[1] = swapped;
    }
    book_is_sound(31);
    ck_assert_int_eq(get("/api/leaders/taluva.duel.live", body), 200);
    const struct rating_row *row = model_nth(&home.store, &rating_table, 0);
    ck_assert_uint_eq(row->listed, row->deviation <= RATING_LISTED_DEVIATION ? row->strength : 0);
    ck_assert_ptr_nonnull(strstr(body, "\"matches\":30"));
    home.now_ms += INT64_C(46) * 86400000;
    ck_assert_int_eq(get("/api/leaders/taluva.duel.live", body), 200);
    ck_assert_str_eq(body, "");
    const struct standing new_one = {.account = 1, .rating = {1500000, 90000}, .matches = 9};
    ck_assert_uint_eq(rating_row_of(&new_one, "ana").listed, 0);
    const struct standing unsure = {.account = 1, .rating = {1500000, 90001}, .matches = 10};
    ck_assert_uint_eq(rating_row_of(&unsure, "ana").listed, 0);
    const struct standing known = {.account = 1, .rating = {1500000, 90000}, .matches = 10};
    ck_assert_uint_eq(rating_row_of(&known, "ana").listed, 1500000);
}
END_TEST

Suite *ratings_suite(void)
{
    Suite *suite = suite_create("ratings");
    TCase *tests = tcase_create("ratings");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, what_is_not_rated);
    tcase_add_loop_test(tests, what_comes_of_an_ending, 0, sizeof endings / sizeof endings[0]);
    tcase_add_test(tests, a_match_is_rated);
    tcase_add_test(tests, an_unrated_match_is_not);
    tcase_add_test(tests, the_book_goes_on_after_a_restart);
    tcase_add_loop_test(tests, each_match_is_in_the_book_once, 0, 14);
    tcase_add_test(tests, what_is_not_stored_is_taken_back);
    tcase_add_test(tests, what_makes_no_sense_is_set_aside);
    tcase_add_test(tests, pages);
    tcase_add_test(tests, who_has_a_place_in_lists);
    suite_add_tcase(suite, tests);
    return suite;
}
