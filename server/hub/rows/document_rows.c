#include "document_rows.h"

#include "hub_private.h"
#include <assert.h>
#include <hub/store_document.h>
#include <stdlib.h>
#include <string.h>

struct document_copy {
    struct document_copy *next;
    char name[STORE_DOCUMENT_NAME_MAX + 1];
    int64_t revision;
    size_t len;
    char *text;
};

bool document_rows_restore(struct hub *hub, const struct store_document *row)
{
    struct document_copy *copy = malloc(sizeof *copy);
    char *text = strdup(row->text);
    if (!copy || !text) {
        free(copy);
        free(text);
        return false;
    }
    *copy = (struct document_copy){
        .next = hub->documents.first, .revision = row->revision, .len = strlen(text), .text = text};
    memcpy(copy->name, row->name, sizeof copy->name);
    hub->documents.first = copy;
    return true;
}

void document_rows_release(struct hub *hub)
{
    struct document_copy *next;
    for (struct document_copy *copy = hub->documents.first; copy; copy = next) {
        next = copy->next;
        free(copy->text);
        free(copy);
    }
    hub->documents.first = NULL;
}

char *document_rows_take(struct hub *hub, const char *name, size_t *len, int64_t *revision)
{
    struct document_copy **at = &hub->documents.first;
    while (*at && strcmp((*at)->name, name) != 0)
        at = &(*at)->next;
    struct document_copy *copy = *at;
    if (!copy)
        return NULL;
    char *text = copy->text;
    *len = copy->len;
    *revision = copy->revision;
    *at = copy->next;
    free(copy);
    return text;
}

void document_rows_done(struct hub *hub, bool stored)
{
    assert(hub->documents.state == DOCUMENT_WAITING);
    hub->documents.state = DOCUMENT_ANSWERED;
    hub->documents.stored = stored;
}

bool document_rows_next(struct hub *hub, bool *kept)
{
    if (hub->documents.state != DOCUMENT_ANSWERED)
        return false;
    hub->documents.state = DOCUMENT_NOTHING;
    *kept = hub->documents.stored;
    return true;
}
