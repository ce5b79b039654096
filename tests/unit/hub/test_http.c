/* Bodies for HTTP. */
#include "../../support/failing_alloc.h"
#include "suites.h"
#include "world.h"
#include <protocol/signature.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct world world;
static uint8_t asker; /* the host that the requests come from */

static void setup(void)
{
    world_init(&world);
    asker = 1;
}

static void teardown(void)
{
    world_release(&world);
}

static char body[1 << 17];

static void keep(struct hub_http_answer *answer)
{
    ck_assert_uint_lt(answer->len, sizeof body);
    memcpy(body, answer->body, answer->len);
    body[answer->len] = '\0';
    memset(answer->body - HUB_OUTPUT_HEADROOM, 0, HUB_OUTPUT_HEADROOM); /* is ours to write */
    hub_http_release(answer);
}

/* The status; -1 if it has to wait. */
static int get(const char *path, uint64_t *ticket)
{
    struct hub_http_answer answer;
    if (!hub_get_from(asker, world.hub, path, world.now_ms, &answer, ticket))
        return -1;
    ck_assert_uint_eq(*ticket, 0);
    int status = answer.status;
    keep(&answer);
    return status;
}

static int next(uint64_t expected)
{
    struct hub_http_answer answer;
    uint64_t ticket;
    if (!hub_http_next(world.hub, &ticket, &answer))
        return -1;
    ck_assert_uint_eq(ticket, expected);
    int status = answer.status;
    keep(&answer);
    return status;
}

START_TEST(test_rooms)
{
    uint64_t ticket;
    struct table table;
    ck_assert_int_eq(get("/api/rooms", &ticket), 200);
    ck_assert_str_eq(body, "{\"rooms\":[]}");
    world_table(&world, &table, 2, "");
    ck_assert_int_eq(get("/api/rooms", &ticket), 200);
    ck_assert_ptr_nonnull(strstr(body, table.room));
    /* What is not durable yet is waited for. */
    world.held = true;
    world_post(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
    world_settle(&world);
    ck_assert_int_eq(get("/api/rooms", &ticket), -1);
    ck_assert_int_eq(next(ticket), -1);
    world_commit(&world, STORE_OK);
    ck_assert_int_eq(next(ticket), 200);
    ck_assert_ptr_null(strstr(body, "Ana"));
    world_post(&world, table.tabs[0], "join", "{s:s}", "room", table.room);
    world_settle(&world);
    uint64_t second;
    ck_assert_int_eq(get("/api/rooms", &ticket), -1);
    ck_assert_int_eq(get("/api/rooms", &second), -1);
    hub_http_cancel(world.hub, ticket);
    world_commit(&world, STORE_FULL);
    ck_assert_int_eq(next(second), 503);
}
END_TEST

/* The n-th allocation fails, for all n that there are; how many that were. */
static unsigned ask_without_memory(void)
{
    bool failed = true;
    unsigned refused = 0;
    for (uint64_t n = 1; failed; n++) {
        struct hub_http_answer answer;
        uint64_t ticket;
        failing_alloc_arm(n, false);
        failing_alloc_enter();
        bool answered =
            hub_get_from(asker, world.hub, "/api/rooms", world.now_ms, &answer, &ticket);
        failing_alloc_leave();
        (void)failing_alloc_disarm(&failed);
        ck_assert_int_eq(answered, failed);
        ck_assert_int_eq(answered, ticket == 0);
        refused += answered;
        if (answered) {
            ck_assert_int_eq(answer.status, 503);
            hub_http_release(&answer);
        }
    }
    return refused;
}

/* Without memory to wait with the answer is that, and there is no ticket. So many ask that the list
 * of those who wait grows. */
START_TEST(test_rooms_without_memory)
{
    enum { ASK = 70 };
    unsigned most = 0, refused;
    struct table table;
    world_table(&world, &table, 2, "");
    world.held = true;
    world_post(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
    world_settle(&world);
    for (int i = 0; i < ASK; i++) {
        refused = ask_without_memory();
        most = refused > most ? refused : most;
    }
    ck_assert_uint_eq(most, 3); /* the list of rooms, who waits, and the list of them */
}
END_TEST

/* ---- signed */

static struct record_signer signer;

static void sign_records(void)
{
    const uint8_t seed[SIGNING_SEED_BYTES] = {9};
    record_signer_init(&signer, seed, 5);
    world.env.signer = &signer;
    world_start(&world);
}

START_TEST(test_keys)
{
    uint64_t ticket;
    struct hub_http_answer answer;
    static const char path[] = "/.well-known/taluva-keys.json";
    ck_assert_int_eq(get(path, &ticket), 200);
    ck_assert_str_eq(body, "{\"keys\":[]}");
    json_t *ok = world_ok(&world, world_connect(&world), "hello", "");
    ck_assert(json_is_array(json_object_get(ok, "keys")));
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "keys")), 0);
    json_decref(ok);
    world_restart(&world);
    sign_records();
    signer.keys.list[1] = signer.keys.list[0];
    signer.keys.list[1].until_s = 7;
    signer.keys.count = 2;
    ck_assert(hub_get_from(asker, world.hub, path, world.now_ms, &answer, &ticket));
    ck_assert_str_eq(answer.type, "application/jwk-set+json");
    ck_assert_int_eq(answer.max_age_s, 3600);
    keep(&answer);
    json_t *set = json_loads(body, 0, NULL);
    json_t *keys = json_object_get(set, "keys");
    ck_assert_uint_eq(json_array_size(keys), 2);
    ck_assert_str_eq(str(json_array_get(keys, 0), "kid"), signer.keys.list[0].id);
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(keys, 1), "exp")), 7);
    ok = world_ok(&world, world_connect(&world), "hello", "");
    ck_assert(json_equal(json_object_get(ok, "keys"), keys));
    json_decref(ok);
    json_decref(set);
}
END_TEST

