/* A connection by itself, on a libwebsockets that does what the test says: counting, input, what of
 * it is read in a turn of the loop, the end. */
#include "../../support/run_suites.h"
#include "connection.h"
#include "net_private.h"
#include "read_turn.h"
#include <check.h>
#include <errno.h>
#include <libwebsockets.h>
#include <net/clock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- libwebsockets */

static struct {
    int fd, written, asked, killed;
    bool buffers, dead, reads;
} lws;

int lws_partial_buffered(struct lws *wsi)
{
    (void)wsi;
    return lws.buffers;
}

int lws_callback_on_writable(struct lws *wsi)
{
    (void)wsi;
    return ++lws.asked;
}

int lws_rx_flow_control(struct lws *wsi, int enable)
{
    (void)wsi;
    lws.reads = enable;
    return 0;
}

int lws_write(struct lws *wsi, unsigned char *bytes, size_t len, enum lws_write_protocol protocol)
{
    (void)wsi, (void)bytes, (void)protocol;
    lws.written += (int)len;
    return lws.dead ? -1 : (int)len;
}

lws_sockfd_type lws_get_socket_fd(struct lws *wsi)
{
    (void)wsi;
    return lws.fd;
}

void lws_set_timeout(struct lws *wsi, enum pending_timeout reason, int secs)
{
    (void)wsi, (void)reason;
    lws.killed += secs == LWS_TO_KILL_ASYNC;
}

/* ---- one net, and the other side of its socket */

static struct net net;
static struct net_clock net_clock;
static struct connection *link_;
static int peer;
static int wsi; /* only its address matters */
static const struct address address = {{[10] = 0xff, [11] = 0xff, [12] = 10}};

static void set_up(void)
{
    int sockets[2];
    memset(&net, 0, sizeof net);
    memset(&lws, 0, sizeof lws);
    lws.reads = true;
    net_clock_init(&net_clock);
    net.clock = &net_clock;
    address_counts_init(&net.connections.counts);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    lws.fd = sockets[0];
    peer = sockets[1];
    link_ = connection_create(&net, &address, false);
    ck_assert_ptr_nonnull(link_);
    link_->wsi = (struct lws *)&wsi;
}

static void tear_down(void)
{
    if (link_)
        connection_destroy(link_);
    ck_assert_ptr_null(net.connections.first);
    ck_assert_uint_eq(net.connections.count, 0);
    ck_assert_uint_eq(net.connections.http_count, 0);
    ck_assert_uint_eq(address_counts_get(&net.connections.counts, &address), 0);
    address_counts_release(&net.connections.counts);
    close(lws.fd);
    close(peer);
}

/* Has the other side been told that nothing more comes? */
static bool peer_sees_end(void)
{
    char byte;
    return recv(peer, &byte, 1, MSG_DONTWAIT) == 0;
}

