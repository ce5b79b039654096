/*
 * The site as a whole, private to this folder. The layers, lowest last; a file calls files below
 * it:
 *
 *     program                       what programs ask by HTTP, each as a client
 *     site  link_in                 calls from outside: of clients, of other nodes
 *     owner  news                   who has which part; news of sessions
 *     operator                      what the operator of this node asks
 *     web                           what is asked for by HTTP
 *     arrive                        what comes back for a client
 *     resume                        a client in a part that somebody else has now
 *     route                         where a client's message goes
 *     greet  gather                 what all parts are asked for
 *     whole                         who is told that nothing is left out any more
 *     account                       which account a client has, for all parts that it is in
 *     port                          a client in one part
 *     figures  seen                 what it does
 *     ready                         can this node serve
 *     ask                           what is asked by HTTP, here or in a frame
 *     link_out                      frames to other nodes
 *     link_answer                   long answers in pieces
 *     site_documents  client  output_queue  site_part  frame  merge  track
 *     page_path
 *     program_page
 */
#ifndef SITE_PRIVATE_H
#define SITE_PRIVATE_H

#include "clients/client.h"
#include "http/figures.h"
#include "http/web.h"
#include "operator/operator.h"
#include "operator/site_documents.h"
#include "site_part.h"
#include <hub/part.h>
#include <protocol/request.h>
#include <site/site.h>

enum {
    CLOSE_TOO_LONG = 1009,
    CLOSE_SERVER_FAULT = 1011,
    CLOSE_RESTART = 1012,
    CLOSE_FULL = 1013,
    CLOSE_SLOW_READER = 4002,
    CLOSE_IDLE = 4004,
};

struct site {
    struct site_config config;
    struct part parts[PARTS_MAX];
    struct site_link *links;
    struct clients clients;
    bool ending;         /* this process ends */
    unsigned next_home;  /* where the next new client goes */
    int64_t last_follow; /* the last number of a room that is followed again */
    int64_t now_ms;
    int64_t due_ms;                  /* of what waits, or earlier */
    struct decoded decoded;          /* what has just come */
    unsigned needs[REQUEST_OPS + 1]; /* of each operation: enum request_needs; the last one is of
                                        what could not be read */
    struct web web;
    struct site_counts counts;
    bool drains;
    bool cut_off;
    struct site_program *programs; /* that ask by HTTP, see program.c */
    int64_t missed_ms; /* when an answer to some client left a part out, last; 0: none waits to be
                          told that all are served */
    bool told_fault;   /* the other nodes know that no part works here */
    struct site_documents documents;
    struct operator_change change;
};

/* As a foreign session: in its home it would be known already. */
static inline bool site_may_visit(const struct site *site, uint64_t session, unsigned part)
{
    return part_of_session(session, site->config.parts) != part;
}

static inline void site_close(struct site *site, struct client *client, int code)
{
    client_close(&site->clients, client, code);
}

/* Something that it was to be told is not there, for want of memory: nothing may come after it. */
static inline void site_fail(struct site *site, struct client *client)
{
    client->incomplete = true;
    site_close(site, client, CLOSE_SERVER_FAULT);
}

static inline void site_set_time(struct site *site, int64_t now_ms)
{
    if (now_ms > site->now_ms)
        site->now_ms = now_ms;
}

/* Do clients go on in a part when somebody else has it? */
static inline bool site_goes_on(const struct site *site)
{
    return site->config.resume_wait_ms > 0;
}

/* To be called when what the client waits for has changed. */
static inline void site_note_wait(struct site *site, struct client *client)
{
    const int64_t due_ms = client_note_wait(&site->clients, client);
    if (due_ms < site->due_ms)
        site->due_ms = due_ms;
}

#endif
