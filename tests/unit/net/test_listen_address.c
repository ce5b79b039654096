/* What --listen may say. Names are looked up in a table of the test's own. */
#include "sockets/listen_address.h"
#include "suites.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __wrap_getaddrinfo(const char *name, const char *service, const struct addrinfo *wanted,
                       struct addrinfo **found);
void __wrap_freeaddrinfo(struct addrinfo *found);

static int left; /* what was found and is not released */

static struct addrinfo *find(const char *address, struct addrinfo *next)
{
    union socket_address *const socket = calloc(1, sizeof *socket);
    struct addrinfo *const found = calloc(1, sizeof *found);
    ck_assert(socket && found);
    const bool is_ipv6 = inet_pton(AF_INET6, address, &socket->ipv6.sin6_addr) == 1;
    if (!is_ipv6 && inet_pton(AF_INET, address, &socket->ipv4.sin_addr) != 1)
        socket->any.sa_family = AF_UNIX;
    else
        socket->any.sa_family = is_ipv6 ? AF_INET6 : AF_INET;
    *found = (struct addrinfo){
        .ai_family = socket->any.sa_family,
        .ai_addr = &socket->any,
        .ai_addrlen = is_ipv6 ? sizeof socket->ipv6 : sizeof socket->ipv4,
        .ai_next = next,
    };
    left++;
    return found;
}

enum { ADDRESSES = 10 };
static const struct {
    const char *name, *addresses[ADDRESSES];
} names[] = {
    {"localhost", {"127.0.0.1", "127.0.0.1", "::1"}},
    {"elsewhere", {"192.0.2.1"}},
    {"mixed", {"192.0.2.1", "127.0.0.1", "2001:db8::1"}},
    {"odd", {"no address"}},
    {"many",
     {"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6", "127.0.0.7",
      "127.0.0.8", "127.0.0.9", "127.0.0.10"}},
};

int __wrap_getaddrinfo(const char *name, const char *service, const struct addrinfo *wanted,
                       struct addrinfo **found)
{
    ck_assert_ptr_null(service);
    ck_assert_int_eq(wanted->ai_socktype, SOCK_STREAM);
    *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i].name) != 0)
            continue;
        for (size_t at = ADDRESSES; at > 0; at--) {
            if (names[i].addresses[at - 1])
                *found = find(names[i].addresses[at - 1], *found);
        }
        return 0;
    }
    return EAI_NONAME;
}

void __wrap_freeaddrinfo(struct addrinfo *found)
{
    while (found) {
        struct addrinfo *const next = found->ai_next;
        free(found->ai_addr);
        free(found);
        found = next;
        left--;
    }
}

/* "127.0.0.1 80, ::1 80" */
static void write_all(const struct listen_addresses *addresses, char *text, size_t size)
{
    *text = 0;
    for (size_t i = 0; i < addresses->count; i++) {
        const union socket_address *const address = &addresses->list[i];
        char host[INET6_ADDRSTRLEN] = "";
        if (address->any.sa_family == AF_INET) {
            ck_assert_uint_eq(addresses->len[i], sizeof address->ipv4);
            inet_ntop(AF_INET, &address->ipv4.sin_addr, host, sizeof host);
        } else {
            ck_assert_uint_eq(addresses->len[i], sizeof address->ipv6);
            inet_ntop(AF_INET6, &address->ipv6.sin6_addr, host, sizeof host);
        }
        const size_t len = strlen(text);
        snprintf(text + len, size - len, "%s%s %d", i > 0 ? ", " : "", host,
                 ntohs(listen_address_port(address)));
    }
}