static enum record_signature signature_of(const char *text)
{
    struct record record;
    struct record_problem problem;
    char id[KEY_ID_BYTES + 1];
    ck_assert_msg(record_parse(&record, text, strlen(text), &problem), "%s", problem.message);
    enum record_signature found = record_check_signature(&record, &signer.keys, id);
    record_release(&record);
    return found;
}

/* The last of its results. */
static bool ends_results(const char *text)
{
    const char *line = strstr(text, "\n[Result.signature ");
    return line && strncmp(strchr(line + 1, '\n'), "\n\n", 2) == 0;
}

START_TEST(test_signed_records)
{
    uint64_t ticket;
    char path[64];
    struct table table;
    sign_records();
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    json_t *ok = world_ok(&world, table.tabs[1], "record", "{s:s}", "room", table.room);
    ck_assert_int_eq(signature_of(str(ok, "record")), RECORD_NOT_SIGNED); /* under way */
    json_decref(ok);
    world_do(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    ok = world_ok(&world, table.tabs[1], "record", "{s:s}", "room", table.room);
    ck_assert_int_eq(signature_of(str(ok, "record")), RECORD_SIGNED);
    ck_assert(ends_results(str(ok, "record")));
    (void)snprintf(path, sizeof path, "/api/records/%s", table.room);
    ck_assert_int_eq(get(path, &ticket), 200);
    ck_assert_str_eq(body, str(ok, "record"));
    json_decref(ok);
}
END_TEST

static void finish(const struct table *table)
{
    world_do(&world, table->tabs[0], "resign", "{s:s}", "room", table->room);
}

START_TEST(test_records)
{
    uint64_t ticket;
    char path[64];
    struct table table, hidden;
    world_table(&world, &table, 2, "");
    world_table(&world, &hidden, 2, "{s:s}", "access", "code");
    (void)snprintf(path, sizeof path, "/api/records/%s", table.room);
    world_begin(&world, &table);
    world_begin(&world, &hidden);
    ck_assert_int_eq(get(path, &ticket), 404);
    world.held = true;
    world_post(&world, table.tabs[0], "resign", "{s:s}", "room", table.room);
    world_settle(&world);
    ck_assert_int_eq(get(path, &ticket), 503); /* its end is not durable yet */
    world.held = false;
    world_settle(&world);
    finish(&hidden);
    ck_assert_int_eq(get(path, &ticket), 200);
    char *first = strdup(body);
    ck_assert_ptr_nonnull(strstr(first, table.room));
    json_t *ok = world_ok(&world, table.tabs[1], "record", "{s:s}", "room", table.room);
    ck_assert_str_eq(str(ok, "record"), first);
    json_decref(ok);
    path[strlen("/api/records")] = '_';
    ck_assert_int_eq(get(path, &ticket), 404);
    ck_assert_str_eq(body, "no such page\n");
    (void)snprintf(path, sizeof path, "/api/records/%s", hidden.room);
    ck_assert_int_eq(get(path, &ticket), 404); /* by invitation */
    for (int i = 0; i < 2; i++) {
        world_cut(&world, table.tabs[i]);
        world_cut(&world, hidden.tabs[i]);
    }
    world_pass(&world, world.config.over_idle_ms + 1);

    /* From the store. */
    (void)snprintf(path, sizeof path, "/api/records/%s", table.room);
    ck_assert_int_eq(get(path, &ticket), -1);
    world_settle(&world);
    ck_assert_int_eq(next(ticket), 200);
    ck_assert_str_eq(body, first);
    free(first);
    (void)snprintf(path, sizeof path, "/api/records/%s", hidden.room);
    ck_assert_int_eq(get(path, &ticket), -1);
    world_settle(&world);
    ck_assert_int_eq(next(ticket), 404);
    ck_assert_int_eq(get("/api/records/00000000", &ticket), -1);
    world_settle(&world);
    ck_assert_int_eq(next(ticket), 404);
    ck_assert_int_eq(get("/api/records/zz", &ticket), 404);
    ck_assert_int_eq(get("/api/records/", &ticket), 404);
    ck_assert_int_eq(get("/api", &ticket), 404);
    /* The store cannot tell. */
    char room[9];
    ck_assert_int_eq(get("/api/records/00000000", &ticket), -1);
    ck_assert(hub_read_take(world.hub, room));
    hub_read_done(world.hub, room, STORE_FAILED, NULL, world.now_ms);
    ck_assert_int_eq(next(ticket), 503);
}
END_TEST

START_TEST(test_http_waits)
{
    uint64_t tickets[3];
    world.config.http_waits = 2;
    world_start(&world);
    ck_assert_int_eq(get("/api/records/00000000", &tickets[0]), -1);
    ck_assert_int_eq(get("/api/records/00000001", &tickets[1]), -1);
    ck_assert_int_eq(get("/api/records/00000002", &tickets[2]), 503);
    hub_http_cancel(world.hub, tickets[0]);
    world_settle(&world);
    ck_assert_int_eq(next(tickets[1]), 404);
    ck_assert_int_eq(next(0), -1);
}
END_TEST

/* ---- prices */

static int until_429(const char *path, int each)
{
    uint64_t ticket;
    int granted = 0, status;
    while ((status = get(path, &ticket)) == each && granted < 1000)
        granted++;
    ck_assert_int_eq(status, 429);
    ck_assert_ptr_nonnull(strstr(body, "slow down"));
    return granted;
}

static void start_with(int64_t burst, int64_t work_burst)
{
    world.config.requests_per_address_burst = burst;
    world.config.requests_per_address_per_s = 1;
    world.config.work_burst = work_burst;
    world.config.work_per_s = 1;
    world_start(&world);
}

/* A page that is made counts as a request of its address, however that asks. */
START_TEST(test_price_of_a_page)
{
    uint64_t ticket;
    start_with(20, 500);
    ck_assert_int_eq(until_429("/api/rooms", 200), 20);
    ck_assert_int_eq(get("/metrics", &ticket), 200);
    ck_assert_int_eq(get("/api/records/00000000", &ticket), 429);
    int tab = world_connect_from(&world, asker);
    world_refused(&world, tab, "slow_down", "ping", "");
    world.now_ms += 5000;
    ck_assert_int_eq(until_429("/api/rooms", 200), 5);
    asker = 2;
    ck_assert_int_eq(until_429("/api/rooms", 200), 20);
}
END_TEST

/* To fetch a room from the store costs four more, whether there is one or not. */
START_TEST(test_price_of_fetching)
{
    start_with(21, 500);
    ck_assert_int_eq(until_429("/api/records/00000000", -1), 5);
}
END_TEST

static void play_one(char path[static 64])
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_play_out(&world, &table);
    (void)snprintf(path, 64, "/api/records/%s", table.room);
}

