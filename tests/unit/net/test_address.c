/* Addresses, networks, what proxies say of whom they speak for, and web pages' origins. */
#include "http/host_name.h"
#include "http/origin.h"
#include "sockets/address.h"
#include "suites.h"
#include <arpa/inet.h>
#include <hub/address_prefix.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct address parsed(const char *text)
{
    struct address address;
    ck_assert_msg(address_parse(&address, text, strlen(text)), "%s", text);
    return address;
}

/* ---- one address */

static const struct {
    const char *text, *formatted; /* NULL: none */
} texts[] = {
    {"192.0.2.1", "192.0.2.1"},
    {"192.0.2.1:7400", "192.0.2.1"},
    {"2001:db8::1", "2001:db8::1"},
    {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
    {"[2001:db8::1]", "2001:db8::1"},
    {"[2001:db8::1]:443", "2001:db8::1"},
    {"::ffff:192.0.2.1", "192.0.2.1"},
    {"::1", "::1"},
    {"0.0.0.0", "0.0.0.0"},
    {"", NULL},
    {"localhost", NULL},
    {"unknown", NULL},
    {"_hidden", NULL},
    {"192.0.2", NULL},
    {"192.0.2.256", NULL},
    {"192.0.2.1 ", NULL},
    {"192.0.2.01", NULL},
    {"[2001:db8::1", NULL},
    {"2001:db8::1::2", NULL},
    {"fe80::1%eth0", "fe80::1"},
    {"[fe80::1%eth0]", "fe80::1"},
    {"[fe80::1%25eth0]:443", "fe80::1"},
    {"::1%lo", "::1"},
    {"[::1]:65535", "::1"},
    {"fe80::1%", NULL},
    {"%eth0", NULL},
    {"192.0.2.1%eth0", NULL},
    {"[192.0.2.1%eth0]", NULL},
    {"[192.0.2.1]", NULL},
    {"fe80::1%0123456789012345678901234567890123", NULL},
    {"[2001:db8::1]443", NULL},
    {"[2001:db8::1]:", NULL},
    {"[2001:db8::1]:http", NULL},
    {"[2001:db8::1]:65536", NULL},
    {"192.0.2.1:", NULL},
    {"192.0.2.1:http", NULL},
    {"192.0.2.1:123456", NULL},
    {"1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb", NULL},
};

START_TEST(test_text)
{
    struct address address;
    char formatted[ADDRESS_TEXT_MAX];
    bool fine = address_parse(&address, texts[_i].text, strlen(texts[_i].text));
    ck_assert_msg(fine == (texts[_i].formatted != NULL), "%s", texts[_i].text);
    if (!fine)
        return;
    address_format(&address, formatted);
    ck_assert_str_eq(formatted, texts[_i].formatted);
}
END_TEST

/* Only what is within the length, even where a longer one would be an address too. */
START_TEST(test_length)
{
    struct address address, expected = parsed("192.0.2.1");
    ck_assert(address_parse(&address, "192.0.2.123", 9));
    ck_assert_mem_eq(&address, &expected, sizeof address);
}
END_TEST

START_TEST(test_endless)
{
    static char text[1 << 16];
    struct address address;
    memset(text, '1', sizeof text);
    ck_assert(!address_parse(&address, text, sizeof text));
}
END_TEST

START_TEST(test_of_socket)
{
    struct address address, expected = parsed("192.0.2.7"), none = {{0}};
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    inet_pton(AF_INET, "192.0.2.7", &ipv4.sin_addr);
    inet_pton(AF_INET6, "::ffff:192.0.2.7", &ipv6.sin6_addr);
    ck_assert(address_of_socket(&address, (const struct sockaddr *)(const void *)&ipv4));
    ck_assert_mem_eq(&address, &expected, sizeof address);
    ck_assert(address_of_socket(&address, (const struct sockaddr *)(const void *)&ipv6));
    ck_assert_mem_eq(&address, &expected, sizeof address);
    ck_assert(!address_of_socket(&address, (const struct sockaddr *)(const void *)&local));
    ck_assert_mem_eq(&address, &none, sizeof address);
}
END_TEST

static const struct {
    const char *text, *prefix; /* counted by the same as this one */
    bool loopback;
} kinds[] = {
    {"127.0.0.1", "127.0.0.1", true},
    {"127.255.3.4", "127.255.3.4", true},
    {"128.0.0.1", "128.0.0.1", false},
    {"126.255.255.255", "126.255.255.255", false},
    {"::1", "::5", true},
    {"::2", "::5", false},
    {"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", false},
    {"2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::", false},
    {"2001:db8:1:3::", "2001:db8:1:3::", false},
};

START_TEST(test_kind)
{
    struct address address = parsed(kinds[_i].text), expected = parsed(kinds[_i].prefix);
    struct address_prefix prefix = address_prefix_of(address.bytes);
    struct address_prefix same = address_prefix_of(expected.bytes);
    ck_assert_mem_eq(&prefix, &same, sizeof prefix);
    ck_assert_int_eq(address_is_loopback(&address), kinds[_i].loopback);
}
END_TEST

/* No two of these are counted together. */
static const char *const apart[] = {"127.0.0.1",      "127.0.0.2",      "1.0.0.127",  "::1",
                                    "2001:db8:1:2::", "2001:db8:1:3::", "2001:db8::", "64:ff9b::1"};

START_TEST(test_prefixes_apart)
{
    for (int at = 0; at < _i; at++) {
        struct address one = parsed(apart[_i]), other = parsed(apart[at]);
        struct address_prefix prefix = address_prefix_of(one.bytes);
        struct address_prefix other_prefix = address_prefix_of(other.bytes);
        ck_assert_mem_ne(&prefix, &other_prefix, sizeof prefix);
    }
}
END_TEST

/* ---- networks */

static const struct {
    const char *network;
    const char *inside[3], *outside[4];
} networks[] = {
    {"10.0.0.0/8", {"10.0.0.0", "10.255.255.255"}, {"11.0.0.0", "9.255.255.255", "::10.0.0.0"}},
    {"192.0.2.128/25", {"192.0.2.128", "192.0.2.255"}, {"192.0.2.127", "192.0.3.128"}},
    {"192.0.2.7", {"192.0.2.7"}, {"192.0.2.6", "192.0.2.8"}},
    {"192.0.2.7/32", {"192.0.2.7"}, {"192.0.2.6"}},
    {"0.0.0.0/0", {"192.0.2.7", "255.255.255.255"}, {"2001:db8::1", "::1"}},
    {"2001:db8::/32", {"2001:db8::1", "2001:db8:ffff::"}, {"2001:db9::", "192.0.2.1"}},
    {"2001:db8::/33", {"2001:db8:7fff::"}, {"2001:db8:8000::"}},
    {"::/0", {"192.0.2.7", "2001:db8::1"}, {NULL}},
    {"[2001:db8::1]/128", {"2001:db8::1"}, {"2001:db8::"}},
};

START_TEST(test_network)
{
    struct network network;
    ck_assert(network_parse(&network, networks[_i].network));
    for (size_t at = 0; at < 3 && networks[_i].inside[at]; at++) {
        struct address address = parsed(networks[_i].inside[at]);
        ck_assert_msg(network_holds(&network, &address), "%s", networks[_i].inside[at]);
    }
    for (size_t at = 0; at < 4 && networks[_i].outside[at]; at++) {
        struct address address = parsed(networks[_i].outside[at]);
        ck_assert_msg(!network_holds(&network, &address), "%s", networks[_i].outside[at]);
    }
}
END_TEST

static const char *const no_networks[] = {
    "",           "/8",          "10.0.0.0/",   "10.0.0.0/33",
    "10.0.0.0/x", "10.0.0.0/8 ", "10.0.0.0/-1", "10.0.0.0/+8",
    "::/129",     "proxy",       "10.0.0.0//8", "fe80::1%eth0/64"};

START_TEST(test_no_network)
{
    struct network network;
    ck_assert_msg(!network_parse(&network, no_networks[_i]), "%s", no_networks[_i]);
}
END_TEST

/* ---- behind proxies: 10.0.0.0/8 and 2001:db8::1 are trusted */

static const struct {
    const char *header, *client; /* NULL: unknown */
} headers[] = {
    {"192.0.2.1", "192.0.2.1"},
    {" 192.0.2.1\t", "192.0.2.1"},
    {"192.0.2.1:4711", "192.0.2.1"},
    {"[2001:db8::9]:4711", "2001:db8::9"},
    {"fe80::1%eth0", "fe80::1"},
    {"\"192.0.2.1\"", "192.0.2.1"},
    {"192.0.2.1, \"[2001:db8::9]:4711\" ", "2001:db8::9"},
    {"\"[fe80::1%25eth0]:1\", 10.0.0.2", "fe80::1"},
    /* What the client wrote himself is in front of what the proxy added. */
    {"127.0.0.1, 192.0.2.1", "192.0.2.1"},
    {"10.0.0.9, 192.0.2.1", "192.0.2.1"},
    /* A chain of proxies of ours, and one that is not. */
    {"192.0.2.1, 10.0.0.2, 2001:db8::1", "192.0.2.1"},
    {"192.0.2.1, 198.51.100.1, 10.0.0.2", "198.51.100.1"},
    /* Nothing but ours: the one furthest away. */
    {"10.0.0.3, 10.0.0.2", "10.0.0.3"},
    {"10.0.0.3", "10.0.0.3"},
    /* Text before the address that counts is not read. */
    {"unknown, 192.0.2.1", "192.0.2.1"},
    {", 192.0.2.1, 10.0.0.2", "192.0.2.1"},
    /* The address that counts is invalid. */
    {"", NULL},
    {" ", NULL},
    {",", NULL},
    {"unknown", NULL},
    {"192.0.2.1, unknown", NULL},
    {"192.0.2.1, unknown, 10.0.0.2", NULL},
    {"192.0.2.1,", NULL},
    {"\"", NULL},
    {"\"\"", NULL},
    {"\"192.0.2.1", NULL},
    {",10.0.0.2", NULL},
    {"192.0.2.1 10.0.0.2", NULL},
};

START_TEST(test_behind_proxies)
{
    struct network trusted[2];
    struct address client, proxy = parsed("10.0.0.1");
    ck_assert(network_parse(&trusted[0], "10.0.0.0/8"));
    ck_assert(network_parse(&trusted[1], "2001:db8::1"));
    ck_assert(address_is_trusted(&proxy, trusted, 2));
    ck_assert(!address_is_trusted(&proxy, trusted, 0));
    bool found = address_behind_proxies(&client, headers[_i].header, trusted, 2);
    ck_assert_msg(found == (headers[_i].client != NULL), "%s", headers[_i].header);
    if (!found)
        return;
    struct address expected = parsed(headers[_i].client);
    ck_assert_msg(memcmp(&client, &expected, sizeof client) == 0, "%s", headers[_i].header);
}
END_TEST

/* ---- origins */

static const struct {
    const char *origin;
    bool valid;
} origins[] = {
    {"https://club.example", true},
    {"http://127.0.0.1:7400", true},
    {"http://[::1]:7400", true},
    {"moz-extension://ab-12", true},
    {"", false},
    {"null", false},
    {"club.example", false},
    {"https://", false},
    {"://club.example", false},
    {"https://Club.example", false},
    {"https://club.example/", false},
    {"https://a@b", false},
    {"https://club.example?", false},
    {"https://*.example", false},
    {"ht tp://club.example", false},
};

START_TEST(test_origin_is_valid)
{
    ck_assert_msg(origin_is_valid(origins[_i].origin) == origins[_i].valid, "%s",
                  origins[_i].origin);
}
END_TEST

static const char *const club[] = {"https://club.example", "http://localhost:5173", NULL};
static const struct {
    const char *origin, *host;
    bool allowed;
} pages[] = {
    {"https://taluva.example", "taluva.example", true},
    {"http://taluva.example:7400", "taluva.example:7400", true},
    {"https://TALUVA.example", "taluva.EXAMPLE", true},
    {"https://club.example", "taluva.example", true},
    {"HTTPS://CLUB.EXAMPLE", "taluva.example", true},
    {"http://localhost:5173", "taluva.example", true},
    /* A default port is no other one, whoever writes it out. */
    {"https://taluva.example", "taluva.example:443", true},
    {"http://taluva.example", "taluva.example:80", true},
    {"https://taluva.example:443", "taluva.example", true},
    {"http://[::1]", "[::1]:80", true},
    {"https://club.example:443", "taluva.example", true},
    {"https://taluva.example", "taluva.example:80", false},
    {"http://taluva.example", "taluva.example:443", false},
    {"https://taluva.example", "taluva.example:8443", false},
    {"https://taluva.example:8443", "taluva.example", false},
    {"https://taluva.example", "taluva.example:", false},
    {"https://taluva.example", "taluva.example:x", false},
    {"https://taluva.example", "taluva.example:99999", false},
    {"ftp://taluva.example", "taluva.example:21", false},
    {"moz-extension://taluva.example", "taluva.example", true},
    {"http://taluva.example:7401", "taluva.example:7400", false},
    {"https://taluva.example.evil.example", "taluva.example", false},
    {"https://eviltaluva.example", "taluva.example", false},
    {"http://club.example", "taluva.example", false},
    {"https://club.example:444", "taluva.example", false},
    {"https://club.example.evil.example", "taluva.example", false},
    {"null", "taluva.example", false},
    {"null", "null", false},
    {"", "", false},
    {"https://", "", false},
    {"file://", "", false},
};

START_TEST(test_origin_is_allowed)
{
    ck_assert_msg(origin_is_allowed(pages[_i].origin, pages[_i].host, club) == pages[_i].allowed,
                  "%s to %s", pages[_i].origin, pages[_i].host);
}
END_TEST

/* ---- names of this server */

static const struct {
    const char *host;
    bool known;
} hosts[] = {
    {"127.0.0.1:7400", true},
    {"192.168.1.7", true},
    {"[::1]:7400", true},
    {"[2001:db8::1]", true},
    {"localhost", true},
    {"LOCALHOST:7400", true},
    {"localhost.", true},
    {"taluva.localhost", true},
    {"raspberrypi:7400", true},
    {"table.example", true},
    {"Table.Example:8080", true},
    {"table.example.", true},
    {"club.example", true},
    {"evil.example", false},
    {"evil.example:7400", false},
    {"table.example.evil.example", false},
    {"eviltable.example", false},
    {"localhost.evil.example", false},
    {"evillocalhost.example", false},
    {".localhost", false},
    {"127.0.0.1.evil.example", false},
    {"1.2.3.4.5", false},
    {"", false},
    {":7400", false},
    {"[::1", false},
    {"[::1]evil.example", false},
    {"localhost:port", false},
};

START_TEST(test_host_is_known)
{
    static const char *const names[] = {"table.example", NULL};
    ck_assert_msg(host_is_known(hosts[_i].host, names, club) == hosts[_i].known, "%s",
                  hosts[_i].host);
}
END_TEST

START_TEST(test_any_host)
{
    static const char *const any[] = {"*", NULL}, *const none[] = {NULL};
    ck_assert(host_is_known("evil.example", any, none));
    ck_assert(!host_is_known("evil.example", none, none));
    ck_assert(host_name_is_valid("*") && host_name_is_valid("table.example"));
    ck_assert(!host_name_is_valid("") && !host_name_is_valid("*.example"));
    ck_assert(!host_name_is_valid("Table.example") && !host_name_is_valid("table.example:80"));
}
END_TEST

#define ADD_EACH(tests, test, table)                                                               \
    tcase_add_loop_test(tests, test, 0, sizeof table / sizeof table[0])

Suite *address_suite(void)
{
    Suite *suite = suite_create("addresses");
    TCase *tests = tcase_create("addresses");
    ADD_EACH(tests, test_text, texts);
    tcase_add_test(tests, test_length);
    tcase_add_test(tests, test_endless);
    tcase_add_test(tests, test_of_socket);
    ADD_EACH(tests, test_kind, kinds);
    ADD_EACH(tests, test_prefixes_apart, apart);
    ADD_EACH(tests, test_network, networks);
    ADD_EACH(tests, test_no_network, no_networks);
    ADD_EACH(tests, test_behind_proxies, headers);
    ADD_EACH(tests, test_origin_is_valid, origins);
    ADD_EACH(tests, test_origin_is_allowed, pages);
    ADD_EACH(tests, test_host_is_known, hosts);
    tcase_add_test(tests, test_any_host);
    suite_add_tcase(suite, tests);
    return suite;
}
