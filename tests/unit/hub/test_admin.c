/* What the operator asks, line by line. */
#include "operator.h"
#include "operator/admin_page.h"
#include "suites.h"
#include "world.h"
#include <hub/address_prefix.h>
#include <hub/admin.h>
#include <registry/registry.h>
#include <string.h>

static struct world world;

static void setup(void)
{
    world_init(&world);
    operator_init(&world);
}

static void teardown(void)
{
    world_release(&world);
}

/* ---- lines that are no requests */

static const struct {
    const char *text, *code, *field;
    int id; /* of the answer; -1: null */
} bad_lines[] = {
    {"", "bad_json", "", -1},
    {"[]", "bad_json", "", -1},
    {"{\"id\":1,\"op\":\"status\"", "bad_json", "", -1},
    {"{\"id\":1,\"id\":1,\"op\":\"status\"}", "duplicate_key", "", -1},
    {"[[[[[[[[[1]]]]]]]]]", "too_deep", "", -1},
    {"{\"op\":\"status\"}", "missing_field", "id", -1},
    {"{\"id\":-1,\"op\":\"status\"}", "bad_field", "id", -1},
    {"{\"id\":9007199254740992,\"op\":\"status\"}", "bad_field", "id", -1},
    {"{\"id\":\"1\",\"op\":\"status\"}", "bad_field", "id", -1},
    {"{\"id\":7}", "missing_field", "op", 7},
    {"{\"id\":7,\"op\":7}", "unknown_op", "op", 7},
    {"{\"id\":7,\"op\":\"\"}", "unknown_op", "op", 7},
    {"{\"id\":7,\"op\":\"statu\"}", "unknown_op", "op", 7},
    {"{\"id\":7,\"op\":\"status\",\"x\":1}", "unknown_field", "", 7},
    {"{\"id\":7,\"op\":\"status\",\"all\":true}", "unknown_field", "all", 7},
    {"{\"id\":7,\"op\":\"rooms\",\"all\":1}", "bad_field", "all", 7},
    {"{\"id\":7,\"op\":\"rooms\",\"after\":\"12\"}", "bad_field", "after", 7},
    {"{\"id\":7,\"op\":\"rooms\",\"after\":12}", "bad_field", "after", 7},
    {"{\"id\":7,\"op\":\"room\"}", "missing_field", "room", 7},
    {"{\"id\":7,\"op\":\"room\",\"room\":\"../../..\"}", "bad_field", "room", 7},
    {"{\"id\":7,\"op\":\"room\",\"room\":8}", "bad_field", "room", 7},
    {"{\"id\":7,\"op\":\"room\",\"room\":\"abcdefgh\"}", "unknown_room", "room", 7},
    {"{\"id\":7,\"op\":\"drain\",\"cancel\":null}", "bad_field", "cancel", 7},
    {"{\"id\":7,\"op\":\"announce\"}", "missing_field", "text", 7},
    {"{\"id\":7,\"op\":\"ban\",\"target\":\"203.0.113.7\"}", "missing_field", "for_s", 7},
    {"{\"id\":7,\"op\":\"ban\",\"for_s\":1}", "missing_field", "target", 7},
    {"{\"id\":7,\"op\":\"ban\",\"target\":\"203.0.113.7\",\"for_s\":0}", "bad_field", "for_s", 7},
    {"{\"id\":7,\"op\":\"ban\",\"target\":\"203.0.113.7\",\"for_s\":315360001}", "bad_field",
     "for_s", 7},
    {"{\"id\":7,\"op\":\"silence\",\"target\":\"203.0.113\",\"for_s\":1}", "bad_field", "target",
     7},
    {"{\"id\":7,\"op\":\"silence\",\"target\":7,\"for_s\":1}", "bad_field", "target", 7},
    {"{\"id\":7,\"op\":\"lift\",\"target\":\"203.0.113.7\",\"for_s\":1}", "unknown_field", "for_s",
     7},
    {"{\"id\":7,\"op\":\"letters\",\"after\":\"6b336d3978306171\"}", "bad_field", "after", 7},
    {"{\"id\":7,\"op\":\"letters\",\"after\":\"040000000000000000000000000000000000000000000000"
     "00\"}",
     "bad_field", "after", 7},
    {"{\"id\":7,\"op\":\"letters\",\"after\":\"018000000000000000000000000000000000000000000000"
     "00\"}",
     "bad_field", "after", 7},
    {"{\"id\":7,\"op\":\"letters\",\"letter\":\"00000000000000000000000000000001\"}",
     "unknown_field", "letter", 7},
    {"{\"id\":7,\"op\":\"retry\"}", "missing_field", "letter", 7},
    {"{\"id\":7,\"op\":\"retry\",\"letter\":\"000000000000000000000000000000001\"}", "bad_field",
     "letter", 7},
    {"{\"id\":7,\"op\":\"discard\",\"letter\":12}", "bad_field", "letter", 7},
    {"{\"id\":7,\"op\":\"announce\",\"text\":\"\"}", "bad_field", "text", 7},
    {"{\"id\":7,\"op\":\"announce\",\"text\":\"a\\u001bb\"}", "bad_field", "text", 7},
    {"{\"id\":7,\"op\":\"announce\",\"text\":7}", "bad_field", "text", 7},
    {"{\"id\":7,\"op\":\"announce\",\"text\":\"a\",\"reason\":\"b\"}", "unknown_field", "reason",
     7},
    {"{\"id\":7,\"op\":\"close\",\"reason\":\"b\"}", "missing_field", "room", 7},
    {"{\"id\":7,\"op\":\"close\",\"room\":\"abcdefgh\",\"reason\":\" \"}", "bad_field", "reason",
     7},
    {"{\"id\":7,\"op\":\"close\",\"room\":\"abcdefgh\"}", "unknown_room", "room", 7},
};

