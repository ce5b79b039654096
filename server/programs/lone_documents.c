#include "lone_documents.h"

#include <hub/document.h>
#include <registry/registry.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/bans.h>
#include <string.h>

static const char BANS[] = "bans";

static enum store_result fail_file(const struct lone_documents *documents, const char *why,
                                   enum store_result result, char *message)
{
    snprintf(message, STORE_MESSAGE_MAX,
             "the bans in %.200s/" BANS_FILE ": %.200s; without that file nobody is banned",
             documents->maker->options->data, why);
    return result;
}

/* Nobody has written it in the store. */
static enum store_result open_file(struct lone_documents *documents, struct lone_document *bans,
                                   char message[static STORE_MESSAGE_MAX])
{
    char why[STORE_MESSAGE_MAX];
    const enum store_result result =
        bans_load(documents->maker->options->data, &bans->text, &bans->len, why);
    if (result != STORE_OK)
        return fail_file(documents, why, result, message);
    if (!bans->text)
        return STORE_OK;
    if (bans->len == 0 || !hub_maker_reads(BANS, bans->text, bans->len))
        return fail_file(documents, "it is damaged", STORE_CORRUPT, message);
    bans->text[bans->len] = '\0';
    bans->revision = 1;
    documents->takes_file = true;
    return STORE_OK;
}

static enum store_result open_one(struct lone_documents *documents, const char *name,
                                  char message[static STORE_MESSAGE_MAX])
{
    struct lone_document *document = &documents->list[documents->count++];
    *document = (struct lone_document){.name = name};
    document->text = hub_document_take(documents->hub, name, &document->len, &document->revision);
    if (!document->text)
        return strcmp(name, BANS) == 0 ? open_file(documents, document, message) : STORE_OK;
    if (hub_maker_reads(name, document->text, document->len))
        return STORE_OK;
    snprintf(message, STORE_MESSAGE_MAX, "the document %s in the store is damaged", name);
    return STORE_CORRUPT;
}

enum store_result lone_documents_open(struct lone_documents *documents,
                                      const struct hub_maker *maker, struct hub *hub,
                                      char message[static STORE_MESSAGE_MAX])
{
    enum store_result result = STORE_OK;
    documents->maker = maker;
    documents->hub = hub;
    for (const struct feature *const *feature = registry; *feature && result == STORE_OK;
         feature++) {
        if ((*feature)->document)
            result = open_one(documents, (*feature)->document->name, message);
    }
    return result;
}

static void forget_list(struct lone_documents *documents)
{
    while (documents->count > 0)
        free(documents->list[--documents->count].text);
}

static void forget_change(struct lone_documents *documents)
{
    free(documents->changing.text);
    documents->changing = (struct lone_document){0};
}

void lone_documents_release(struct lone_documents *documents)
{
    forget_list(documents);
    forget_change(documents);
}

static bool give_one(struct lone_documents *documents, const struct lone_document *document)
{
    if (documents->takes_file && strcmp(document->name, BANS) == 0 &&
        !hub_document_put(documents->hub, BANS, document->text, document->revision,
                          hub_known_ms(documents->hub)))
        return false;
    return net_document(documents->net, document->name, document->text ? document->text : "",
                        document->len, document->revision);
}

bool lone_documents_give(struct lone_documents *documents, struct net *net)
{
    bool given = true;
    documents->net = net;
    for (size_t at = 0; at < documents->count && given; at++)
        given = give_one(documents, &documents->list[at]);
    forget_list(documents);
    return given;
}

/* ---- changes, on the loop's thread */

static void say_failed(const char *name)
{
    log_text(LOG_ERROR, strcmp(name, BANS) == 0 ? "bans_failed" : "document_failed", "why",
             "the store does not keep it now");
}

bool lone_documents_change(struct lone_documents *documents, const char *name, const char *text,
                           size_t len, int64_t revision)
{
    char *copy = documents->changing.text ? NULL : strndup(text, len);
    if (!copy)
        return false;
    documents->changing = (struct lone_document){name, copy, len, revision + 1};
    if (hub_document_put(documents->hub, name, copy, revision + 1,
                         net_clock_ms(documents->maker->clock)))
        return true;
    say_failed(name);
    forget_change(documents);
    return false;
}

/* Those of the file hold already, and are there still if they could not be kept. */
void lone_documents_stored(struct lone_documents *documents, bool stored)
{
    const struct lone_document *document = &documents->changing;
    if (!stored)
        say_failed(document->name ? document->name : BANS);
    if (!document->name)
        return;
    const bool told = stored && net_document(documents->net, document->name, document->text,
                                             document->len, document->revision);
    net_document_kept(documents->net, told ? DOCUMENT_KEPT : DOCUMENT_FAILED);
    forget_change(documents);
}
