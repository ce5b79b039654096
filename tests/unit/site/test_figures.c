/* The figures of a site and of its parts. */
#include "nodes.h"
#include "suites.h"
#include <stdio.h>
#include <string.h>

static struct nodes nodes;
static char body[1 << 18];
static size_t body_len;

static const uint8_t asker[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 9};

static void three_nodes(void)
{
    nodes_init(&nodes, 3, 4);
}

static void release(void)
{
    nodes_release(&nodes);
}

/* The status. */
static int get(int node, const char *path)
{
    struct hub_http_answer answer = {0};
    struct site *site = nodes.nodes[node].site;
    uint64_t ticket;
    if (!site_http_get(site, path, asker, nodes.now_ms, &answer, &ticket)) {
        nodes_settle(&nodes);
        ck_assert(site_http_next(site, &ticket, &answer));
    }
    const int status = answer.status;
    ck_assert_uint_lt(answer.len, sizeof body);
    memcpy(body, answer.body, answer.len);
    body[answer.len] = '\0';
    body_len = answer.len;
    hub_http_release(&answer);
    return status;
}

static bool has(const char *line)
{
    char text[128];
    (void)snprintf(text, sizeof text, "\n%s\n", line);
    return strstr(body, text) != NULL;
}

/* Each metric begins once, and has no sample before that or behind the next one's beginning. */
static void check_page(void)
{
    char name[128] = "", seen[200][128];
    size_t count = 0;
    for (const char *at = body; *at; at = strchr(at, '\n') + 1) {
        if (strncmp(at, "# HELP ", 7) == 0) {
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 7, " "), at + 7);
            for (size_t other = 0; other < count; other++)
                ck_assert_str_ne(seen[other], name);
            memcpy(seen[count++], name, sizeof name);
        } else if (at[0] != '#') {
            ck_assert_msg(strncmp(at, name, strlen(name)) == 0, "%.60s behind %s", at, name);
        }
    }
    ck_assert_uint_gt(count, 30);
}

START_TEST(test_metrics)
{
    nodes_do(&nodes, nodes_guest(&nodes, 0, "Ana"), "ping", "");
    ck_assert_int_eq(get(0, "/metrics"), 200);
    check_page();
    ck_assert(has("taluva_sessions{part=\"0\"} 1") || has("taluva_sessions{part=\"3\"} 1"));
    ck_assert(has("taluva_rooms{part=\"3\",phase=\"lobby\"} 0"));
    ck_assert(has("taluva_commit_seconds_bucket{part=\"0\",le=\"+Inf\"} 1") ||
              has("taluva_commit_seconds_bucket{part=\"0\",le=\"+Inf\"} 0"));
    ck_assert_ptr_null(strstr(body, "taluva_sessions{part=\"1\"}"));
    ck_assert(has("taluva_site_parts{where=\"here\"} 2"));
    ck_assert(has("taluva_site_parts{where=\"elsewhere\"} 2"));
    ck_assert(has("taluva_site_part_here{part=\"3\"} 1"));
    ck_assert(has("taluva_site_part_here{part=\"2\"} 0"));
    ck_assert(has("taluva_site_clients 1"));
    ck_assert(has("taluva_site_links 2"));
    ck_assert(has("taluva_site_relayed_total{way=\"out\"} 0"));
    ck_assert(has("taluva_site_passed_over_total 0"));
    nodes_leave(&nodes, 2);
    nodes_leave(&nodes, 3);
    nodes_leave(&nodes, 0);
    nodes_settle(&nodes);
    ck_assert_int_eq(get(0, "/metrics"), 200);
    ck_assert_ptr_null(strstr(body, "taluva_sessions"));
    ck_assert(has("taluva_site_parts{where=\"nobody\"} 3"));
    ck_assert(has("taluva_site_part_term{part=\"2\"} 1"));
}
END_TEST

/* What crosses a link is counted at both ends. */
START_TEST(test_relayed)
{
    const int host = nodes_guest(&nodes, 1, "Host"), ana = nodes_guest(&nodes, 0, "Ana");
    char room[9], path[32];
    nodes_room(&nodes, host, room);
    (void)snprintf(path, sizeof path, "/api/records/%s", room);
    nodes_do(&nodes, ana, "watch", "{s:s}", "room", room);
    ck_assert_int_eq(get(0, path), 404);
    site_hold(nodes.nodes[0].site, 3, true, nodes.now_ms);
    ck_assert_int_eq(get(0, "/metrics"), 200);
    ck_assert(has("taluva_site_relayed_total{way=\"out\"} 1"));
    ck_assert(has("taluva_site_asked_total{way=\"out\"} 1"));
    ck_assert(has("taluva_site_part_lease_lost{part=\"3\"} 1"));
    ck_assert(has("taluva_site_part_lease_lost{part=\"0\"} 0"));
    ck_assert_int_eq(get(1, "/metrics"), 200);
    ck_assert(has("taluva_site_asked_total{way=\"in\"} 1"));
    ck_assert(!has("taluva_site_relayed_total{way=\"in\"} 0"));
}
END_TEST

/* One part: as a single hub has it, and then the site. */
START_TEST(test_metrics_of_one_part)
{
    uint64_t ticket;
    struct hub_http_answer hubs;
    nodes_release(&nodes);
    nodes_init(&nodes, 1, 1);
    ck_assert_int_eq(get(0, "/metrics"), 200);
    ck_assert(hub_http_get(nodes.places[0].hub, "/metrics", asker, nodes.now_ms, &hubs, &ticket));
    ck_assert_uint_gt(body_len, hubs.len);
    ck_assert_int_eq(memcmp(body, hubs.body, hubs.len), 0);
    ck_assert_int_eq(strncmp(body + hubs.len, "# HELP taluva_site_parts", 24), 0);
    hub_http_release(&hubs);
}
END_TEST

Suite *figures_suite(void)
{
    Suite *suite = suite_create("figures");
    TCase *figures = tcase_create("figures");
    tcase_add_checked_fixture(figures, three_nodes, release);
    tcase_add_test(figures, test_metrics);
    tcase_add_test(figures, test_relayed);
    tcase_add_test(figures, test_metrics_of_one_part);
    suite_add_tcase(suite, figures);
    return suite;
}
