/* Which endpoints and addresses the server sends to. */
#include "suites.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <push/service.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *endpoint, *origin; /* NULL: not allowed */
} known[] = {
    {"https://fcm.googleapis.com/fcm/send/c2k:APA91bF-_x", "https://fcm.googleapis.com"},
    {"https://updates.push.services.mozilla.com/wpush/v2/gAAAA_-",
     "https://updates.push.services.mozilla.com"},
    {"https://wns2-par02p.notify.windows.com/w/?token=BQYAAAC%2bx",
     "https://wns2-par02p.notify.windows.com"},
    {"https://web.push.apple.com/QPn0", "https://web.push.apple.com"},
    {"https://a.b.push.apple.com/x", "https://a.b.push.apple.com"},
    {"http://fcm.googleapis.com/x", NULL},
    {"https://fcm.googleapis.com", NULL},
    {"https://fcm.googleapis.com:443/x", NULL},
    {"https://fcm.googleapis.com:22/x", NULL},
    {"https://fcm.googleapis.com:/x", NULL},
    {"https://fcm.googleapis.com./x", NULL},
    {"https://FCM.googleapis.com/x", NULL},
    {"https://user@fcm.googleapis.com/x", NULL},
    {"https://fcm.googleapis.com@127.0.0.1/x", NULL},
    {"https://127.0.0.1\\@fcm.googleapis.com/x", NULL},
    {"https://fcm.googleapis.com\\@127.0.0.1/x", NULL},
    {"https://fcm.googleapis.com.attacker.example/x", NULL},
    {"https://attackerfcm.googleapis.com/x", NULL},
    {"https://push.apple.com/x", NULL},
    {"https://.push.apple.com/x", NULL},
    {"https://attackerpush.apple.com/x", NULL},
    {"https://a..push.apple.com/x", NULL},
    {"https://127.0.0.1/x", NULL},
    {"https://[::1]/x", NULL},
    {"https://localhost/x", NULL},
    {"https:///x", NULL},
    {"//fcm.googleapis.com/x", NULL},
    {"file:///etc/passwd", NULL},
    {"https://fcm.googleapis.com/x#y", NULL},
    {"https://fcm.googleapis.com/x y", NULL},
    {"https://fcm.googleapis.com/x\r\nHost: a", NULL},
    {"https://fcm.googleapis.com/\xc3\xa9", NULL},
    {"", NULL},
};

START_TEST(endpoints_of_known_services)
{
    struct push_target target;
    const bool allowed = push_endpoint_allowed(known[_i].endpoint, push_known_services, &target);
    ck_assert_msg(allowed == (known[_i].origin != NULL), "%s", known[_i].endpoint);
    if (allowed) {
        ck_assert_str_eq(target.origin, known[_i].origin);
        ck_assert(!target.named);
    }
}
END_TEST

START_TEST(an_origin_that_the_operator_names)
{
    static const char *const services[] = {"http://127.0.0.1:8080", "https://push.club.example",
                                           NULL};
    struct push_target target;
    ck_assert(push_endpoint_allowed("http://127.0.0.1:8080/up/1", services, &target));
    ck_assert_str_eq(target.origin, "http://127.0.0.1:8080");
    ck_assert(target.named);
    ck_assert(push_endpoint_allowed("https://push.club.example/1", services, &target));
    ck_assert(!push_endpoint_allowed("http://127.0.0.1:8081/up/1", services, &target));
    ck_assert(!push_endpoint_allowed("http://127.0.0.1:80/up/1", services, &target));
    ck_assert(!push_endpoint_allowed("https://127.0.0.1:8080/up/1", services, &target));
    ck_assert(!push_endpoint_allowed("http://push.club.example/1", services, &target));
    ck_assert(!push_endpoint_allowed("https://fcm.googleapis.com/x", services, &target));
}
END_TEST

START_TEST(long_endpoints)
{
    char endpoint[PUSH_ENDPOINT_MAX + 2] = "https://fcm.googleapis.com/";
    struct push_target target;
    memset(endpoint + strlen(endpoint), 'x', PUSH_ENDPOINT_MAX - strlen(endpoint));
    endpoint[PUSH_ENDPOINT_MAX] = '\0';
    ck_assert(push_endpoint_allowed(endpoint, push_known_services, &target));
    endpoint[PUSH_ENDPOINT_MAX] = 'x';
    endpoint[PUSH_ENDPOINT_MAX + 1] = '\0';
    ck_assert(!push_endpoint_allowed(endpoint, push_known_services, &target));
}
END_TEST

