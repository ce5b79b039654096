/*
 * What other threads say of documents (net_document): it is brought to the site.
 */
#ifndef NET_PARTS_DOCUMENTS_H
#define NET_PARTS_DOCUMENTS_H

#include <stdbool.h>

struct net;

bool net_documents_init(struct net *net); /* before the loop; false: no mutex */
void net_documents_open(struct net *net); /* the loop is there */
void net_documents_close(struct net *net);
void net_documents_release(struct net *net);

/* What has come: before parts that have come later. */
void net_documents_read_mail(struct net *net);
/* What hubs have kept. */
void net_documents_fetch(struct net *net);
/* Now and then: what could not be taken for want of memory. */
void net_documents_retry(struct net *net);

#endif
