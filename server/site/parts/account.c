#include "account.h"

#include "clients/client.h"
#include "port.h"
#include "site_private.h"
#include <hub/facts.h>

/* Of one at home at another node that has said so, before this (FRAME_OWNED). */
static void read_owner(const struct site *site, struct client *client)
{
    const struct port *home = port_find(client, client->home);
    if (home && !home->link && !home->lost)
        client->owner = hub_owner(site->parts[client->home].hub, home->peer);
}

void account_set(const struct site *site, struct client *client,
                 const struct protocol_account *account)
{
    client->account = *account;
    client->account_quiet = account->quiet;
    if (account->kind != ACCOUNT_NONE)
        read_owner(site, client);
}

/* A part that cannot be told for want of memory shows no handle, until the client comes again. */
static void tell_others(struct site *site, const struct client *client)
{
    for (const struct port *port = client->ports; port; port = port->next) {
        if (port->part == client->home || port->lost)
            continue;
        (void)port_set_account(site, port);
        port_set_quiet(site, port);
    }
}

void account_follow(struct site *site, const struct port *port)
{
    struct client *client = port->client;
    struct protocol_account account;
    if (site->config.parts == 1 || port->part != client->home)
        return; /* there is no other part. First, as this is asked of every message */
    if (!facts_read_account(port_facts(site, port), &account))
        return;
    account_set(site, client, &account);
    tell_others(site, client);
}
