#include "visit.h"

#include <check.h>
#include <string.h>

const uint8_t visit_asker[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 9};

void visit_keep(struct visit *visit)
{
    struct hub_http_answer whole = visit->answer;
    ck_assert_uint_lt(whole.len, sizeof visit->body);
    memcpy(visit->body, whole.body, whole.len);
    visit->body[whole.len] = '\0';
    visit->len = whole.len;
    hub_http_release(&whole);
}

uint64_t visit_ask(struct visit *visit, struct nodes *nodes, int node, const char *path)
{
    uint64_t ticket;
    visit->answer = (struct hub_http_answer){0};
    if (!site_http_get(nodes->nodes[node].site, path, visit_asker, nodes->now_ms, &visit->answer,
                       &ticket)) {
        ck_assert_uint_ne(ticket, 0);
        return ticket;
    }
    ck_assert_uint_eq(ticket, 0);
    visit_keep(visit);
    return 0;
}

bool visit_is_answered(struct visit *visit, struct nodes *nodes, int node, uint64_t ticket)
{
    uint64_t got;
    if (!site_http_next(nodes->nodes[node].site, &got, &visit->answer))
        return false;
    ck_assert_uint_eq(got, ticket);
    visit_keep(visit);
    return true;
}

int visit_get(struct visit *visit, struct nodes *nodes, int node, const char *path)
{
    const uint64_t ticket = visit_ask(visit, nodes, node, path);
    if (ticket) {
        nodes_settle(nodes);
        ck_assert_msg(visit_is_answered(visit, nodes, node, ticket), "%s is not answered", path);
    }
    return visit->answer.status;
}