static bool peer_may_write(void)
{
    return send(peer, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
}

static void check_counts(size_t connections, size_t http, uint32_t of_address)
{
    ck_assert_uint_eq(net.connections.count, connections);
    ck_assert_uint_eq(net.connections.http_count, http);
    ck_assert_uint_eq(address_counts_get(&net.connections.counts, &address), of_address);
}

static size_t listed(void)
{
    size_t count = 0;
    struct connection **back = &net.connections.first;
    for (struct connection *connection = net.connections.first; connection;
         connection = connection->next) {
        ck_assert_ptr_eq(connection->back, back);
        back = &connection->next;
        count++;
    }
    return count;
}

/* ---- counting */

START_TEST(test_counts)
{
    int64_t before_ms = net_clock_ms(&net_clock);
    struct connection *proxied = connection_create(&net, &address, true);
    struct connection *third = connection_create(&net, &address, false);
    ck_assert_int_ge(proxied->since_ms, before_ms);
    ck_assert_int_eq(proxied->state, CONNECTION_REQUEST);
    ck_assert_mem_eq(&proxied->address, &address, sizeof address);
    check_counts(3, 3, 2);
    ck_assert_uint_eq(listed(), 3);
    connection_leave_http(proxied);
    check_counts(3, 2, 2);
    ck_assert_uint_eq(listed(), 2);
    connection_leave_http(link_);
    check_counts(3, 1, 1);
    ck_assert_uint_eq(listed(), 1);
    bool destroyed = false;
    proxied->destroyed = &destroyed;
    connection_destroy(proxied);
    ck_assert(destroyed);
    check_counts(2, 1, 1);
    third->wsi = NULL; /* libwebsockets does not have it yet */
    connection_cut(third);
    check_counts(2, 0, 0);
    connection_cut(third);
    check_counts(2, 0, 0);
    ck_assert_uint_eq(listed(), 1);
    ck_assert_int_eq(lws.killed, 0);
    connection_destroy(third);
    ck_assert_uint_eq(listed(), 0);
}
END_TEST

/* ---- input */

START_TEST(test_input)
{
    enum { MOST = 64 };
    char expected[MOST];
    for (size_t at = 0; at < MOST; at++) {
        expected[at] = (char)at;
        ck_assert(connection_keep_input(link_, &expected[at], 1, MOST));
        ck_assert_uint_eq(link_->input_len, at + 1);
        ck_assert_uint_ge(link_->input_size, link_->input_len);
        ck_assert_uint_le(link_->input_size, at + 1 <= MOST / 4 ? MOST / 4 : MOST);
        ck_assert_mem_eq(link_->input, expected, at + 1);
    }
    ck_assert(!connection_keep_input(link_, "x", 1, MOST));
    ck_assert(connection_keep_input(link_, NULL, 0, MOST));
    ck_assert_uint_eq(link_->input_len, MOST);
    connection_drop_input(link_, 0);
    connection_drop_input(link_, 40);
    ck_assert_uint_eq(link_->input_len, MOST - 40);
    ck_assert_mem_eq(link_->input, expected + 40, MOST - 40);
    connection_drop_input(link_, MOST - 41);
    ck_assert_uint_eq(link_->input_len, 1);
    ck_assert_int_eq(link_->input[0], MOST - 1);
    connection_drop_input(link_, 1); /* an idle connection holds no memory */
    ck_assert_ptr_null(link_->input);
    ck_assert_uint_eq(link_->input_len, 0);
    ck_assert_uint_eq(link_->input_size, 0);
    ck_assert(connection_keep_input(link_, expected, MOST / 4 + 1, MOST));
    ck_assert_mem_eq(link_->input, expected, MOST / 4 + 1);
}
END_TEST

/* ---- what a turn reads */

enum { MANY = 12, PER_TURN = 3 };

static struct connection *many[MANY];

/* Connections by turns of `addresses` addresses, which share no group: many[0] is of the first. */
static void connect_many(size_t addresses)
{
    net.config.reads_per_turn = PER_TURN;
    for (size_t at = 0; at < MANY; at++) {
        struct address from = address;
        from.bytes[15] = (uint8_t)(at % addresses);
        many[at] = connection_create(&net, &from, true);
        many[at]->wsi = (struct lws *)&wsi;
    }
}

static void disconnect_many(void)
{
    for (size_t at = 0; at < MANY; at++)
        connection_destroy(many[at]);
    ck_assert_uint_eq(net.connections.unread_bytes, 0);
    ck_assert(!read_turn_leaves(&net));
}

static bool sends(size_t at, const char *text)
{
    const bool at_once = read_turn_allows(many[at], (const unsigned char *)text, strlen(text));
    ck_assert(lws.reads == at_once || many[at]->state == CONNECTION_CUT);
    lws.reads = true;
    return at_once;
}

/* What is read next is this, and its connection is listened to again. */
static void expect_next(size_t at, const char *text)
{
    unsigned char *bytes;
    size_t len;
    lws.reads = false;
    ck_assert_ptr_eq(read_turn_next(&net, &bytes, &len), many[at]);
    ck_assert_uint_eq(len, strlen(text));
    ck_assert_mem_eq(bytes, text, len);
    ck_assert(lws.reads);
    free(bytes);
}

static void expect_no_more(void)
{
    unsigned char *bytes;
    size_t len;
    ck_assert_ptr_null(read_turn_next(&net, &bytes, &len));
}

START_TEST(test_an_address_has_so_much_read_in_a_turn)
{
    connect_many(1);
    for (size_t at = 0; at < MANY; at++)
        ck_assert_int_eq(sends(at, "move"), at < PER_TURN);
    ck_assert(read_turn_leaves(&net));
    for (size_t first = PER_TURN; first < MANY; first += PER_TURN) {
        for (size_t at = first; at < first + PER_TURN; at++)
            expect_next(at, "move");
        expect_no_more();
        read_turn_begin(&net);
    }
    ck_assert(!read_turn_leaves(&net));
    expect_no_more();
    ck_assert(sends(0, "and again"));
    disconnect_many();
}
END_TEST

START_TEST(test_addresses_take_turns_to_be_read)
{
    connect_many(3); /* of the first are 0, 3, 6, 9 */
    for (size_t at = 0; at < MANY; at += 3)
        ck_assert_int_eq(sends(at, "flood"), at < (size_t)3 * PER_TURN);
    ck_assert(sends(1, "of another")); /* at once, however many wait */
    read_turn_begin(&net);
    for (size_t at = 0; at < (size_t)3 * PER_TURN; at += 3)
        ck_assert(sends(at, "more"));
    ck_assert(!sends(0, "much more") && !sends(3, "much more"));
    for (size_t at = 1; at < (size_t)3 * PER_TURN; at += 3)
        ck_assert(sends(at, "of another"));
    ck_assert(!sends(10, "late"));
    expect_next(9, "flood");
    expect_next(10, "late");
    expect_next(0, "much more");
    expect_no_more();
    disconnect_many();
}
END_TEST

START_TEST(test_what_is_set_aside_keeps_its_order)
{
    connect_many(1);
    for (size_t at = 0; at < PER_TURN; at++)
        ck_assert(sends(at, "move"));
    ck_assert(!sends(4, "one "));
    const unsigned char *rest = (const unsigned char *)"two three"; /* though not listened to */
    ck_assert(!read_turn_allows(many[4], rest, 3));
    read_turn_begin(&net);
    ck_assert(!read_turn_allows(many[4], rest + 3, 6)); /* though the turn has room */
    expect_next(4, "one two three");
    ck_assert(sends(4, "four"));
    disconnect_many();
}
END_TEST

START_TEST(test_who_ends_is_not_read_any_more)
{
    connect_many(1);
    for (size_t at = 0; at < 6; at++)
        ck_assert_int_eq(sends(at, "move"), at < PER_TURN);
    lws.reads = false;
    connection_end(many[3]);
    ck_assert(lws.reads); /* so that the other side's end is seen */
    connection_cut(many[4]);
    expect_next(5, "move");
    expect_no_more();
    disconnect_many();
}
END_TEST

START_TEST(test_a_socket_that_cannot_be_written_to_is_not_listened_to_when_it_was_read)
{
    connect_many(1);
    for (size_t at = 0; at < 4; at++)
        sends(at, "move");
    lws.buffers = true;
    ck_assert(connection_write(many[3], (const unsigned char *)"x", 1));
    unsigned char *bytes;
    size_t len;
    ck_assert_ptr_eq(read_turn_next(&net, &bytes, &len), many[3]);
    free(bytes);
    ck_assert(!lws.reads);
    lws.buffers = false;
    ck_assert(connection_resume(many[3]));
    ck_assert(lws.reads);
    disconnect_many();
}
END_TEST

static void check_cut(size_t at, bool cut)
{
    ck_assert_int_eq(many[at]->state == CONNECTION_CUT, cut);
}

/* Who has filled what there is for an address is cut, and nobody else. */
START_TEST(test_what_is_set_aside_is_bounded)
{
    static unsigned char bytes[1 << 19];
    connect_many(2);
    for (size_t at = 0; at < (size_t)2 * PER_TURN; at++)
        ck_assert(sends(at, "move"));
    ck_assert(!read_turn_allows(many[6], bytes, sizeof bytes - 1));
    ck_assert(!read_turn_allows(many[8], bytes, sizeof bytes));
    ck_assert(!sends(10, "a move"));
    check_cut(8, true);
    ck_assert(read_turn_allows(many[0], bytes, sizeof bytes + 1));  /* it would be the fullest */
    ck_assert(!read_turn_allows(many[6], bytes, sizeof bytes + 1)); /* and out of order */
    ck_assert(!sends(7, "of another"));
    check_cut(6, true);
    check_cut(10, false);
    check_cut(0, false);
    check_cut(7, false);
    disconnect_many();
}
END_TEST

/* Where all is full whoever has nothing there is not cut for what others have. */
START_TEST(test_what_is_set_aside_of_all_is_bounded)
{
    enum { ALL = 16 << 20 };
    connect_many(2);
    for (size_t at = 0; at < (size_t)2 * PER_TURN; at++)
        ck_assert(sends(at, "move"));
    ck_assert(!sends(6, "waits"));
    net.connections.unread_bytes += ALL;
    ck_assert(!sends(7, "waits"));
    ck_assert(sends(8, "is read")); /* as are all who have no more than others */
    ck_assert(sends(9, "is read"));
    net.connections.unread_bytes -= ALL;
    for (size_t at = 6; at < 10; at++)
        check_cut(at, false);
    disconnect_many();
}
END_TEST

/* ---- output */

START_TEST(test_reads_nothing_while_something_waits_to_be_written)
{
    const unsigned char bytes[] = "bytes";
    ck_assert(connection_write(link_, bytes, 5));
    ck_assert_int_eq(lws.written, 5);
    ck_assert(lws.reads && !connection_is_writing(link_));
    lws.buffers = true;
    ck_assert(connection_write(link_, bytes, 5));
    ck_assert(!lws.reads && connection_is_writing(link_));
    ck_assert(!connection_resume(link_));
    ck_assert(!lws.reads);
    lws.buffers = false;
    ck_assert(connection_resume(link_));
    ck_assert(lws.reads && !peer_sees_end());
    lws.reads = false; /* libwebsockets is told only what it does not know */
    ck_assert(connection_resume(link_));
    ck_assert(!lws.reads);
    connection_ask_writable(link_);
    ck_assert_int_eq(lws.asked, 1);
}
END_TEST

START_TEST(test_a_dead_socket_is_cut)
{
    lws.dead = true;
    ck_assert(!connection_write(link_, (const unsigned char *)"x", 1));
    ck_assert_int_eq(link_->state, CONNECTION_CUT);
    ck_assert_int_eq(lws.written, 1);
    ck_assert(!connection_write(link_, (const unsigned char *)"x", 1));
    ck_assert_int_eq(lws.written, 1);
    ck_assert_int_eq(lws.killed, 1);
    check_counts(1, 0, 0);
}
END_TEST

/* ---- the end */

START_TEST(test_ends_when_all_is_written)
{
    connection_leave_http(link_);
    ck_assert(connection_keep_input(link_, "rest", 4, 64));
    int64_t before_ms = net_clock_ms(&net_clock);
    link_->since_ms = 0;
    lws.buffers = _i == 1;
    connection_end(link_);
    ck_assert_int_eq(link_->state, CONNECTION_ENDING);
    ck_assert_int_ge(link_->since_ms, before_ms);
    ck_assert_ptr_null(link_->input);
    ck_assert_uint_eq(listed(), 1); /* its time is limited again */
    ck_assert_int_eq(peer_sees_end(), _i == 0);
    lws.buffers = false;
    ck_assert(connection_resume(link_));
    ck_assert(peer_sees_end());
    ck_assert(link_->shut);
    ck_assert(peer_may_write()); /* it is for the other side to close */
    ck_assert_int_eq(lws.killed, 0);
}
END_TEST

START_TEST(test_is_cut_at_once)
{
    int64_t before_ms = net_clock_ms(&net_clock);
    link_->since_ms = 0;
    if (_i == 1)
        connection_leave_http(link_);
    connection_cut(link_);
    ck_assert_int_eq(link_->state, CONNECTION_CUT);
    ck_assert_int_ge(link_->since_ms, before_ms);
    ck_assert(peer_sees_end() && !peer_may_write());
    ck_assert_int_eq(lws.killed, 1);
    check_counts(1, 0, 0);
    ck_assert_uint_eq(listed(), 1); /* it is cut again if libwebsockets does not destroy it */
    connection_end(link_);
    ck_assert_int_eq(link_->state, CONNECTION_CUT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("link");
    TCase *tests = tcase_create("link");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, test_counts);
    tcase_add_test(tests, test_input);
    tcase_add_test(tests, test_an_address_has_so_much_read_in_a_turn);
    tcase_add_test(tests, test_addresses_take_turns_to_be_read);
    tcase_add_test(tests, test_what_is_set_aside_keeps_its_order);
    tcase_add_test(tests, test_who_ends_is_not_read_any_more);
    tcase_add_test(tests,
                   test_a_socket_that_cannot_be_written_to_is_not_listened_to_when_it_was_read);
    tcase_add_test(tests, test_what_is_set_aside_is_bounded);
    tcase_add_test(tests, test_what_is_set_aside_of_all_is_bounded);
    tcase_add_test(tests, test_reads_nothing_while_something_waits_to_be_written);
    tcase_add_test(tests, test_a_dead_socket_is_cut);
    tcase_add_loop_test(tests, test_ends_when_all_is_written, 0, 2);
    tcase_add_loop_test(tests, test_is_cut_at_once, 0, 2);
    suite_add_tcase(suite, tests);
    return run_suites(srunner_create(suite));
}
