/* Programs that ask by HTTP, as the site answers them (site/program.h). */
#include "nodes.h"
#include "suites.h"
#include "told.h"
#include <check.h>
#include <site/program.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct nodes nodes;

static void set_up(void)
{
    nodes_init(&nodes, 3, 4);
}

static void tear_down(void)
{
    nodes_release(&nodes);
}

/* Rooms are made in the name of somebody new, at the first node. */
static struct site_program *post_rooms(const char *token, const char *body, unsigned host,
                                       struct site_program_told *told)
{
    const uint8_t address[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = (uint8_t)host};
    const struct site_program_asked asked = {
        .path = "/api/me/rooms", .token = token, .body = body, .len = strlen(body)};
    nodes.programs = true;
    return site_program_begin(nodes.nodes[0].site, &asked, address, nodes.now_ms, told);
}

/* What opens it, for rooms. */
static void make_token(char token[static 64])
{
    const int ana = guest_of_part(&nodes, 0, "Ana");
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    json_t *made = nodes_ok(&nodes, ana, "token_add", "{s:s,s:s,s:i}", "name", "maker", "scope",
                            "room", "days", 1);
    (void)snprintf(token, 64, "%s", text_of(made, "token"));
    json_decref(made);
}

/* {"id": 1, "rooms": [{}, room]} */
static char *body_of(json_t *room)
{
    json_t *body = json_pack("{s:i,s:[{},o]}", "id", 1, "rooms", room);
    char *text = json_dumps(body, 0);
    json_decref(body);
    return text;
}

static json_t *nested(int depth)
{
    json_t *value = json_object();
    while (--depth > 0)
        value = json_pack("{s:o}", "in", value);
    return value;
}

static json_t *crowded(int members)
{
    json_t *value = json_object();
    char name[16];
    for (int at = 0; at < members; at++) {
        (void)snprintf(name, sizeof name, "m%d", at);
        (void)json_object_set_new(value, name, json_integer(at));
    }
    return value;
}

static json_t *long_one(int bytes)
{
    char title[5001];
    memset(title, 'x', sizeof title);
    title[bytes] = '\0';
    return json_pack("{s:s}", "title", title);
}

/* What would be answered without its number is refused before anything is made of the rest. */
START_TEST(test_rooms_that_cannot_be_read)
{
    static const struct {
        json_t *(*make)(int count);
        int count;
        const char *code;
    } wrong[] = {{nested, 9, "too_deep"}, {crowded, 63, NULL}, {long_one, 5000, "too_long"}};
    char token[64], expected[64] = "";
    struct site_program_told told;
    make_token(token);
    char *body = body_of(wrong[_i].make(wrong[_i].count));
    ck_assert_ptr_null(post_rooms(token, body, 9, &told));
    free(body);
    ck_assert_int_eq(told.answer.status, 400);
    if (wrong[_i].code)
        (void)snprintf(expected, sizeof expected, "{\"code\":\"%s\"}\n", wrong[_i].code);
    ck_assert_uint_ge(told.answer.len, strlen(expected));
    ck_assert(memcmp(told.answer.body, expected, strlen(expected)) == 0);
    hub_http_release(&told.answer);
}
END_TEST

/* A room that can be read, and is none, is answered in its place. */
START_TEST(test_rooms_that_are_wrong)
{
    char token[64];
    struct site_program_told told;
    make_token(token);
    char *body = body_of(crowded(2));
    struct site_program *program = post_rooms(token, body, 9, &told);
    free(body);
    ck_assert_ptr_nonnull(program);
    for (int times = 0; times < 8 && program; times++) {
        nodes_settle(&nodes);
        if (site_program_take(program, nodes.now_ms, &told))
            program = NULL;
    }
    ck_assert_ptr_null(program);
    ck_assert_int_eq(told.answer.status, 200);
    json_t *value = json_loadb((const char *)told.answer.body, told.answer.len, 0, NULL);
    const json_t *rooms = json_object_get(value, "rooms");
    ck_assert_uint_eq(json_array_size(rooms), 2);
    ck_assert_ptr_nonnull(json_object_get(json_array_get(rooms, 0), "room"));
    ck_assert_ptr_nonnull(json_object_get(json_array_get(rooms, 1), "error"));
    json_decref(value);
    hub_http_release(&told.answer);
}
END_TEST

/* What came over a link says by a frame of which error it is, and not by its text. */
START_TEST(test_a_token_that_has_ended)
{
    const char *body = "{\"id\":1,\"rooms\":[{}]}";
    struct site_program_told told;
    const int ana = guest_of_part(&nodes, (unsigned)_i, "Ana");
    nodes_do(&nodes, ana, "claim", "{s:s}", "handle", "Ana-1");
    json_t *made = nodes_ok(&nodes, ana, "token_add", "{s:s,s:s,s:i}", "name", "maker", "scope",
                            "room", "days", 1);
    const json_t *token = json_array_get(json_object_get(made, "tokens"), 0);
    nodes_do(&nodes, ana, "token_drop", "{s:s}", "key", text_of(token, "key"));
    struct site_program *program = post_rooms(text_of(made, "token"), body, 9, &told);
    json_decref(made);
    ck_assert_ptr_nonnull(program);
    nodes_settle(&nodes);
    ck_assert(site_program_take(program, nodes.now_ms, &told));
    ck_assert_int_eq(told.answer.status, 401);
    hub_http_release(&told.answer);
}
END_TEST

/* Of all places somebody has a quarter, and others have the rest. */
START_TEST(test_places_of_programs)
{
    enum { ROOMS_AT_ONCE = SITE_PROGRAMS_OF_ADDRESS };
    const char *body = "{\"id\":1,\"rooms\":[{}]}";
    struct site_program *programs[ROOMS_AT_ONCE], *other;
    char token[64];
    struct site_program_told told;
    make_token(token);
    for (int at = 0; at < ROOMS_AT_ONCE; at++) {
        programs[at] = post_rooms(token, body, 9, &told);
        ck_assert_ptr_nonnull(programs[at]);
    }
    ck_assert_ptr_null(post_rooms(token, body, 9, &told));
    ck_assert_int_eq(told.answer.status, 429);
    hub_http_release(&told.answer);
    other = post_rooms(token, body, 10, &told);
    ck_assert_ptr_nonnull(other);
    site_program_end(programs[3], nodes.now_ms); /* one in the middle */
    programs[3] = post_rooms(token, body, 9, &told);
    ck_assert_ptr_nonnull(programs[3]);
    for (int at = 0; at < ROOMS_AT_ONCE; at++)
        site_program_end(programs[at], nodes.now_ms);
    site_program_end(other, nodes.now_ms);
}
END_TEST

Suite *program_suite(void)
{
    Suite *suite = suite_create("program");
    TCase *tests = tcase_create("programs that ask by HTTP");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, test_rooms_that_cannot_be_read, 0, 3);
    tcase_add_test(tests, test_rooms_that_are_wrong);
    tcase_add_loop_test(tests, test_a_token_that_has_ended, 0, 4);
    tcase_add_test(tests, test_places_of_programs);
    suite_add_tcase(suite, tests);
    return suite;
}
