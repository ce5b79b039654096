/* A message of a client's is decoded once in the node that it has come to, whatever becomes of it.
 */
#include "clients/client.h"
#include "nodes.h"
#include "suites.h"
#include <hub/part.h>
#include <protocol/request.h>
#include <string.h>

static struct nodes nodes;
static size_t decoded;

enum protocol_error __real_request_decode(struct request *request, const char *bytes, size_t len);
enum protocol_error __wrap_request_decode(struct request *request, const char *bytes, size_t len);

enum protocol_error __wrap_request_decode(struct request *request, const char *bytes, size_t len)
{
    decoded++;
    return __real_request_decode(request, bytes, len);
}

/* Parts 0 and 2 are at node 0, part 1 at node 1. */
static void set_up(void)
{
    nodes_init(&nodes, 2, 3);
}

static void tear_down(void)
{
    nodes_release(&nodes);
}

/* Somebody at home in part 0, of node 0, and a room of part 2 or 1. */
static int guest_and_room(unsigned part, char room[static 9])
{
    int guest = nodes_guest(&nodes, 0, "Ana"), host = nodes_guest(&nodes, (int)part % 2, "Bo");
    while (home_of(&nodes, guest) != 0)
        guest = nodes_guest(&nodes, 0, "Ana");
    while (home_of(&nodes, host) != part)
        host = nodes_guest(&nodes, (int)part % 2, "Bo");
    nodes_room(&nodes, host, room);
    decoded = 0;
    return guest;
}

/* Here, and once more where the part is. */
START_TEST(test_what_goes_on)
{
    char room[9];
    const int guest = guest_and_room(_i == 0 ? 2 : 1, room);
    nodes_do(&nodes, guest, "watch", "{s:s}", "room", room);
    ck_assert_uint_eq(decoded, _i == 0 ? 1 : 2);
}
END_TEST

START_TEST(test_what_cannot_be_read)
{
    static const char *const texts[] = {"{\"id\":7,\"op\":\"none\"}", "{\"id\":7,", "\xff", "7"};
    char room[9];
    const int guest = guest_and_room(2, room);
    nodes_send(&nodes, guest, texts[_i]);
    nodes_settle(&nodes);
    ck_assert_uint_eq(decoded, 1);
    ck_assert_uint_eq(nodes.guests[guest].open ? nodes.guests[guest].count : 1, 1);
}
END_TEST

/* Each when it has its turn, and none again for what comes meanwhile. */
START_TEST(test_what_waits)
{
    char room[9];
    const int guest = guest_and_room(1, room);
    nodes_leave(&nodes, 1);
    nodes_settle(&nodes);
    for (int times = 0; times < 4; times++) {
        (void)nodes_post(&nodes, guest, "moves", "{s:s}", "room", room);
        nodes_settle(&nodes);
        nodes_pass(&nodes, 100);
    }
    ck_assert_uint_eq(decoded, 1);
    nodes_serve(&nodes, 1, 0);
    nodes_settle(&nodes);
    ck_assert_uint_eq(decoded, 4);
}
END_TEST

#define TOKEN "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static bool is_in(const struct decoded *read, const char *text)
{
    const char *bytes = (const char *)read;
    const size_t len = strlen(text);
    for (size_t at = 0; at + len <= sizeof *read; at++) {
        if (memcmp(bytes + at, text, len) == 0)
            return true;
    }
    return false;
}

/* What opens an account, a table or a device does not stay in memory, be it well said or not. */
START_TEST(test_what_opens_something_is_wiped)
{
    static const struct {
        const char *text, *secret;
    } said[] = {
        {"{\"id\":1,\"op\":\"hello\",\"token\":\"" TOKEN "\"}", TOKEN},
        {"{\"id\":1,\"op\":\"hello\",\"token\":\"" TOKEN "\",\"x\":1}", TOKEN},
        {"{\"id\":1,\"op\":\"join\",\"room\":\"abcdefgh\",\"code\":\"abcdefgh23456723\"}",
         "abcdefgh23456723"},
        {"{\"id\":1,\"op\":\"say\",\"room\":\"abcdefgh\",\"text\":\"between us\"}", "between us"},
    };
    static struct decoded read;
    decoded_read(&read, said[_i].text, strlen(said[_i].text));
    ck_assert(is_in(&read, said[_i].secret));
    decoded_release(&read);
    ck_assert(!is_in(&read, said[_i].secret));
}
END_TEST

/* A move hides nothing: of all requests it is the one that is asked most. */
START_TEST(test_a_move_is_not_wiped)
{
    static const char text[] =
        "{\"id\":1,\"op\":\"move\",\"room\":\"abcdefgh\",\"move\":\"a b c\",\"confirm\":true}";
    static struct decoded read;
    decoded_read(&read, text, sizeof text - 1);
    ck_assert_int_eq(read.error, PROTOCOL_OK);
    decoded_release(&read);
    ck_assert(is_in(&read, "a b c"));
}
END_TEST

Suite *decode_suite(void)
{
    Suite *suite = suite_create("decoded once");
    TCase *tcase = tcase_create("decoded once");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, test_what_goes_on, 0, 2);
    tcase_add_loop_test(tcase, test_what_cannot_be_read, 0, 4);
    tcase_add_test(tcase, test_what_waits);
    tcase_add_loop_test(tcase, test_what_opens_something_is_wiped, 0, 4);
    tcase_add_test(tcase, test_a_move_is_not_wiped);
    suite_add_tcase(suite, tcase);
    return suite;
}