static int price_by_length(void)
{
    return 1 + (int)(strlen(body) / 4096);
}

/* For a record the match is played again; and then it is kept, and costs what its length does. */
START_TEST(test_price_of_a_record)
{
    enum { TOKENS = 900 };
    char path[64];
    uint64_t ticket;
    start_with(TOKENS, 100000);
    play_one(path);
    asker = 9;
    ck_assert_int_eq(get(path, &ticket), 200);
    const int each = price_by_length(), dear = 1 + until_429(path, 200);
    asker = 10;
    const int cheap = until_429(path, 200);
    ck_assert_int_eq(cheap, (TOKENS + each - 1) / each);
    ck_assert_int_lt(dear, cheap);
}
END_TEST

/* What is kept has a bound, and what was asked for longest ago goes first. */
START_TEST(test_records_that_are_kept)
{
    char one[64], other[64], first[sizeof body];
    uint64_t ticket;
    world_start(&world);
    play_one(one);
    play_one(other);
    ck_assert_int_eq(get(one, &ticket), 200);
    (void)snprintf(first, sizeof first, "%s", body);
    const int64_t of_one = (int64_t)world_figure(&world, "record_bytes");
    ck_assert_int_ge(of_one, (int64_t)strlen(first));
    ck_assert_int_eq(get(other, &ticket), 200);
    const int64_t of_both = (int64_t)world_figure(&world, "record_bytes");
    ck_assert_int_gt(of_both, of_one);
    ck_assert_int_eq(get(one, &ticket), 200);
    ck_assert_str_eq(body, first);
    ck_assert_int_eq((int64_t)world_figure(&world, "record_bytes"), of_both);
}
END_TEST