START_TEST(test_bad_line)
{
    json_t *answer = operator_asked(bad_lines[_i].text);
    const json_t *error = json_object_get(answer, "error");
    ck_assert_str_eq(str(error, "code"), bad_lines[_i].code);
    ck_assert_str_eq(str(error, "field"), bad_lines[_i].field);
    ck_assert_str_ne(str(error, "message"), "");
    ck_assert_int_eq(num(answer, "id"), bad_lines[_i].id);
    json_decref(answer);
}
END_TEST

START_TEST(test_long_line)
{
    char text[ADMIN_LINE_BYTES + 2];
    memset(text, ' ', sizeof text);
    memcpy(text, "{\"id\":3,\"op\":\"status\"}", 22);
    text[ADMIN_LINE_BYTES] = '\0';
    json_decref(operator_granted(text));
    text[ADMIN_LINE_BYTES] = ' ';
    text[ADMIN_LINE_BYTES + 1] = '\0';
    operator_denied(text, "too_long");
}
END_TEST

/* What is written of a request into the audit log. */
static const struct {
    const char *text, *written;
} written[] = {
    {"{\"id\":7,\"op\":\"ban\",\"target\":\"203.0.113.7/"
     "24\",\"for_s\":60,\"force\":true,\"reason\":\"x\"}",
     "{\"op\":\"ban\",\"target\":\"203.0.113.0/24\",\"for_s\":60,\"force\":true,\"reason\":\"x\"}"},
    {"{\"id\":7,\"op\":\"lift\",\"target\":\"2F1C5E0AB9D34477\"}",
     "{\"op\":\"lift\",\"target\":\"2f1c5e0ab9d34477\"}"},
    {"{\"id\":7,\"op\":\"drain\",\"cancel\":true}", "{\"op\":\"drain\",\"cancel\":true}"},
    {"{\"id\":7,\"op\":\"close\",\"reason\":\"spam\",\"room\":\"abcdefgh\"}",
     "{\"op\":\"close\",\"room\":\"abcdefgh\",\"reason\":\"spam\"}"},
    {"{\"id\":7,\"op\":\"retry\",\"letter\":\"00000000000000AB0123456789abcdef\"}",
     "{\"op\":\"retry\",\"letter\":\"00000000000000ab0123456789abcdef\"}"},
    {"{\"id\":7,\"op\":\"rename\",\"to\":\"Hanna\",\"handle\":\"Ana-1\",\"reason\":\"asked\"}",
     "{\"op\":\"rename\",\"handle\":\"Ana-1\",\"to\":\"Hanna\",\"reason\":\"asked\"}"},
    {"{\"id\":7,\"op\":\"judge\",\"text\":\"hm\",\"why\":\"talk\",\"for_s\":60,\"report\":12,"
     "\"verdict\":\"silence\"}",
     "{\"op\":\"judge\",\"report\":12,\"verdict\":\"silence\",\"why\":\"talk\",\"for_s\":60,"
     "\"text\":\"hm\"}"},
    {"{\"id\":7,\"op\":\"annul\",\"match\":12,\"reason\":\"one person\"}",
     "{\"op\":\"annul\",\"match\":12,\"reason\":\"one person\"}"},
    {"{\"id\":7,\"op\":\"announce\",\"text\":\" a b \"}", "{\"op\":\"announce\",\"text\":\"a b\"}"},
};

