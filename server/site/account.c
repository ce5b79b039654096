#include "account.h"

#include "client.h"
#include "pieces.h"
#include "port.h"
#include "site_private.h"
#include <string.h>

void account_read(struct client *client, struct piece ok)
{
    const struct piece account = piece_member(ok, "account");
    const struct piece handle = piece_string(piece_member(account, "handle"));
    client->account = (struct protocol_account){.kind = ACCOUNT_NONE};
    if (!handle.at || !handle_valid(handle.at, handle.len))
        return;
    client->account.kind =
        piece_is(piece_member(account, "bot"), "true") ? ACCOUNT_BOT : ACCOUNT_PERSON;
    memcpy(client->account.handle, handle.at, handle.len);
}

static bool is_claim(const struct port *port, const struct hub_head *head)
{
    const struct asked *asked = port->track.asked;
    while (asked && asked->id != head->id)
        asked = asked->next;
    return asked && asked->op == REQUEST_CLAIM;
}

/* A part that cannot be told for want of memory shows no handle, until the client comes again. */
static void tell_others(struct site *site, const struct client *client)
{
    for (const struct port *port = client->ports; port; port = port->next) {
        if (port->part != client->home && !port->lost)
            (void)port_set_account(site, port);
    }
}

void account_follow(struct site *site, const struct port *port)
{
    struct client *client = port->client;
    size_t len;
    if (site->config.lone || port->part != client->home)
        return; /* before the head is looked for, as this is asked of every message */
    const struct hub_head *head = port_head(site, port);
    if (!head || head->kind != HUB_REPLY || !is_claim(port, head))
        return;
    const char *text = (const char *)port_output(site, port, &len);
    account_read(client, piece_member((struct piece){text, len}, "ok"));
    tell_others(site, client);
}
