#include "operator.h"

#include "links/link_out.h"
#include "site_documents.h"
#include "site_private.h"
#include <features/feature.h>
#include <hub/admin.h>
#include <hub/document.h>
#include <hub/letter.h>
#include <protocol/json_writer.h>
#include <protocol/reply.h>
#include <site/operator.h>
#include <stdio.h>

static enum admin_outcome refuse_request(struct refusal *refusal, const char *code,
                                         const char *text, const char *field)
{
    *refusal = (struct refusal){.code = code, .text = text, .field = field};
    return ADMIN_REFUSED;
}

static enum admin_outcome refuse_busy(struct refusal *refusal)
{
    return refuse_request(refusal, "busy", "Something else is being saved; try again in a moment.",
                          NULL);
}

/* ---- of all parts that are here */

static size_t hubs_here(const struct site *site, struct hub *hubs[static PARTS_MAX])
{
    size_t count = 0;
    for (unsigned part = 0; part < site->config.parts; part++) {
        if (site->parts[part].hub)
            hubs[count++] = site->parts[part].hub;
    }
    return count;
}

static enum admin_outcome look_at_parts(const struct site *site, const struct site_inquiry *inquiry,
                                        struct buffer *line)
{
    struct hub *hubs[PARTS_MAX];
    const struct admin_hubs all = {.hubs = hubs,
                                   .count = hubs_here(site, hubs),
                                   .server = inquiry->server,
                                   .now_ms = site->now_ms,
                                   .draining = inquiry->draining,
                                   .status = inquiry->status,
                                   .ctx = inquiry->ctx};
    hub_admin_look(&all, inquiry->request, line);
    return ADMIN_DONE;
}

/* To how many nodes. */
static size_t announce_to_nodes(struct site *site, const char *text)
{
    size_t told = 0;
    for (struct site_link *link = site->links; link; link = link->next)
        told += link_announce(link, text);
    return told;
}

static enum admin_outcome announce_to_all(struct site *site, const struct admin_request *request,
                                          struct buffer *line)
{
    struct hub *hubs[PARTS_MAX];
    const size_t count = hubs_here(site, hubs);
    const size_t nodes = announce_to_nodes(site, request->text);
    size_t told = 0;
    struct writer writer;
    for (size_t at = 0; at < count; at++)
        told += hub_announce(hubs[at], request->text, site->now_ms);
    writer_init(&writer, line);
    reply_begin(&writer, request->id);
    writer_key_int(&writer, "connections", (int64_t)told);
    if (!site->config.lone)
        writer_key_int(&writer, "nodes", (int64_t)nodes);
    reply_end(&writer);
    buffer_append_byte(line, '\n');
    return ADMIN_DONE;
}

/* ---- of one part: that of a room, of a letter, of an account, or the desk */

enum place { PLACE_OF_ROOM, PLACE_OF_LETTER, PLACE_OF_ACCOUNT, PLACE_OF_DESK };

static enum admin_outcome refuse_elsewhere(struct site *site, const struct part *part,
                                           enum place place, struct refusal *refusal)
{
    static const struct {
        const char *none, *what, *field;
    } places[] = {
        [PLACE_OF_ROOM] = {"No node that can be reached has the part of that room now; try again.",
                           "Rooms of that part are", "room"},
        [PLACE_OF_LETTER] =
            {"No node that can be reached has the part of that letter now; try again.",
             "Letters of that part are", "letter"},
        [PLACE_OF_ACCOUNT] =
            {"No node that can be reached has the part of that account now; try again.",
             "Accounts of that part are", "handle"},
        [PLACE_OF_DESK] = {"No node that can be reached has the desk of this site now; try again.",
                           "The desk of this site is", NULL},
    };
    struct operator_change *change = &site->change;
    if (!part->link)
        return refuse_request(refusal, "no_part", places[place].none, places[place].field);
    snprintf(change->said, sizeof change->said, "%s at %s; ask there.", places[place].what,
             part->link->node);
    return refuse_request(refusal, "elsewhere", change->said, places[place].field);
}

static enum place place_of(const struct admin_request *request)
{
    if (request->room[0])
        return PLACE_OF_ROOM;
    if (request->handle[0])
        return PLACE_OF_ACCOUNT;
    return request->op == ADMIN_RETRY || request->op == ADMIN_DISCARD ? PLACE_OF_LETTER
                                                                      : PLACE_OF_DESK;
}

static void wait_for(struct site *site, const struct admin_request *request,
                     enum operator_waits what, unsigned part)
{
    site->change.waits = what;
    site->change.part = part;
    site->change.request = *request;
    site->change.asked_ms = site->now_ms;
}

/* Before it is carried out, or instead of that. */
static bool asks_store(const struct site *site, const struct admin_request *request)
{
    const struct operator_row *row = admin_operation(site->config.features, request->word);
    return row ? row->by_handle || row->ask : request->op == ADMIN_LETTERS;
}