START_TEST(test_few_records_are_kept)
{
    char path[64];
    uint64_t ticket;
    world.config.history_bytes = 2 * (int64_t)_i;
    world_start(&world);
    for (int match = 0; match < 3; match++) {
        play_one(path);
        for (int times = 0; times < 2; times++) {
            ck_assert_int_eq(get(path, &ticket), 200);
            ck_assert_int_le((int64_t)world_figure(&world, "record_bytes"), _i);
        }
    }
    ck_assert_int_eq(world_figure(&world, "record_bytes") > 0, _i > 0);
}
END_TEST

/* A long answer is charged by its length. */
START_TEST(test_price_of_a_long_page)
{
    uint64_t ticket;
    world.config.rooms_per_session = 100;
    world.config.requests_burst = 1000;
    start_with(30, 1000);
    int tab = world_guest(&world, "Ana");
    for (int at = 0; at < 50; at++) {
        world_do(&world, tab, "create", "{s:s}", "title", "a room as long as its title is");
        world.now_ms += 10000;
    }
    asker = 2;
    ck_assert_int_eq(get("/api/rooms", &ticket), 200);
    int tokens = 1 + (int)(strlen(body) / 4096);
    ck_assert_int_ge(tokens, 2);
    asker = 3;
    ck_assert_int_eq(until_429("/api/rooms", 200), (30 + tokens - 1) / tokens);
}
END_TEST

/* What all of them together may cost, of which who has used little of his own gets more. */
START_TEST(test_price_to_all)
{
    uint64_t ticket;
    start_with(1000, 8);
    ck_assert_int_eq(until_429("/api/records/00000000", -1), 2);
    ck_assert_int_eq(get("/metrics", &ticket), 200);
    asker = 2;
    ck_assert_int_eq(get("/api/rooms", &ticket), 429);
    world.now_ms += 8000;
    ck_assert_int_eq(get("/api/rooms", &ticket), 200);
}
END_TEST

/* Who cannot be remembered cannot be charged. */
START_TEST(test_too_many_addresses)
{
    uint64_t ticket;
    world.config.addresses = 16;
    world_start(&world);
    for (unsigned host = 1; host <= 16; host++)
        ck_assert_int_ge(world_connect_from(&world, host), 0);
    ck_assert_int_eq(get("/api/rooms", &ticket), 200);
    asker = 17;
    ck_assert_int_eq(get("/api/rooms", &ticket), 503);
    ck_assert_int_eq(get("/api/records/00000000", &ticket), 503);
}
END_TEST

