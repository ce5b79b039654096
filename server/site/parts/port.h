/*
 * A client in one part: a peer of its hub, which is here, or a channel to it over a link.
 */
#ifndef SITE_PORT_H
#define SITE_PORT_H

#include "clients/client.h"
#include "track.h"
#include <protocol/reply.h>

struct request;
struct site;
struct site_link;

enum { PORT_LATE_MAX = 4 };

struct port {
    struct port *next; /* of the client */
    struct client *client;
    unsigned part;
    struct hub_peer peer;   /* here; */
    struct site_link *link; /* or there: */
    uint64_t number;        /* of the channel */
    struct messages told;   /* by it */
    bool hurries;           /* there is something among it that the client waits for */
    bool left_out;          /* lines of talk, which is to be told when it has read the others */
    int code;               /* to close with; 0: none */
    unsigned elsewhere;     /* 1 and the part where its hello is answered; 0: there */
    bool passing;           /* made only for what all parts are asked: it ends with that */
    bool lost;              /* neither here nor there at the moment (resume.h) */
    struct track track;
    size_t unanswered;           /* rooms that are followed again, but not yet */
    int64_t resume_ms;           /* when it must be as before; 0: it is */
    int64_t retry_ms;            /* if it is lost, not before */
    unsigned late_count;         /* answers that are not waited for any more, and still come */
    int64_t late[PORT_LATE_MAX]; /* their ids */
};

struct port *port_find(const struct client *client, unsigned part); /* NULL: none */
/*
 * In a part that is served. A client that is known is announced as what it is, any other is a
 * stranger there. NULL: refused, and `*code` is the close code to give.
 */
struct port *port_open(struct site *site, struct client *client, unsigned part, int *code);
void port_close(struct site *site, struct port *port);
/* Its peer is gone, or its part is about to go: it is lost. What has come for it has been taken. */
void port_detach(struct site *site, struct port *port);
/* A lost one, in a part that is served. 0, or the close code: it is still lost. */
int port_reopen(struct site *site, struct port *port);
/* Its part is told which account the client has, if it has one and is at home elsewhere. False:
 * there was no memory for that. */
bool port_set_account(struct site *site, const struct port *port);
/* Its part is told whether the client says and hears nothing; what its home knows by itself, as it
 * is so of the account, that is not told. */
void port_set_quiet(struct site *site, const struct port *port);
/* hub_follow */
void port_follow(struct site *site, const struct port *port, int64_t number, const char *room,
                 int64_t have);
void ports_close(struct site *site, struct client *client);

/* A message of a client as it came, and as it was decoded. Not of a lost one. False: the link is
 * full. */
bool port_send(struct site *site, const struct port *port, const struct hub_decoded *said);
/* Why it could not be sent: an error of the protocol. */
int port_refusal(const struct port *port);

/* The first message for it that has come and was not sent on; NULL: none. */
unsigned char *port_output(const struct site *site, const struct port *port, size_t *len);
const struct hub_head *port_head(const struct site *site, const struct port *port); /* its head */
struct facts port_facts(const struct site *site, const struct port *port);          /* its facts */
void port_sent(struct site *site, struct port *port);
/* hub_hurries, wherever it is */
bool port_hurries(const struct site *site, const struct port *port);
int port_code(const struct site *site, const struct port *port);
/* hub_elsewhere, of one that has a code */
bool port_elsewhere(const struct site *site, const struct port *port, unsigned *part);
/* hub_set_challenge. False: the link is full. */
bool port_set_challenge(struct site *site, const struct port *port,
                        const uint8_t challenge[static HUB_CHALLENGE_BYTES]);

/* To the client, from the site itself; it is closed if there is no memory. */
void client_hold(struct site *site, struct client *client, const void *bytes, size_t len,
                 const struct hub_head *head);
/* The same of what a buffer has, which is released. */
void client_push(struct site *site, struct client *client, struct buffer *buffer,
                 const struct hub_head *head);
void client_notify(struct site *site, struct client *client, enum protocol_notice notice,
                   const char *room, const char *text); /* room: NULL, of none */
void client_refuse(struct site *site, struct client *client, int64_t id, int error);

#endif
