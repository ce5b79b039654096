/* What messages say beside their text, and what no hub would say. */
#include "answers/merge.h"
#include "suites.h"
#include <hub/facts.h>
#include <string.h>

enum { TEXT = 100 };

static struct buffer facts;

static void set_up(void)
{
    buffer_init(&facts, 0, FACTS_BYTES_MAX);
}

static void tear_down(void)
{
    buffer_release(&facts);
}

static struct facts said(size_t len)
{
    return (struct facts){(const unsigned char *)buffer_payload(&facts), len};
}

static struct facts_hello hello_of(void)
{
    return (struct facts_hello){.session = UINT64_C(0x0123456789abcdef),
                                .scopes = 0x15,
                                .account = {.kind = ACCOUNT_BOT, .quiet = true, .handle = "Ana-1"},
                                .name = "\xc3\x81na",
                                .seats_end = TEXT - 1,
                                .any_seat = true};
}

START_TEST(test_hello)
{
    const struct facts_hello hello = hello_of();
    const uint8_t hash[32] = {[0] = 1, [31] = 2};
    struct facts_hello read;
    facts_put_hello(&facts, &hello);
    ck_assert(facts_read_hello(said(facts.len), TEXT, &read));
    ck_assert(!read.has_token);
    ck_assert(!facts_read_hello(said(facts.len), TEXT - 1, &read)); /* beyond the text */
    facts_put_token(&facts, hash);
    ck_assert(facts_read_hello(said(facts.len), TEXT, &read));
    ck_assert(read.has_token && memcmp(read.token_hash, hash, sizeof hash) == 0);
    ck_assert(read.session == hello.session && read.scopes == hello.scopes);
    ck_assert(read.seats_end == hello.seats_end && read.any_seat);
    ck_assert_int_eq(read.account.kind, ACCOUNT_BOT);
    ck_assert(read.account.quiet);
    ck_assert_str_eq(read.account.handle, hello.account.handle);
    ck_assert_str_eq(read.name, hello.name);
}
END_TEST

/* Half of it is none, but without the token. */
START_TEST(test_half_a_hello)
{
    const struct facts_hello hello = hello_of();
    const uint8_t hash[32] = {0};
    struct facts_hello read;
    facts_put_hello(&facts, &hello);
    const size_t without = facts.len;
    facts_put_token(&facts, hash);
    for (size_t len = 0; len < facts.len; len++)
        ck_assert(facts_read_hello(said(len), TEXT, &read) == (len == without));
    buffer_append_byte(&facts, 0);
    ck_assert(!facts_read_hello(said(facts.len), TEXT, &read));
}
END_TEST

/* Names are shown to others, so they are what they have to be. */
START_TEST(test_no_such_hello)
{
    static const struct {
        const char *name, *handle;
    } wrong[] = {{"", "Ana-1"}, {"\xff", "Ana-1"}, {"Ana", "1Ana"}, {"Ana", "A na"}, {"Ana", ""}};
    struct facts_hello hello = hello_of(), read;
    memcpy(hello.name, wrong[_i].name, strlen(wrong[_i].name) + 1);
    memcpy(hello.account.handle, wrong[_i].handle, strlen(wrong[_i].handle) + 1);
    facts_put_hello(&facts, &hello);
    ck_assert(!facts_read_hello(said(facts.len), TEXT, &read));
}
END_TEST

START_TEST(test_account)
{
    const struct protocol_account account = {.kind = ACCOUNT_PERSON, .handle = "Ana-1"};
    struct protocol_account read;
    struct facts_hello hello;
    bool more;
    facts_put_account(&facts, &account);
    for (size_t len = 0; len < facts.len; len++)
        ck_assert(!facts_read_account(said(len), &read));
    ck_assert(facts_read_account(said(facts.len), &read));
    ck_assert(read.kind == ACCOUNT_PERSON && !read.quiet && strcmp(read.handle, "Ana-1") == 0);
    ck_assert(!facts_read_hello(said(facts.len), TEXT, &hello));
    ck_assert(!facts_read_rooms(said(facts.len), &more));
}
END_TEST

/* ---- lists */

static void put_room(const char *id, size_t place, size_t len, bool lobby, bool own)
{
    struct facts_room room = {.place = place, .len = len, .own = own, .lobby = lobby};
    memcpy(room.id, id, PROTOCOL_ROOM_BYTES);
    facts_put_room(&facts, &room);
}