START_TEST(test_request_is_written)
{
    const char *text = written[_i].text;
    struct admin_request request;
    struct refusal refusal;
    struct buffer line;
    struct writer writer;
    buffer_init(&line, 0, 4096);
    writer_init(&writer, &line);
    ck_assert(admin_request_read(&request, registry, text, strlen(text), &refusal));
    writer_object(&writer);
    admin_request_write(&request, &writer);
    writer_end(&writer);
    buffer_append_byte(&line, '\0');
    ck_assert_str_eq(buffer_payload(&line), written[_i].written);
    buffer_release(&line);
}
END_TEST

/* ---- status and lists */

START_TEST(test_status)
{
    struct table table;
    world_table(&world, &table, 2, "");
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"status\"}");
    ck_assert_int_eq(num(ok, "rooms"), 1);
    ck_assert_int_eq(num(ok, "sessions"), 2);
    ck_assert_int_eq(num(ok, "connections"), 2);
    ck_assert_int_eq(num(ok, "addresses"), 1);
    ck_assert_int_eq(num(ok, "time"), world.now_ms);
    ck_assert_int_gt(num(ok, "received"), 0);
    ck_assert_int_gt(num(ok, "sent"), 0);
    ck_assert_int_eq(num(ok, "unsent"), 0);
    ck_assert(json_is_false(json_object_get(ok, "draining")));
    ck_assert(json_is_false(json_object_get(ok, "store_failing")));
    json_decref(ok);
}
END_TEST

START_TEST(test_rooms)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"rooms\"}");
    const json_t *room = json_array_get(json_object_get(ok, "rooms"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 1);
    ck_assert_str_eq(str(room, "room"), table.room);
    ck_assert_str_eq(str(room, "state"), "live");
    ck_assert_str_eq(str(room, "host"), world.tabs[table.tabs[0]].session);
    ck_assert_int_eq(num(room, "connections"), 2);
    ck_assert_int_eq(num(room, "seq"), num(room, "durable_seq"));
    ck_assert_int_gt(num(room, "memory"), 0);
    ck_assert_str_eq(str(json_object_get(room, "summary"), "phase"), "playing");
    json_decref(ok);
    world_play_out(&world, &table);
    ok = operator_granted("{\"id\":1,\"op\":\"rooms\"}");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 0);
    json_decref(ok);
    ok = operator_granted("{\"id\":1,\"op\":\"rooms\",\"all\":true}");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 1);
    json_decref(ok);
}
END_TEST