START_TEST(test_read)
{
    static const struct {
        const char *where, *all;
    } rows[] = {
        {"127.0.0.1:7400", "127.0.0.1 7400"},
        {"0.0.0.0:80", "0.0.0.0 80"},
        {"80", "127.0.0.1 80"},
        {"0", "127.0.0.1 0"},
        {"65535", "127.0.0.1 65535"},
        {"[::1]:7400", "::1 7400"},
        {"[::]:0", ":: 0"},
        {"localhost:7503", "127.0.0.1 7503, ::1 7503"},
        {"elsewhere:1", "192.0.2.1 1"},
        {"many:9", "127.0.0.1 9, 127.0.0.2 9, 127.0.0.3 9, 127.0.0.4 9, 127.0.0.5 9, "
                   "127.0.0.6 9, 127.0.0.7 9, 127.0.0.8 9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct listen_addresses addresses;
        const char *why;
        char all[256];
        ck_assert_int_eq(listen_addresses_read(&addresses, rows[i].where, &why), NET_OK);
        write_all(&addresses, all, sizeof all);
        ck_assert_str_eq(all, rows[i].all);
        ck_assert_int_eq(left, 0);
    }
}
END_TEST

START_TEST(test_unix)
{
    struct listen_addresses addresses;
    const char *why;
    ck_assert_int_eq(listen_addresses_read(&addresses, "unix:/run/a:80", &why), NET_OK);
    ck_assert_uint_eq(addresses.count, 1);
    ck_assert_str_eq(addresses.list[0].local.sun_path, "/run/a:80");
    ck_assert_uint_eq(listen_address_port(&addresses.list[0]), 0);
    listen_address_set_port(&addresses.list[0], 7); /* has none */
    ck_assert_str_eq(addresses.list[0].local.sun_path, "/run/a:80");
}
END_TEST

START_TEST(test_refused)
{
    static const struct {
        const char *where;
        enum net_result result;
        const char *why;
    } rows[] = {
        {"", NET_BAD_OPTION, "not PORT, "},
        {":80", NET_BAD_OPTION, "not PORT, "},
        {"65536", NET_BAD_OPTION, "not PORT, "},
        {"-1", NET_BAD_OPTION, "not PORT, "},
        {"80x", NET_BAD_OPTION, "not PORT, "},
        {"localhost", NET_BAD_OPTION, "not PORT, "},
        {"localhost:", NET_BAD_OPTION, "not PORT, "},
        {"localhost:http", NET_BAD_OPTION, "not PORT, "},
        {"127.1:80", NET_BAD_OPTION, "not PORT, "},
        {"256.0.0.1:80", NET_BAD_OPTION, "not PORT, "},
        {"::1:80", NET_BAD_OPTION, "not PORT, "},
        {"[]:80", NET_BAD_OPTION, "not PORT, "},
        {"[localhost]:80", NET_BAD_OPTION, "not PORT, "},
        {"http://localhost:80", NET_BAD_OPTION, "not PORT, "},
        {"nowhere:80", NET_UNAVAILABLE, "Name or service not known"},
        {"odd:80", NET_UNAVAILABLE, "the name has no address"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct listen_addresses addresses;
        const char *why = "";
        ck_assert_msg(listen_addresses_read(&addresses, rows[i].where, &why) == rows[i].result,
                      "%s", rows[i].where);
        ck_assert_msg(strncmp(why, rows[i].why, strlen(rows[i].why)) == 0, "%s: %s", rows[i].where,
                      why);
        ck_assert_int_eq(left, 0);
    }
}
END_TEST

/* The longest host that is read, and one letter more. */
START_TEST(test_long_hosts)
{
    for (size_t len = 254; len <= 257; len++) {
        struct listen_addresses addresses;
        char where[300];
        const char *why = "";
        memset(where, 'x', len);
        snprintf(where + len, sizeof where - len, ":80");
        ck_assert_int_eq(listen_addresses_read(&addresses, where, &why),
                         len < 256 ? NET_UNAVAILABLE : NET_BAD_OPTION);
    }
}
END_TEST

Suite *listen_address_suite(void)
{
    Suite *suite = suite_create("listen address");
    TCase *tests = tcase_create("read");
    tcase_add_test(tests, test_read);
    tcase_add_test(tests, test_unix);
    tcase_add_test(tests, test_refused);
    tcase_add_test(tests, test_long_hosts);
    suite_add_tcase(suite, tests);
    return suite;
}
