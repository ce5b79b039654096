#include "documents.h"

#include "../support/guest_book.h"
#include "mutants.h"
#include "sim.h"
#include <assert.h>
#include <hub/document.h>
#include <hub/store_document.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGE = 100, BY_FEATURE = 500, NUMBER = 16 }; /* in a thousand; digits */

/* Behind its version. */
static uint64_t number_of(const char *text)
{
    const char *line = strchr(text, '\n');
    return line ? strtoull(line + 1, NULL, 16) : 0;
}

static void write_text(char text[static GUEST_WELCOME_BYTES], uint64_t number)
{
    char welcome[NUMBER + 1];
    (void)snprintf(welcome, sizeof welcome, "%016" PRIx64, number);
    guest_welcome_write(text, welcome);
}

static void apply_row(struct sim *sim, const struct store_document *row)
{
    struct documents *documents = &sim->documents;
    if (row->revision < documents->durable || row->revision > documents->durable + 1)
        sim_fail(sim, "revision %" PRId64 " of a document is written over %" PRId64, row->revision,
                 documents->durable);
    documents->durable = row->revision;
    documents->text = number_of(row->text);
}

void documents_apply(struct sim *sim, const struct store_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct store_op *op = &batch->ops[i];
        if (batch->results[i] == STORE_OK && op->kind == STORE_PUT_ROW &&
            op->u.row.table == &store_document_table)
            apply_row(sim, op->u.row.row);
    }
}

/* ---- what holds */

/* The guest book goes by it from now on. */
static void hold(struct sim *sim, const char *text, int64_t revision)
{
    struct documents *documents = &sim->documents;
    void *value = guest_welcome.read(text, strlen(text));
    assert(value);
    if (sim_mutant != SIM_MUTANT_DOCUMENT_UNHELD || documents->known == 0)
        (void)hub_hold_document(sim->hub, &guest_welcome, value, revision, sim->now_ms);
    guest_welcome.release(documents->value);
    documents->value = value;
    documents->known = revision;
    documents->known_text = number_of(text);
}

static void check_welcome(struct sim *sim)
{
    const char *welcome = guest_book_welcomed(sim->hub);
    if (!welcome || strtoull(welcome, NULL, 16) != sim->documents.known_text)
        sim_fail(sim, "the guest book does not go by revision %" PRId64 " of its document",
                 sim->documents.known);
}

/* ---- changing it */

/* True: it is on its way. */
static bool put_by_operator(struct sim *sim, uint64_t number)
{
    char text[GUEST_WELCOME_BYTES];
    write_text(text, number);
    return hub_document_put(sim->hub, guest_welcome.name, text, sim->documents.known + 1,
                            sim->now_ms);
}

static bool put_by_feature(struct sim *sim, uint64_t number)
{
    struct hub_document_asked asked;
    char welcome[NUMBER + 1];
    (void)snprintf(welcome, sizeof welcome, "%016" PRIx64, number);
    if (!guest_book_welcome(sim->hub, welcome) || !hub_document_asked(sim->hub, &asked))
        return false;
    if (asked.revision != sim->documents.known || number_of(asked.text) != number)
        sim_fail(sim, "the guest book changes revision %" PRId64 ", and goes by %" PRId64,
                 asked.revision, sim->documents.known);
    const bool put =
        hub_document_put(sim->hub, asked.name, asked.text, asked.revision + 1, sim->now_ms);
    if (!put)
        hub_document_answer(sim->hub, DOCUMENT_FAILED, sim->now_ms);
    return put;
}

void documents_want(struct sim *sim)
{
    struct documents *documents = &sim->documents;
    if (!sim->hub || documents->putting > 0 || !sim_chance(sim, CHANGE))
        return;
    documents->putting_text = rng_next(&sim->rng);
    documents->by_feature = sim_chance(sim, BY_FEATURE);
    hub_begin(sim);
    if ((documents->by_feature ? put_by_feature : put_by_operator)(sim, documents->putting_text))
        documents->putting = documents->known + 1;
    hub_end(sim);
    if (documents->putting > 0 && sim_mutant == SIM_MUTANT_DOCUMENT_EARLY)
        documents->told = documents->putting;
}

static void keep(struct sim *sim)
{
    struct documents *documents = &sim->documents;
    char text[GUEST_WELCOME_BYTES];
    if (documents->durable != documents->putting || documents->text != documents->putting_text)
        sim_fail(sim, "revision %" PRId64 " of a document is said to be kept; durable is %" PRId64,
                 documents->putting, documents->durable);
    write_text(text, documents->putting_text);
    hold(sim, text, documents->putting);
    documents->told = documents->putting;
}

void documents_fetch(struct sim *sim)
{
    struct documents *documents = &sim->documents;
    bool kept;
    check_welcome(sim);
    if (!hub_document_next(sim->hub, &kept))
        return;
    mark(kept ? MARK_DOCUMENT_KEPT : MARK_DOCUMENT_NOT_KEPT);
    if (documents->putting == 0)
        sim_fail(sim, "a document was put that nobody has put");
    if (kept)
        keep(sim);
    if (kept && documents->by_feature)
        mark(MARK_DOCUMENT_BY_FEATURE);
    if (documents->by_feature)
        hub_document_answer(sim->hub, kept ? DOCUMENT_KEPT : DOCUMENT_FAILED, sim->now_ms);
    documents->putting = 0;
}

/* ---- starting */

void documents_restored(struct sim *sim)
{
    struct documents *documents = &sim->documents;
    int64_t revision = 0;
    size_t len;
    char *text = hub_document_take(sim->hub, guest_welcome.name, &len, &revision);
    if (revision != documents->durable || revision < documents->told ||
        (text && number_of(text) != documents->text))
        sim_fail(sim,
                 "a server has revision %" PRId64 " of a document; %" PRId64
                 " is durable, and somebody was told of %" PRId64,
                 revision, documents->durable, documents->told);
    if (text)
        mark(MARK_DOCUMENT_BACK);
    documents->known = 0;
    hold(sim, text ? text : "", revision);
    free(text);
    documents->putting = 0;
}

void documents_release(struct sim *sim)
{
    guest_welcome.release(sim->documents.value);
}