START_TEST(test_room)
{
    struct table table;
    char text[80];
    world_table(&world, &table, 2, "");
    world_pass(&world, 5000);
    const int watcher = world_guest(&world, "Wu");
    world_do(&world, watcher, "watch", "{s:s}", "room", table.room);
    snprintf(text, sizeof text, "{\"id\":1,\"op\":\"room\",\"room\":\"%s\"}", table.room);
    json_t *ok = operator_granted(text);
    const json_t *people = json_object_get(ok, "people");
    ck_assert_uint_eq(json_array_size(people), 3);
    int seats = 0, watchers = 0;
    for (size_t i = 0; i < 3; i++) {
        const json_t *person = json_array_get(people, i);
        seats += json_object_get(person, "seat") != NULL;
        if (strcmp(str(person, "name"), "Wu") != 0)
            continue;
        watchers++;
        ck_assert_str_eq(str(person, "session"), world.tabs[watcher].session);
        ck_assert_int_eq(num(person, "since"), world.now_ms);
    }
    ck_assert_int_eq(seats, 2);
    ck_assert_int_eq(watchers, 1);
    json_decref(ok);
}
END_TEST

/* Two addresses, of which one comes twice, the other in between. */
START_TEST(test_addresses_of_a_session)
{
    const int first = world_guest(&world, "Ana");
    const int second = world_connect_from(&world, 9);
    world_do(&world, second, "hello", "{s:s}", "token", world.tabs[first].token);
    world_back(&world, first);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"sessions\"}");
    const json_t *session = json_array_get(json_object_get(ok, "sessions"), 0);
    ck_assert_int_eq(num(session, "connections"), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(session, "addresses")), 2);
    json_decref(ok);
}
END_TEST

START_TEST(test_sessions)
{
    const int ana = world_guest(&world, "Ana"), bo = world_guest(&world, "Bo");
    world_back(&world, ana);
    world_cut(&world, bo);
    world.tabs[ana].deaf = true;
    world_post(&world, ana, "ping", "");
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"sessions\"}");
    const json_t *session = json_array_get(json_object_get(ok, "sessions"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "sessions")), 1);
    ck_assert_str_eq(str(session, "name"), "Ana");
    ck_assert_str_eq(str(session, "session"), world.tabs[ana].session);
    ck_assert_int_eq(num(session, "connections"), 2);
    ck_assert_int_gt(num(session, "unsent"), 0);
    ck_assert_int_gt(num(session, "received"), 0);
    ck_assert_int_gt(num(session, "sent"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(session, "addresses")), 1);
    json_decref(ok);
    ok = operator_granted("{\"id\":1,\"op\":\"sessions\",\"all\":true}");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "sessions")), 2);
    json_decref(ok);
}
END_TEST

START_TEST(test_addresses)
{
    const int64_t begun_ms = world.now_ms;
    const int first = world_connect_from(&world, 1);
    world_pass(&world, 1000);
    world_connect_from(&world, 1);
    const int other = world_connect_from(&world, 2);
    world_do(&world, first, "hello", "");
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"addresses\"}");
    const json_t *list = json_object_get(ok, "addresses");
    ck_assert_uint_eq(json_array_size(list), 2);
    const json_t *address = json_array_get(list, 0);
    ck_assert_int_eq(num(address, "connections"), 2);
    ck_assert_int_eq(num(address, "sessions"), 1);
    ck_assert_int_eq(num(address, "since"), begun_ms);
    ck_assert_int_eq(num(json_array_get(list, 1), "connections"), 1);
    json_decref(ok);
    world_cut(&world, other);
    ok = operator_granted("{\"id\":1,\"op\":\"addresses\"}");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "addresses")), 1);
    json_decref(ok);
}
END_TEST