static const struct {
    const char *service;
    bool valid;
} entries[] = {
    {"fcm.googleapis.com", true},
    {"*.push.apple.com", true},
    {"https://push.club.example", true},
    {"http://127.0.0.1:8080", true},
    {"", false},
    {"*", false},
    {"*.", false},
    {"*.com", false}, /* would allow nearly everybody */
    {"push.*.com", false},
    {"fcm.googleapis.com/", false},
    {"fcm.googleapis.com:443", false},
    {"https://push.club.example/", false},
    {"https://push.club.example:0", false},
    {"https://push.club.example:", false},
    {"https://", false},
    {"ftp://push.club.example", false},
};

START_TEST(entries_of_the_list)
{
    ck_assert_msg(push_service_is_valid(entries[_i].service) == entries[_i].valid, "%s",
                  entries[_i].service);
}
END_TEST

START_TEST(the_known_services_are_valid)
{
    for (const char *const *service = push_known_services; *service; service++)
        ck_assert_msg(push_service_is_valid(*service), "%s", *service);
}
END_TEST

static const struct {
    const char *address;
    bool is_public;
} addresses[] = {
    {"8.8.8.8", true},
    {"142.250.1.95", true},
    {"172.15.255.255", true},
    {"172.32.0.0", true},
    {"100.63.255.255", true},
    {"100.128.0.0", true},
    {"198.17.255.255", true},
    {"198.20.0.0", true},
    {"223.255.255.255", true},
    {"0.0.0.0", false},
    {"10.1.2.3", false},
    {"100.64.0.1", false},
    {"127.0.0.1", false},
    {"127.255.255.255", false},
    {"169.254.169.254", false},
    {"172.16.0.1", false},
    {"172.31.255.255", false},
    {"192.0.0.1", false},
    {"192.0.2.1", false},
    {"192.88.99.1", false},
    {"192.168.1.1", false},
    {"198.18.0.1", false},
    {"198.19.255.255", false},
    {"198.51.100.1", false},
    {"203.0.113.1", false},
    {"224.0.0.1", false},
    {"240.0.0.1", false},
    {"255.255.255.255", false},
    {"2a00:1450:4001:80b::200a", true},
    {"2620:101:8000::1", true},
    {"2001:4860::1", true},
    {"::ffff:8.8.8.8", true},
    {"64:ff9b::808:808", true},
    {"::", false},
    {"::1", false},
    {"::8.8.8.8", false},
    {"::ffff:127.0.0.1", false},
    {"64:ff9b::7f00:1", false},
    {"64:ff9b:1::1", false},
    {"fe80::1", false},
    {"fc00::1", false},
    {"fd12:3456::1", false},
    {"ff02::1", false},
    {"2001::1", false},
    {"2001:db8::1", false},
    {"2002:7f00:1::1", false},
    {"3fff::1", false},
};

START_TEST(addresses_of_the_public_internet)
{
    const char *text = addresses[_i].address;
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    const bool is_v6 = strchr(text, ':') != NULL;
    ck_assert_int_eq(is_v6 ? inet_pton(AF_INET6, text, &v6.sin6_addr)
                           : inet_pton(AF_INET, text, &v4.sin_addr),
                     1);
    const void *address = is_v6 ? (const void *)&v6 : (const void *)&v4;
    ck_assert_msg(push_address_is_public(address) == addresses[_i].is_public, "%s", text);
}
END_TEST

START_TEST(other_sockets_have_no_address)
{
    const struct sockaddr local = {.sa_family = AF_UNIX};
    ck_assert(!push_address_is_public(&local));
}
END_TEST

Suite *service_suite(void)
{
    Suite *suite = suite_create("services");
    TCase *tests = tcase_create("rules");
    tcase_add_loop_test(tests, endpoints_of_known_services, 0,
                        (int)(sizeof known / sizeof known[0]));
    tcase_add_test(tests, an_origin_that_the_operator_names);
    tcase_add_test(tests, long_endpoints);
    tcase_add_loop_test(tests, entries_of_the_list, 0, (int)(sizeof entries / sizeof entries[0]));
    tcase_add_test(tests, the_known_services_are_valid);
    tcase_add_loop_test(tests, addresses_of_the_public_internet, 0,
                        (int)(sizeof addresses / sizeof addresses[0]));
    tcase_add_test(tests, other_sockets_have_no_address);
    suite_add_tcase(suite, tests);
    return suite;
}
