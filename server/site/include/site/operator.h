/*
 * What the operator of a node asks (hub/admin.h), of all that the site has here: lists and figures
 * are of all parts that are here; what is about one room goes to the part that has it, or says at
 * which node that is; a document holds for the whole site, and is kept by the caller.
 *
 * One change at a time may wait, for the store of a part or for who keeps documents; until it is
 * done others are refused with `busy`.
 */
#ifndef SITE_OPERATOR_H
#define SITE_OPERATOR_H

#include <hub/admin.h>
#include <hub/document.h>
#include <site/documents.h>
#include <site/site.h>

/* What the caller knows, and what it wants written. */
struct site_inquiry {
    const struct admin_request *request;
    const char *server; /* hub_env.server */
    bool draining;      /* the server */
    size_t most;        /* bans that may hold; 0: nobody can keep a document, and there is none */
    void (*status)(void *ctx, struct writer *writer); /* as in hub/admin.h */
    void *ctx;
};

/*
 * ADMIN_DONE, ADMIN_REFUSED: as hub_admin. `drain` is the caller's, who knows which parts are being
 * given back.
 *
 * ADMIN_WAITS: site_operator_next says what has become of it. If `keep` has bytes now they are the
 * text of a document (site_operator_document) as it is to be, in place of the revision that holds:
 * the caller has that kept, and says with site_document_kept what has become of it, after
 * site_document (site/documents.h).
 */
enum admin_outcome site_operator_ask(struct site *site, const struct site_inquiry *inquiry,
                                     int64_t now_ms, struct buffer *line, struct buffer *keep,
                                     struct refusal *refusal);
/* ADMIN_WAITS: nothing waits, or it waits still. Else that, once. */
enum admin_outcome site_operator_next(struct site *site, int64_t now_ms, struct buffer *line,
                                      struct refusal *refusal);

/* Which one is being kept for the operator; NULL: none. */
const char *site_operator_document(const struct site *site);
/*
 * What a feature of a part that is here wants its document to be: to be kept as the operator's
 * changes are, one of all at a time. False: nothing, or another change waits.
 */
bool site_document_asked(struct site *site, struct hub_document_asked *asked, int64_t now_ms);
/* What has become of a text that was to be kept. */
void site_document_kept(struct site *site, enum document_kept kept);

#endif
