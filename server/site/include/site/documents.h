/*
 * The documents of a site that its features go by (features/feature.h), which are kept elsewhere
 * for all its nodes. Each is read once, for all parts that are here. One that no feature has is
 * nobody's business here.
 */
#ifndef SITE_DOCUMENTS_H
#define SITE_DOCUMENTS_H

#include <hub/store_document.h>
#include <site/site.h>

/* It holds from now on, in the parts that are here and in those that come. False: it is no such
 * text, or there is no memory for it; what held before goes on. */
bool site_document(struct site *site, const char *name, const char *text, size_t len,
                   int64_t revision, int64_t now_ms);
/* That revision cannot be read: what holds goes on, and the next change is in place of that one. */
void site_document_unreadable(struct site *site, const char *name, int64_t revision);
/* Before site_serve. False: not all documents are known yet. */
bool site_documents_give(struct site *site, struct hub *hub, int64_t now_ms);
int64_t site_document_revision(const struct site *site, const char *name);

#endif