static enum admin_outcome ask_part(struct site *site, const struct admin_request *request,
                                   unsigned at, struct buffer *line, struct refusal *refusal)
{
    const struct part *part = &site->parts[at];
    const bool waits = asks_store(site, request) || request->word->changes;
    if (!part->hub)
        return refuse_elsewhere(site, part, place_of(request), refusal);
    if (site->change.waits != OPERATOR_NOTHING && waits)
        return refuse_busy(refusal);
    const enum admin_outcome outcome = hub_admin(part->hub, request, site->now_ms, line, refusal);
    if (outcome == ADMIN_WAITS)
        wait_for(site, request, OPERATOR_PART, at);
    return outcome;
}

/* It is of the whole site: any part can do it. */
static enum admin_outcome ask_some_part(struct site *site, const struct admin_request *request,
                                        struct buffer *line, struct refusal *refusal)
{
    unsigned at = 0;
    while (at < site->config.parts && !site->parts[at].hub)
        at++;
    if (at == site->config.parts)
        return refuse_request(refusal, "no_part", "This node has no part now; ask another one.",
                              NULL);
    return ask_part(site, request, at, line, refusal);
}

void operator_part_left(struct site *site, unsigned part)
{
    if (site->change.waits == OPERATOR_PART && site->change.part == part)
        site->change.waits = OPERATOR_LEFT;
}

static enum admin_outcome refuse_left(struct refusal *refusal)
{
    return refuse_request(
        refusal, "no_part",
        "The part that was asked has gone to another node meanwhile; look there what has "
        "been done.",
        NULL);
}

/* ---- documents */

static void write_answer(struct buffer *line, const struct admin_request *request,
                         struct writer *writer)
{
    writer_init(writer, line);
    reply_begin(writer, request->id);
}

static void end_answer(struct buffer *line, struct writer *writer)
{
    reply_end(writer);
    buffer_append_byte(line, '\n');
}

static struct document_asked asked_of(const struct site *site, const struct admin_request *request,
                                      int64_t now_ms, size_t most)
{
    const uint64_t session = request->target.session;
    struct document_asked asked = {.request = request, .now_ms = now_ms, .most = most};
    if (session)
        asked.home = site->parts[part_of_session(session, site->config.parts)].hub;
    for (unsigned at = 0; !session && !asked.home && at < site->config.parts; at++)
        asked.home = site->parts[at].hub;
    return asked;
}

static enum admin_outcome refuse_failing(struct refusal *refusal)
{
    *refusal = (struct refusal){.error = PROTOCOL_STORE_FAILING};
    return ADMIN_REFUSED;
}

static enum admin_outcome show_document(const struct site *site,
                                        const struct admin_request *request,
                                        const struct site_document *document,
                                        const struct document_row *row, struct buffer *line)
{
    const struct document_asked asked = asked_of(site, request, site->now_ms, 0);
    struct writer writer;
    write_answer(line, request, &writer);
    row->show(document->value, &asked, &writer);
    end_answer(line, &writer);
    return ADMIN_DONE;
}

static enum admin_outcome change_document(struct site *site, const struct site_inquiry *inquiry,
                                          struct site_document *document,
                                          const struct document_row *row, struct buffer *keep,
                                          struct refusal *refusal)
{
    const struct document_asked asked =
        asked_of(site, inquiry->request, site->now_ms, inquiry->most);
    if (site->change.waits != OPERATOR_NOTHING)
        return refuse_busy(refusal);
    if (inquiry->most == 0)
        return refuse_failing(refusal);
    if (!row->change(document->value, &asked, keep, refusal))
        return ADMIN_REFUSED;
    document->closed = 0;
    wait_for(site, inquiry->request, OPERATOR_DOCUMENT, 0);
    site->change.document = document;
    site->change.row = row;
    return ADMIN_WAITS;
}

static enum admin_outcome ask_document(struct site *site, const struct site_inquiry *inquiry,
                                       struct buffer *line, struct buffer *keep,
                                       struct refusal *refusal)
{
    const struct document_row *row;
    struct site_document *document = documents_find_row(site, inquiry->request->word, &row);
    if (!document) {
        *refusal = (struct refusal){.error = PROTOCOL_UNKNOWN_OP, .field = "op"};
        return ADMIN_REFUSED;
    }
    if (!document->value)
        return refuse_failing(refusal);
    return row->show ? show_document(site, inquiry->request, document, row, line)
                     : change_document(site, inquiry, document, row, keep, refusal);
}

const char *site_operator_document(const struct site *site)
{
    return site->change.waits == OPERATOR_DOCUMENT ? site->change.document->type->name : NULL;
}

bool site_document_asked(struct site *site, struct hub_document_asked *asked, int64_t now_ms)
{
    site_set_time(site, now_ms);
    for (unsigned at = 0; at < site->config.parts; at++) {
        struct hub *hub = site->parts[at].hub;
        if (site->change.waits != OPERATOR_NOTHING || !hub || !hub_document_asked(hub, asked))
            continue;
        if (asked->revision == site_document_revision(site, asked->name)) {
            site->change.waits = OPERATOR_FEATURE;
            site->change.part = at;
            return true;
        }
        hub_document_answer(hub, DOCUMENT_OTHERS, now_ms);
    }
    return false;
}

