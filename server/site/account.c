#include "account.h"

#include "client.h"
#include "pieces.h"
#include "port.h"
#include "site_private.h"
#include <string.h>

/* Of one at home at another node that has said so, before this (FRAME_OWNED). */
static void read_owner(const struct site *site, struct client *client)
{
    const struct port *home = port_find(client, client->home);
    if (home && !home->link && !home->lost)
        client->owner = hub_owner(site->parts[client->home].hub, home->peer);
}

void account_read(const struct site *site, struct client *client, struct piece ok)
{
    const struct piece account = piece_member(ok, "account");
    const struct piece handle = piece_string(piece_member(account, "handle"));
    client->account = (struct protocol_account){.kind = ACCOUNT_NONE};
    if (!handle.at || !handle_valid(handle.at, handle.len))
        return;
    client->account.kind =
        piece_is(piece_member(account, "bot"), "true") ? ACCOUNT_BOT : ACCOUNT_PERSON;
    memcpy(client->account.handle, handle.at, handle.len);
    read_owner(site, client);
}

static bool is_claim(const struct port *port, const struct hub_head *head)
{
    const struct asked *asked = head->follows ? NULL : port->track.asked;
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

/* Where the account stands in it; at NULL: the message is none about it. */
static struct piece find_account(const struct port *port, const struct hub_head *head,
                                 const char *text, size_t len)
{
    if (head->kind == HUB_REPLY && is_claim(port, head))
        return piece_member((struct piece){text, len}, "ok");
    /* It has changed: on this device or another one, or by the operator. */
    return head->kind == HUB_PUSH && head->about == HUB_ABOUT_ACCOUNT ? (struct piece){text, len}
                                                                      : (struct piece){NULL, 0};
}

void account_follow(struct site *site, const struct port *port)
{
    struct client *client = port->client;
    size_t len;
    if (site->config.lone || port->part != client->home)
        return; /* before the head is looked for, as this is asked of every message */
    const struct hub_head *head = port_head(site, port);
    if (!head || (head->kind != HUB_REPLY && head->kind != HUB_PUSH))
        return;
    const char *text = (const char *)port_output(site, port, &len);
    const struct piece found = find_account(port, head, text, len);
    if (!found.at)
        return;
    account_read(site, client, found);
    tell_others(site, client);
}
