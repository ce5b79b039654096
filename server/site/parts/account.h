/*
 * The account of a client's session: its home says which it has, beside the texts of the answers to
 * `hello` and `claim` and of the push `account`, and the other parts that the client is in are
 * told.
 */
#ifndef SITE_ACCOUNT_H
#define SITE_ACCOUNT_H

struct client;
struct port;
struct protocol_account;
struct site;

/* As the answer to `hello` has it. */
void account_set(const struct site *site, struct client *client,
                 const struct protocol_account *account);
/* The first message of the port is about to be sent, or kept for the client. */
void account_follow(struct site *site, const struct port *port);

#endif
