/*
 * The documents of a server that is alone (hub/store_document.h), which its store keeps. Servers of
 * earlier versions had the bans in a file (store/bans.h): as long as the store has none, that file
 * is taken over.
 */
#ifndef SERVER_LONE_DOCUMENTS_H
#define SERVER_LONE_DOCUMENTS_H

#include "hub_maker.h"
#include <hub/store_document.h>
#include <net/net.h>

struct lone_document {
    const char *name;
    char *text; /* NULL: nobody has written it yet */
    size_t len;
    int64_t revision;
};

struct lone_documents {
    const struct hub_maker *maker;
    struct hub *hub;
    struct net *net;
    struct lone_document list[STORE_DOCUMENTS_MAX]; /* until they are given */
    size_t count;
    bool takes_file;               /* the bans of the list are not in the store yet */
    struct lone_document changing; /* one at a time */
};

/* What the hub's store has, whose rows are all restored. Not STORE_OK: one cannot be read, and
 * without it nothing is to be served; `message` says which. */
enum store_result lone_documents_open(struct lone_documents *documents,
                                      const struct hub_maker *maker, struct hub *hub,
                                      char message[static STORE_MESSAGE_MAX]);
/* Before the part is served. False: out of memory. */
bool lone_documents_give(struct lone_documents *documents, struct net *net);
void lone_documents_release(struct lone_documents *documents);

/* As net_options has them; `name` is static. */
bool lone_documents_change(struct lone_documents *documents, const char *name, const char *text,
                           size_t len, int64_t revision);
void lone_documents_stored(struct lone_documents *documents, bool stored);

#endif