static void answer_feature(struct site *site, enum document_kept kept)
{
    struct hub *hub = site->parts[site->change.part].hub;
    site->change.waits = OPERATOR_NOTHING;
    if (hub)
        hub_document_answer(hub, kept, site->now_ms);
}

void site_document_kept(struct site *site, enum document_kept kept)
{
    if (site->change.waits == OPERATOR_FEATURE)
        answer_feature(site, kept);
    if (site->change.waits != OPERATOR_DOCUMENT)
        return;
    site->change.waits = OPERATOR_KEPT;
    site->change.kept = kept;
}

static enum admin_outcome answer_changed(const struct site *site, struct buffer *line)
{
    const struct operator_change *change = &site->change;
    const struct document_asked asked = asked_of(site, &change->request, change->asked_ms, 0);
    struct writer writer;
    write_answer(line, &change->request, &writer);
    change->row->changed(&asked, change->document->closed, &writer);
    end_answer(line, &writer);
    return ADMIN_DONE;
}

static enum admin_outcome answer_kept(const struct site *site, struct buffer *line,
                                      struct refusal *refusal)
{
    switch (site->change.kept) {
    case DOCUMENT_KEPT:
        return answer_changed(site, line);
    case DOCUMENT_OTHERS:
        return refuse_request(refusal, "busy",
                              "It was changed at another node meanwhile; try again in a moment.",
                              NULL);
    case DOCUMENT_LATE:
        return refuse_request(
            refusal, "not_everywhere",
            "It is kept and holds at this node, but not every node has taken it yet; ask "
            "there.",
            NULL);
    case DOCUMENT_FAILED:
        break;
    }
    return refuse_failing(refusal);
}

/* ---- all of it */

/* What names an account is carried out at its home, which any part finds; a document is kept; and
 * everything else is of the whole site. */
static enum admin_outcome ask_feature(struct site *site, const struct site_inquiry *inquiry,
                                      struct buffer *line, struct buffer *keep,
                                      struct refusal *refusal)
{
    const struct admin_request *request = inquiry->request;
    const struct operator_row *row = admin_operation(site->config.features, request->word);
    if (!row)
        return ask_document(site, inquiry, line, keep, refusal);
    return row->by_handle
               ? ask_some_part(site, request, line, refusal)
               : ask_part(site, request, part_of_session(LETTER_TO_DESK, site->config.parts), line,
                          refusal);
}

enum admin_outcome site_operator_ask(struct site *site, const struct site_inquiry *inquiry,
                                     int64_t now_ms, struct buffer *line, struct buffer *keep,
                                     struct refusal *refusal)
{
    const struct admin_request *request = inquiry->request;
    site_set_time(site, now_ms);
    switch ((int)request->op) { /* what all servers have; anything else is a feature's */
    case ADMIN_STATUS:
    case ADMIN_ROOMS:
    case ADMIN_SESSIONS:
    case ADMIN_ADDRESSES:
        return look_at_parts(site, inquiry, line);
    case ADMIN_ROOM:
    case ADMIN_CLOSE:
        return ask_part(site, request, part_of_room(request->room, site->config.parts), line,
                        refusal);
    case ADMIN_RETRY:
    case ADMIN_DISCARD:
        return ask_part(site, request,
                        part_of_session(request->letter.addressee, site->config.parts), line,
                        refusal);
    case ADMIN_LETTERS:
        return ask_some_part(site, request, line, refusal);
    case ADMIN_ANNOUNCE:
        return announce_to_all(site, request, line);
    }
    return ask_feature(site, inquiry, line, keep, refusal);
}

/* Whose account it is about is known by now: it is asked there. */
static enum admin_outcome move(struct site *site, uint64_t session, struct buffer *line,
                               struct refusal *refusal)
{
    struct admin_request request = site->change.request;
    request.session = session;
    site->change.waits = OPERATOR_NOTHING;
    return ask_part(site, &request, part_of_session(session, site->config.parts), line, refusal);
}

static enum admin_outcome next_of_part(struct site *site, struct buffer *line,
                                       struct refusal *refusal)
{
    uint64_t session;
    struct hub *hub = site->parts[site->change.part].hub;
    const enum admin_outcome outcome = hub_admin_next(hub, line, refusal, &session);
    return outcome == ADMIN_MOVED ? move(site, session, line, refusal) : outcome;
}

enum admin_outcome site_operator_next(struct site *site, int64_t now_ms, struct buffer *line,
                                      struct refusal *refusal)
{
    enum admin_outcome outcome = ADMIN_WAITS;
    site_set_time(site, now_ms);
    switch (site->change.waits) {
    case OPERATOR_NOTHING:
    case OPERATOR_DOCUMENT:
    case OPERATOR_FEATURE:
        break;
    case OPERATOR_PART:
        outcome = next_of_part(site, line, refusal);
        break;
    case OPERATOR_LEFT:
        outcome = refuse_left(refusal);
        break;
    case OPERATOR_KEPT:
        outcome = answer_kept(site, line, refusal);
        break;
    }
    if (outcome != ADMIN_WAITS)
        site->change.waits = OPERATOR_NOTHING;
    return outcome;
}
