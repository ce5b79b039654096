/*
 * What a feature makes of its document of the site (hub/kernel.h): one change at a time in a hub,
 * and the revisions that hold here.
 *
 *     NOTHING --kernel_change_document--> waits --hub_document_asked--> taken
 *        ^                                                                |
 *        '------------------------ hub_document_answer -------------------'
 */
#ifndef HUB_DOCUMENT_CHANGE_H
#define HUB_DOCUMENT_CHANGE_H

#include <hub/hub.h>
#include <hub/store_document.h>
#include <protocol/request.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct feature_document;
struct hub;

struct document_held {
    const struct feature_document *document;
    int64_t revision;
};

struct document_change {
    struct document_held held[STORE_DOCUMENTS_MAX];
    size_t held_count;
    char *text; /* owned; NULL: nothing waits */
    size_t len;
    struct document_held made_of; /* in place of which it is to be */
    bool taken;
    bool alone;           /* by nobody's request */
    struct hub_peer peer; /* who has asked for it */
    int64_t id;
    enum request_op op;
};

void document_change_held(struct hub *hub, const struct feature_document *document,
                          int64_t revision);
void document_change_release(struct hub *hub);

#endif