/* Every one is on exactly one page, also when one of the page before has gone meanwhile. */
START_TEST(test_pages)
{
    enum { PEOPLE = 2 * ADMIN_PAGE + 7 };
    char text[120] = "{\"id\":1,\"op\":\"sessions\",\"all\":true}";
    size_t seen = 0, pages = 0;
    char before[20] = "";
    world.config.sessions_per_address_burst = PEOPLE;
    world_start(&world);
    for (int i = 0; i < PEOPLE; i++)
        world_cut(&world, world_guest(&world, "Ana"));
    for (bool more = true; more; pages++) {
        json_t *ok = operator_granted(text);
        const json_t *list = json_object_get(ok, "sessions");
        ck_assert_uint_le(json_array_size(list), ADMIN_PAGE);
        for (size_t i = 0; i < json_array_size(list); i++) {
            ck_assert_str_lt(before, str(json_array_get(list, i), "session"));
            snprintf(before, sizeof before, "%s", str(json_array_get(list, i), "session"));
        }
        seen += json_array_size(list);
        more = json_object_get(ok, "next") != NULL;
        snprintf(text, sizeof text, "{\"id\":1,\"op\":\"sessions\",\"all\":true,\"after\":\"%s\"}",
                 str(ok, "next"));
        json_decref(ok);
    }
    ck_assert_uint_eq(seen, PEOPLE);
    ck_assert_uint_eq(pages, 3);
}
END_TEST

START_TEST(test_page_of_just_the_size)
{
    static struct page page;
    uint8_t key[PAGE_KEY_BYTES] = {0};
    for (int i = ADMIN_PAGE; i-- > 0;) {
        key[0] = (uint8_t)i;
        page_offer(&page, key, &page);
    }
    ck_assert_uint_eq(page.count, ADMIN_PAGE);
    ck_assert(!page.more);
    key[0] = 3;
    ck_assert_uint_eq(page_find(&page, key), 3);
    key[1] = 1;
    ck_assert_uint_eq(page_find(&page, key), ADMIN_PAGE);
    page_offer(&page, key, NULL);
    ck_assert(page.more);
    ck_assert_uint_eq(page.count, ADMIN_PAGE);
    ck_assert_uint_eq(page_find(&page, key), 4);
    ck_assert_uint_eq(page.keys[ADMIN_PAGE - 1][0], ADMIN_PAGE - 2);
}
END_TEST

static const struct {
    uint8_t ip[16];
    const char *text;
    bool is_local;
} prefixes[] = {
    {{[10] = 0xff, [11] = 0xff, [12] = 203, [13] = 0, [14] = 113, [15] = 7}, "203.0.113.7", false},
    {{[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1}, "127.0.0.1", true},
    {{0x20, 0x01, 0x0d, 0xb8, 0, 1, 0xff, 0xff, 9}, "2001:db8:1:ffff::/64", false},
    {{0x20, 0x01, 0, 0, 127}, "2001:0:7f00:0::/64", false},
    {{0}, "local", true},
    {{[15] = 1}, "local", true},
};

START_TEST(test_prefix)
{
    char text[ADDRESS_PREFIX_TEXT];
    const struct address_prefix prefix = address_prefix_of(prefixes[_i].ip);
    address_prefix_format(&prefix, text);
    ck_assert_str_eq(text, prefixes[_i].text);
    ck_assert_int_eq(address_prefix_is_local(&prefix), prefixes[_i].is_local);
}
END_TEST

/* ---- looking while something is wrong */

START_TEST(test_lists_while_the_store_fails)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world.answer = STORE_FULL;
    world_refused(&world, table.tabs[0], "store_failing", "rename", "{s:s}", "name", "Eve");
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"status\"}");
    ck_assert(json_is_true(json_object_get(ok, "store_failing")));
    json_decref(ok);
    ok = operator_granted("{\"id\":1,\"op\":\"rooms\"}");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 1);
    json_decref(ok);
    world.answer = STORE_OK;
}
END_TEST

/* ---- drain */

static void heard(int tab, const char *code)
{
    json_t *push = world_push(&world, tab, "notice");
    ck_assert_str_eq(str(push, "code"), code);
    ck_assert_str_ne(str(push, "message"), "");
    json_decref(push);
}

