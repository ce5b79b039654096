#include "bearer.h"

#include "answer.h"
#include "connection.h"
#include "net_private.h"
#include "parts/lease.h"
#include "peers.h"
#include <net/clock.h>
#include <site/program.h>

/* The answer is here. */
static void set_told(struct connection *connection, const struct site_program_told *told)
{
    struct answer *answer = connection->answer;
    answer_set_hubs(connection, &told->answer);
    answer->scope = told->scope;
}

void bearer_ask(struct connection *connection, const struct site_program_asked *asked)
{
    struct net *net = connection->net;
    struct answer *answer = connection->answer;
    struct site_program_told told;
    answer->by_token = true;
    answer->had_token = asked->token != NULL;
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
