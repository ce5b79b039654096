#include "site_documents.h"

#include "site_private.h"
#include <assert.h>
#include <hub/document.h>
#include <site/documents.h>
#include <string.h>

void documents_init(struct site *site)
{
    const struct feature *const *feature = site->config.features;
    for (; feature && *feature; feature++) {
        if (!(*feature)->document)
            continue;
        assert(site->documents.count < STORE_DOCUMENTS_MAX);
        site->documents.list[site->documents.count++].type = (*feature)->document;
    }
}

void documents_release(struct site *site)
{
    for (size_t at = 0; at < site->documents.count; at++)
        site->documents.list[at].type->release(site->documents.list[at].value);
}

/* Its place; `count`: no feature has it. */
static size_t find_document(const struct site *site, const char *name)
{
    const struct site_documents *documents = &site->documents;
    size_t at = 0;
    while (at < documents->count && strcmp(documents->list[at].type->name, name) != 0)
        at++;
    return at;
}

/* The hubs let go of what held before. */
static void hold_value(struct site *site, struct site_document *document, void *value)
{
    void *before = document->value;
    document->value = value;
    for (unsigned part = 0; part < site->config.parts; part++) {
        struct hub *hub = site->parts[part].hub;
        if (hub)
            document->closed +=
                hub_hold_document(hub, document->type, value, document->revision, site->now_ms);
    }
    document->type->release(before);
}

bool site_document(struct site *site, const char *name, const char *text, size_t len,
                   int64_t revision, int64_t now_ms)
{
    const size_t at = find_document(site, name);
    site_set_time(site, now_ms);
    if (at == site->documents.count)
        return true;
    struct site_document *document = &site->documents.list[at];
    void *value = document->type->read(text, len);
    if (!value)
        return false;
    document->revision = revision;
    hold_value(site, document, value);
    return true;
}

void site_document_unreadable(struct site *site, const char *name, int64_t revision)
{
    const size_t at = find_document(site, name);
    if (at < site->documents.count)
        site->documents.list[at].revision = revision;
}

bool site_documents_give(struct site *site, struct hub *hub, int64_t now_ms)
{
    for (size_t at = 0; at < site->documents.count; at++) {
        if (!site->documents.list[at].value)
            return false;
    }
    for (size_t at = 0; at < site->documents.count; at++) {
        const struct site_document *document = &site->documents.list[at];
        (void)hub_hold_document(hub, document->type, document->value, document->revision, now_ms);
    }
    return true;
}

int64_t site_document_revision(const struct site *site, const char *name)
{
    const size_t at = find_document(site, name);
    return at < site->documents.count ? site->documents.list[at].revision : 0;
}

struct site_document *documents_find_row(struct site *site, const struct operator_word *word,
                                         const struct document_row **row)
{
    for (size_t at = 0; at < site->documents.count; at++) {
        struct site_document *document = &site->documents.list[at];
        for (size_t i = 0; i < document->type->row_count; i++) {
            *row = &document->type->rows[i];
            if ((*row)->word == word)
                return document;
        }
    }
    return NULL;
}