START_TEST(test_drain)
{
    const int ana = world_guest(&world, "Ana");
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"drain\"}");
    ck_assert(json_is_true(json_object_get(ok, "draining")));
    json_decref(ok);
    heard(ana, "draining");
    world_refused(&world, ana, "draining", "create", "{}");
    world_refused(&world, world_connect(&world), "draining", "hello", "");
    ok = operator_granted("{\"id\":1,\"op\":\"status\"}"); /* it still answers */
    ck_assert(json_is_true(json_object_get(ok, "draining")));
    json_decref(ok);
    ok = operator_granted("{\"id\":1,\"op\":\"drain\",\"cancel\":true}");
    ck_assert(json_is_false(json_object_get(ok, "draining")));
    json_decref(ok);
    heard(ana, "serving");
    world_guest(&world, "Bo");
    json_decref(operator_granted("{\"id\":1,\"op\":\"drain\",\"cancel\":true}"));
    ck_assert_ptr_null(world_push(&world, ana, "notice"));
}
END_TEST

/* ---- close, announce */

static const char *closing(const char *room, const char *reason)
{
    static char text[200];
    snprintf(text, sizeof text, "{\"id\":1,\"op\":\"close\",\"room\":\"%s\"%s}", room, reason);
    return text;
}

/* What a client that comes later is told of the room. */
static void closed_for(int tab, const char *room)
{
    json_t *ok = world_ok(&world, tab, "watch", "{s:s}", "room", room);
    const json_t *state = json_object_get(ok, "state");
    ck_assert_str_eq(str(state, "phase"), "over");
    ck_assert_str_eq(str(json_object_get(state, "result"), "why"), "closed");
    json_decref(ok);
}

START_TEST(test_close_match)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world_begin(&world, &table);
    world_move(&world, &table);
    for (int i = 0; i < table.players; i++)
        world_forget(&world, table.tabs[i]);
    json_decref(operator_granted(closing(table.room, ",\"reason\":\"It was spam.\"")));
    for (int i = 0; i < table.players; i++) {
        json_t *push = world_push(&world, table.tabs[i], "event");
        ck_assert_str_eq(str(json_object_get(push, "event"), "over"), "closed");
        json_decref(push);
        push = world_push(&world, table.tabs[i], "notice");
        ck_assert_str_eq(str(push, "code"), "closed");
        ck_assert_str_eq(str(push, "room"), table.room);
        ck_assert_str_eq(str(push, "message"), "It was spam.");
        json_decref(push);
    }
    operator_denied(closing(table.room, ""), "is_over");
    closed_for(world_guest(&world, "Wu"), table.room);
    world_restart(&world);
    closed_for(world_guest(&world, "Wu"), table.room);
}
END_TEST

START_TEST(test_close_lobby)
{
    struct table table;
    world_table(&world, &table, 2, "");
    for (int i = 0; i < table.players; i++)
        world_forget(&world, table.tabs[i]);
    json_t *ok = operator_granted(closing(table.room, ""));
    ck_assert_str_eq(str(ok, "room"), table.room);
    json_decref(ok);
    for (int i = 0; i < table.players; i++) {
        heard(table.tabs[i], "closed");
        world_refused(&world, table.tabs[i], "unknown_room", "ready", "{s:s,s:b}", "room",
                      table.room, "ready", 1);
    }
    operator_denied(closing(table.room, ""), "unknown_room");
    world_table(&world, &table, 2, ""); /* their seats are free again */
    world_restart(&world);
    ok = operator_granted("{\"id\":1,\"op\":\"rooms\"}");
    ck_assert_uint_eq(json_array_size(json_object_get(ok, "rooms")), 1);
    json_decref(ok);
}
END_TEST

/* Nothing is said, nor answered, before it is durable; if it does not become so the room goes on.
 */