START_TEST(test_rooms_beyond_the_text)
{
    static const struct {
        size_t place, len;
        bool within;
    } rooms[] = {{0, TEXT, true},      {TEXT, 0, true},        {1, TEXT, false},
                 {TEXT + 1, 0, false}, {UINT32_MAX, 2, false}, {2, UINT32_MAX, false}};
    struct facts_room read;
    size_t at = 0;
    facts_begin_rooms(&facts);
    put_room("01000000", rooms[_i].place, rooms[_i].len, false, false);
    ck_assert(facts_next_room(said(facts.len), TEXT, &at, &read) == rooms[_i].within);
}
END_TEST

START_TEST(test_rooms_that_are_none)
{
    struct facts_room read;
    size_t at = 0;
    bool more;
    facts_begin_rooms(&facts);
    put_room("0!000000", 0, 1, false, false);
    ck_assert(!facts_next_room(said(facts.len), TEXT, &at, &read));
    ck_assert(!facts_read_rooms(said(facts.len - 1), &more));
    ck_assert(!facts_next_room(said(0), TEXT, &at, &read));
}
END_TEST

/* In the order of all; and whose own they are does not count. */
START_TEST(test_merge)
{
    static const char text[] = "abcdef";
    static const char *const order[] = {"a", "d", "b", "c"};
    struct merge merge = {0};
    struct merged_room room;
    struct buffer second;
    facts_begin_rooms(&facts);
    put_room("01000000", 0, 1, true, false);
    put_room("01000001", 1, 1, false, false);
    put_room("03000000", 2, 1, false, false);
    put_room("00000000", 5, 1, true, true);
    facts_end_rooms(&facts, false);
    merge_add(&merge, 2, (struct piece){text, 6}, said(facts.len));
    struct buffer first = facts;
    buffer_init(&facts, 0, FACTS_BYTES_MAX);
    facts_begin_rooms(&facts);
    put_room("02000000", 3, 1, true, false);
    facts_end_rooms(&facts, _i == 1);
    second = facts;
    merge_add(&merge, 5, (struct piece){text, 6}, said(facts.len));
    merge_add(&merge, 6, (struct piece){text, 6}, (struct facts){0});
    for (size_t at = 0; at < sizeof order / sizeof order[0]; at++) {
        ck_assert(merge_has_more(&merge) && merge_next(&merge, &room));
        ck_assert(room.text.len == 1 && room.text.at[0] == order[at][0]);
        ck_assert_uint_eq(room.part, at == 1 ? 5 : 2);
    }
    ck_assert_str_eq(room.id, "03000000");
    ck_assert(!merge_next(&merge, &room));
    ck_assert(merge_has_more(&merge) == (_i == 1));
    facts = first;
    buffer_release(&second);
}
END_TEST

/* Behind the text of a page. */
START_TEST(test_page)
{
    struct buffer page;
    struct facts read;
    size_t len;
    buffer_init(&page, 0, TEXT);
    buffer_append_string(&page, "text");
    facts_begin_rooms(&facts);
    facts_append(&page, &facts);
    const unsigned char *bytes = (const unsigned char *)buffer_payload(&page);
    ck_assert(facts_split(bytes, page.len, &read, &len));
    ck_assert(len == 4 && read.at == bytes + 4 && read.len == facts.len);
    for (size_t cut = 0; cut < 4; cut++)
        ck_assert(!facts_split(bytes, cut, &read, &len));
    ck_assert(!facts_split(bytes + 5, page.len - 5, &read, &len)); /* longer than what is there */
    buffer_release(&page);
}
END_TEST

Suite *facts_suite(void)
{
    Suite *suite = suite_create("facts");
    TCase *tcase = tcase_create("facts");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, test_hello);
    tcase_add_test(tcase, test_half_a_hello);
    tcase_add_loop_test(tcase, test_no_such_hello, 0, 5);
    tcase_add_test(tcase, test_account);
    tcase_add_loop_test(tcase, test_rooms_beyond_the_text, 0, 6);
    tcase_add_test(tcase, test_rooms_that_are_none);
    tcase_add_loop_test(tcase, test_merge, 0, 2);
    tcase_add_test(tcase, test_page);
    suite_add_tcase(suite, tcase);
    return suite;
}
