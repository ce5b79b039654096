#include "annuls.h"

#include "guests.h"
#include "mutants.h"
#include "sim.h"
#include <assert.h>
#include <hub/admin.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WANTS = 60 }; /* in a thousand */
static const char reason[] = "one person";

static const struct rated_match *any_match(struct sim *sim)
{
    const struct rated *rated = &sim->oracle.rated;
    return rated->count > 0 ? &rated->matches[rng_scaled(&sim->rng, (unsigned)rated->count)] : NULL;
}

static void take_answer(struct sim *sim, enum admin_outcome outcome, const struct buffer *line,
                        const struct refusal *refusal);

static void ask(struct sim *sim, const struct rated_match *match)
{
    char text[96];
    struct admin_request request;
    struct refusal refusal = {0};
    struct buffer line;
    const int len = snprintf(text, sizeof text,
                             "{\"id\":1,\"op\":\"annul\",\"match\":%" PRIu64 ",\"reason\":\"%s\"}",
                             match->n, reason);
    const bool read = admin_request_read(&request, guests_features(), text, (size_t)len, &refusal);
    assert(read);
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    sim->annuls = (struct annuls){match->n, rated_annulled(&sim->oracle.rated, match->n)};
    sim->oracle.rated.annulling = match->n;
    hub_begin(sim);
    const enum admin_outcome outcome = hub_admin(sim->hub, &request, sim->now_ms, &line, &refusal);
    hub_end(sim);
    if (outcome != ADMIN_WAITS)
        take_answer(sim, outcome, &line, &refusal);
    buffer_release(&line);
}

void annuls_want(struct sim *sim)
{
    if (!sim->hub || sim->annuls.asked || !sim_chance(sim, WANTS))
        return;
    const struct rated_match *match = any_match(sim);
    if (match && match->n != 0)
        ask(sim, match);
}

/* ---- what it says */

static void check_done(const struct sim *sim, const struct buffer *line)
{
    const uint64_t by = rated_annulled(&sim->oracle.rated, sim->annuls.asked);
    json_t *answer = json_loadb(buffer_payload(line), line->len, 0, NULL);
    const json_t *ok = json_object_get(answer, "ok");
    if (!ok || by == 0 || sim->annuls.was_before != 0 ||
        (uint64_t)json_integer_value(json_object_get(ok, "n")) != by)
        sim_fail(sim, "match %" PRIu64 " is said to be annulled: %.*s", sim->annuls.asked,
                 (int)line->len, buffer_payload(line));
    json_decref(answer);
    mark(MARK_ANNULLED);
}

static void check_refused(const struct sim *sim, const struct refusal *refusal)
{
    const char *code = refusal->code ? refusal->code : "";
    const uint64_t by = rated_annulled(&sim->oracle.rated, sim->annuls.asked);
    if (strcmp(code, "unknown_match") == 0 || strcmp(code, "book_damaged") == 0)
        sim_fail(sim, "match %" PRIu64 " cannot be annulled: %s", sim->annuls.asked, code);
    if (by != sim->annuls.was_before)
        sim_fail(sim, "match %" PRIu64 " is annulled, and it was refused", sim->annuls.asked);
    if (strcmp(code, "already_annulled") != 0)
        return;
    if (by == 0)
        sim_fail(sim, "match %" PRIu64 " is said to be annulled already", sim->annuls.asked);
    mark(MARK_ANNULLED_ALREADY);
}

/* Without memory for the answer nothing is said. */
static void take_answer(struct sim *sim, enum admin_outcome outcome, const struct buffer *line,
                        const struct refusal *refusal)
{
    if (outcome == ADMIN_REFUSED)
        check_refused(sim, refusal);
    else if (!line->failed)
        check_done(sim, line);
    annuls_lost(sim);
}

void annuls_fetch(struct sim *sim)
{
    struct refusal refusal = {0};
    struct buffer line;
    uint64_t session;
    if (!sim->annuls.asked)
        return;
    buffer_init(&line, 0, ADMIN_ANSWER_BYTES);
    const enum admin_outcome outcome = hub_admin_next(sim->hub, &line, &refusal, &session);
    if (outcome != ADMIN_WAITS)
        take_answer(sim, outcome, &line, &refusal);
    else if (sim_mutant == SIM_MUTANT_ANNUL_EARLY && hub_batch_ops(sim->hub) > 0)
        check_refused(sim, &(struct refusal){.code = "already_annulled"});
    buffer_release(&line);
}

void annuls_lost(struct sim *sim)
{
    sim->annuls = (struct annuls){0};
    sim->oracle.rated.annulling = 0;
}