START_TEST(test_ready)
{
    struct table table;
    world_table(&world, &table, 2, "");
    ck_assert_ptr_null(hub_fault(world.hub));
    world.answer = STORE_FULL;
    world_post(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
    world_settle(&world);
    ck_assert_str_eq(hub_fault(world.hub), "its store does not work");
    world.answer = STORE_OK;
    world_pass(&world, 1000);
    ck_assert_ptr_null(hub_fault(world.hub));
    hub_drain(world.hub, world.now_ms);
    ck_assert_str_eq(hub_fault(world.hub), "it is drained");
}
END_TEST

START_TEST(test_metrics)
{
    static const char *const lines[] = {
        "taluva_sessions 2\n",
        "taluva_connections 2\n",
        "taluva_rooms{phase=\"lobby\"} 1\n",
        "taluva_rooms_damaged 0\n",
        "taluva_requests_total{op=\"hello\",result=\"ok\"} 2\n",
        "taluva_requests_total{op=\"join\",result=\"ok\"} 2\n",
        "taluva_requests_total{op=\"move\",result=\"not_begun\"} 1\n",
        "taluva_requests_total{op=\"unknown\",result=\"bad_json\"} 1\n",
        "taluva_events_total{kind=\"sat\"} 2\n",
        "taluva_store_failing 0\n",
        "taluva_commit_seconds_bucket{le=\"+Inf\"} 5\n",
        "taluva_commit_seconds_sum 0.0075\n",
        "taluva_commit_failures_total 0\n",
        "taluva_batch_ops_count 5\n",
        "taluva_closes_total{code=\"4002\"} 0\n",
    };
    uint64_t ticket;
    struct table table;
    world_table(&world, &table, 2, "");
    world_refused(&world, table.tabs[0], "not_begun", "move", "{s:s,s:s}", "room", table.room,
                  "move", "draw");
    world_send(&world, table.tabs[0], "?");
    world_settle(&world);
    ck_assert_int_eq(get("/metrics", &ticket), 200);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        ck_assert_msg(strstr(body, lines[i]), "%s not in:\n%s", lines[i], body);
}
END_TEST

START_TEST(test_metrics_of_a_failing_store)
{
    uint64_t ticket;
    struct table table;
    world_table(&world, &table, 2, "");
    world.answer = STORE_FAILED;
    world_post(&world, table.tabs[0], "ready", "{s:s,s:b}", "room", table.room, "ready", 1);
    world_settle(&world);
    ck_assert_int_eq(get("/metrics", &ticket), 200);
    ck_assert_ptr_nonnull(strstr(body, "taluva_commit_failures_total 1\n"));
    ck_assert_ptr_nonnull(strstr(body, "taluva_store_failing 1\n"));
    ck_assert_ptr_nonnull(strstr(body, "taluva_commit_seconds_sum 0.0075\n")); /* what was kept */
}
END_TEST

Suite *http_suite(void)
{
    Suite *suite = suite_create("http");
    TCase *tests = tcase_create("http");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_rooms);
    tcase_add_test(tests, test_rooms_without_memory);
    tcase_add_test(tests, test_keys);
    tcase_add_test(tests, test_signed_records);
    tcase_add_test(tests, test_records);
    tcase_add_test(tests, test_http_waits);
    tcase_add_test(tests, test_price_of_a_page);
    tcase_add_test(tests, test_price_of_fetching);
    tcase_add_test(tests, test_price_of_a_record);
    tcase_add_test(tests, test_records_that_are_kept);
    tcase_add_loop_test(tests, test_few_records_are_kept, 0, 1);
    tcase_add_loop_test(tests, test_few_records_are_kept, 20000, 20001);
    tcase_add_test(tests, test_price_of_a_long_page);
    tcase_add_test(tests, test_price_to_all);
    tcase_add_test(tests, test_too_many_addresses);
    tcase_add_test(tests, test_ready);
    tcase_add_test(tests, test_metrics);
    tcase_add_test(tests, test_metrics_of_a_failing_store);
    suite_add_tcase(suite, tests);
    return suite;
}
