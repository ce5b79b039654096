#include "bearer.h"

#include "answer.h"
#include "connection.h"
#include "net_private.h"
#include "parts/lease.h"
#include "peers.h"
#include "sockets/address_rates.h"
#include <net/clock.h>
#include <site/program.h>

/* The answer is here. */
static void set_told(struct connection *connection, const struct site_program_told *told)
{
    struct answer *answer = connection->answer;
    answer_set_hubs(connection, &told->answer);
    answer->scope = told->scope;
}

/* Each is a connection for the time that it takes, and counts as one. */
static void refuse_one_more(struct connection *connection)
{
    static const char text[] = "{\"code\":\"slow_down\"}\n";
    struct site_program_told told = {0};
    hub_http_make(&told.answer, STATUS_SLOW_DOWN, "application/json", text, sizeof text - 1);
    set_told(connection, &told);
}

void bearer_ask(struct connection *connection, const struct site_program_asked *asked)
{
    struct net *net = connection->net;
    struct answer *answer = connection->answer;
    struct site_program_told told;
    answer->by_token = true;
    answer->had_token = asked->token != NULL;
    if (!address_rates_connect(&net->connections.rates, &connection->address, net_now_ms(net))) {
        refuse_one_more(connection);
        return;
    }
    answer->program =
        site_program_begin(net->site, asked, connection->address.bytes, net_now_ms(net), &told);
    net_touch(net);
    if (!answer->program)
        set_told(connection, &told);
    else if (!peers_add(connection, site_program_peer(answer->program)))
        connection_cut(connection);
}

void bearer_flush(struct connection *connection)
{
    struct site_program_told told;
    struct answer *answer = connection->answer;
    if (!answer || !answer->program || lease_holds_back(connection->net) ||
        !site_program_take(answer->program, net_now_ms(connection->net), &told))
        return;
    answer->program = NULL;
    peers_remove(connection);
    set_told(connection, &told);
    connection_ask_writable(connection);
    answers_keep_within_bounds(connection->net);
    net_touch(connection->net);
}
