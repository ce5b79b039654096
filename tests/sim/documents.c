#include "documents.h"

#include "mutants.h"
#include "sim.h"
#include <hub/document.h>
#include <hub/store_document.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char NAME[] = "days";
enum { CHANGE = 100, NUMBER = 16 }; /* in a thousand; digits */

static void apply_row(struct sim *sim, const struct store_document *row)
{
    struct documents *documents = &sim->documents;
    if (row->revision < documents->durable || row->revision > documents->durable + 1)
        sim_fail(sim, "revision %" PRId64 " of a document is written over %" PRId64, row->revision,
                 documents->durable);
    documents->durable = row->revision;
    documents->text = strtoull(row->text, NULL, 16);
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

void documents_want(struct sim *sim)
{
    struct documents *documents = &sim->documents;
    char text[NUMBER + 1];
    if (!sim->hub || documents->putting > 0 || !sim_chance(sim, CHANGE))
        return;
    documents->putting_text = rng_next(&sim->rng);
    (void)snprintf(text, sizeof text, "%016" PRIx64, documents->putting_text);
    hub_begin(sim);
    if (hub_document_put(sim->hub, NAME, text, documents->known + 1, sim->now_ms))
        documents->putting = documents->known + 1;
    hub_end(sim);
    if (documents->putting > 0 && sim_mutant == SIM_MUTANT_DOCUMENT_EARLY)
        documents->told = documents->putting;
}

void documents_fetch(struct sim *sim)
{
    struct documents *documents = &sim->documents;
    bool kept;
    if (!hub_document_next(sim->hub, &kept))
        return;
    mark(kept ? MARK_DOCUMENT_KEPT : MARK_DOCUMENT_NOT_KEPT);
    if (documents->putting == 0)
        sim_fail(sim, "a document was put that nobody has put");
    if (kept &&
        (documents->durable != documents->putting || documents->text != documents->putting_text))
        sim_fail(sim, "revision %" PRId64 " of a document is said to be kept; durable is %" PRId64,
                 documents->putting, documents->durable);
    if (kept)
        documents->known = documents->told = documents->putting;
    documents->putting = 0;
}

void documents_restored(struct sim *sim)
{
    struct documents *documents = &sim->documents;
    int64_t revision = 0;
    size_t len;
    char *text = hub_document_take(sim->hub, NAME, &len, &revision);
    if (revision != documents->durable || revision < documents->told ||
        (text && strtoull(text, NULL, 16) != documents->text))
        sim_fail(sim,
                 "a server has revision %" PRId64 " of a document; %" PRId64
                 " is durable, and somebody was told of %" PRId64,
                 revision, documents->durable, documents->told);
    if (text)
        mark(MARK_DOCUMENT_BACK);
    free(text);
    documents->known = revision;
    documents->putting = 0;
}