START_TEST(test_close_waits)
{
    struct table table[2];
    struct buffer line;
    for (int i = 0; i < 2; i++)
        world_table(&world, &table[i], 2, "");
    if (_i & 1)
        world_begin(&world, &table[0]);
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    const int ana = table[0].tabs[0];
    world_forget(&world, ana);
    world.held = true;
    ck_assert_int_eq(operator_ask(closing(table[0].room, ""), &line), ADMIN_WAITS);
    world_settle(&world);
    ck_assert_int_eq(operator_waited(&line), ADMIN_WAITS);
    ck_assert_ptr_null(world_push(&world, ana, "notice"));
    operator_denied(closing(table[1].room, ""), "busy");
    world.held = false;
    world_commit(&world, _i & 2 ? STORE_FULL : STORE_OK);
    ck_assert_int_eq(operator_waited(&line), _i & 2 ? ADMIN_REFUSED : ADMIN_DONE);
    json_t *push = world_push(&world, ana, "notice");
    ck_assert_str_eq(str(push, "code"), _i & 2 ? "store_failing" : "closed");
    json_decref(push);
    if (_i & 2)
        ck_assert_ptr_nonnull(strstr(buffer_payload(&line), "\"store_failing\""));
    if (_i & 2)
        operator_denied(closing(table[0].room, ""), "store_failing");
    buffer_release(&line);
    world_pass(&world, 60000);
    json_decref(operator_granted(closing(table[_i & 2 ? 0 : 1].room, "")));
}
END_TEST

/* A lobby that is being saved is left alone until it is. */
START_TEST(test_close_a_lobby_that_changes)
{
    struct table table;
    world_table(&world, &table, 2, "");
    world.held = true;
    world_post(&world, table.tabs[0], "leave", "{s:s}", "room", table.room);
    world_settle(&world);
    struct buffer line;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    ck_assert_int_eq(operator_ask(closing(table.room, ""), &line), ADMIN_REFUSED);
    buffer_append_byte(&line, '\0');
    ck_assert_ptr_nonnull(strstr(buffer_payload(&line), "\"busy\""));
    buffer_release(&line);
    world.held = false;
    world_commit(&world, STORE_OK);
    json_decref(operator_granted(closing(table.room, "")));
}
END_TEST

START_TEST(test_announce)
{
    const int ana = world_guest(&world, "Ana"), stranger = world_connect(&world);
    json_t *ok = operator_granted("{\"id\":1,\"op\":\"announce\",\"text\":\"Pause at 22:00.\"}");
    ck_assert_int_eq(num(ok, "connections"), 2);
    json_decref(ok);
    for (int i = 0; i < 2; i++) {
        json_t *push = world_push(&world, i ? ana : stranger, "notice");
        ck_assert_str_eq(str(push, "code"), "announcement");
        ck_assert_str_eq(str(push, "message"), "Pause at 22:00.");
        ck_assert_ptr_null(json_object_get(push, "room"));
        json_decref(push);
    }
}
END_TEST

Suite *admin_suite(void)
{
    Suite *suite = suite_create("admin");
    TCase *tests = tcase_create("admin");
    tcase_add_checked_fixture(tests, setup, teardown);
    TCase *near = near_case(suite, setup, teardown);
    tcase_add_loop_test(tests, test_bad_line, 0, sizeof bad_lines / sizeof bad_lines[0]);
    tcase_add_test(tests, test_long_line);
    tcase_add_loop_test(tests, test_request_is_written, 0, sizeof written / sizeof written[0]);
    tcase_add_test(tests, test_status);
    tcase_add_test(tests, test_rooms);
    tcase_add_test(tests, test_room);
    tcase_add_test(tests, test_addresses_of_a_session);
    tcase_add_test(near, test_sessions);
    tcase_add_test(tests, test_addresses);
    tcase_add_test(tests, test_pages);
    tcase_add_test(tests, test_page_of_just_the_size);
    tcase_add_loop_test(tests, test_prefix, 0, sizeof prefixes / sizeof prefixes[0]);
    tcase_add_test(tests, test_lists_while_the_store_fails);
    tcase_add_test(tests, test_drain);
    tcase_add_test(tests, test_close_match);
    tcase_add_test(tests, test_close_lobby);
    tcase_add_loop_test(tests, test_close_waits, 0, 4);
    tcase_add_test(tests, test_close_a_lobby_that_changes);
    tcase_add_test(tests, test_announce);
    suite_add_tcase(suite, tests);
    return suite;
}
