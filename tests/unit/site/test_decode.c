/* A message of a client's is decoded once in the node that it has come to, whatever becomes of it.
 */
#include "nodes.h"
#include "suites.h"
#include <hub/part.h>
#include <protocol/request.h>

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

Suite *decode_suite(void)
{
    Suite *suite = suite_create("decoded once");
    TCase *tcase = tcase_create("decoded once");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, test_what_goes_on, 0, 2);
    tcase_add_loop_test(tcase, test_what_cannot_be_read, 0, 4);
    tcase_add_test(tcase, test_what_waits);
    suite_add_tcase(suite, tcase);
    return suite;
}
