#include "web.h"

#include "answers/merge.h"
#include "ask.h"
#include "figures.h"
#include "links/frame.h"
#include "links/link_out.h"
#include "page_path.h"
#include "ready.h"
#include "site_private.h"
#include <assert.h>
#include <features/feature.h>
#include <hub/http_page.h>
#include <protocol/json_writer.h>
#include <stdlib.h>
#include <string.h>

enum { HTTP_BYTES = 1048576, RETRY_S = 1 };
enum { STATUS_OK = 200, STATUS_NOT_FOUND = 404, STATUS_UNAVAILABLE = 503, STATUS_MOST = 599 };

static const char text_plain[] = "text/plain; charset=utf-8";

struct inquiry {
    struct inquiry *next;
    uint64_t ticket;
    int64_t due_ms;
    bool list, done;
    struct hub_http_answer answer;
};

enum visit_for { VISIT_FOR_INQUIRY, VISIT_FOR_LIST, VISIT_FOR_NODE };

struct visit {
    struct visit *next;
    enum visit_for whom;
    uint64_t number; /* of the inquiry, or the question of the other node: */
    struct site_link *from;
    unsigned part;
    uint64_t ticket;        /* of the hub here; */
    struct site_link *link; /* or there: */
    uint64_t question;
    const char *type;              /* of what is asked for (page_type) */
    struct hub_http_answer answer; /* of which the body has not come */
    struct buffer body;
};

static void answer_unavailable(struct hub_http_answer *answer)
{
    static const char line[] = "this part of the site cannot be reached right now, try again\n";
    hub_http_make(answer, STATUS_UNAVAILABLE, text_plain, line, sizeof line - 1);
    answer->retry_s = RETRY_S;
}

static void answer_not_found(struct hub_http_answer *answer)
{
    static const char line[] = "no such page\n";
    hub_http_make(answer, STATUS_NOT_FOUND, text_plain, line, sizeof line - 1);
}

/* ---- who waits */

static struct inquiry *inquiry_add(struct site *site, bool list)
{
    struct web *web = &site->web;
    struct inquiry *inquiry =
        web->count < site->config.http_waits ? calloc(1, sizeof *inquiry) : NULL;
    struct inquiry **last = &web->inquiries;
    if (!inquiry)
        return NULL;
    inquiry->ticket = ++web->last_number;
    inquiry->due_ms = site->now_ms + site->config.http_wait_ms;
    inquiry->list = list;
    while (*last)
        last = &(*last)->next;
    *last = inquiry;
    web->count++;
    return inquiry;
}

static struct inquiry **inquiry_find(struct site *site, uint64_t ticket)
{
    struct inquiry **at = &site->web.inquiries;
    while (*at && (*at)->ticket != ticket)
        at = &(*at)->next;
    return at;
}

static void inquiry_remove(struct site *site, struct inquiry **at)
{
    struct inquiry *inquiry = *at;
    *at = inquiry->next;
    site->web.count--;
    free(inquiry);
}

static void inquiry_answer(struct inquiry *inquiry, const struct hub_http_answer *answer)
{
    inquiry->done = true;
    inquiry->answer = *answer;
}

/* ---- the list of rooms */

static void write_list(const struct web *web, struct buffer *out)
{
    struct merge merge = {0};
    struct writer writer;
    struct merged_room room;
    for (unsigned part = 0; part < PARTS_MAX; part++) {
        const struct hub_http_answer *page = &web->pages[part];
        struct facts facts;
        size_t len;
        if (page->owner && facts_split(page->body, page->len, &facts, &len))
            merge_add(&merge, part, (struct piece){(const char *)page->body, len}, facts);
    }
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_array(&writer, "rooms");
    for (size_t count = 0; count < MERGE_PAGE && merge_next(&merge, &room); count++)
        writer_raw(&writer, room.text.at, room.text.len);
    writer_end(&writer);
    if (merge_has_more(&merge))
        writer_key_bool(&writer, "more", true);
    writer_end(&writer);
}

/* Parts that nobody has, that refuse, or that do not answer in time are left out; but not all. */
static void finish_list(struct site *site)
{
    struct web *web = &site->web;
    struct buffer body;
    bool any = false;
    buffer_init(&body, 0, HTTP_BYTES);
    write_list(web, &body);
    for (unsigned part = 0; part < PARTS_MAX; part++) {
        any = any || web->pages[part].owner;
        hub_http_release(&web->pages[part]);
    }
    web->missing = 0;
    hub_http_release(&web->list);
    if (any && !body.failed)
        hub_http_make(&web->list, STATUS_OK, "application/json", buffer_payload(&body), body.len);
    else
        answer_unavailable(&web->list);
    if (web->list.status == STATUS_OK)
        web->list_old_ms = site->now_ms + site->config.list_ms;
    buffer_release(&body);
    for (struct inquiry *inquiry = web->inquiries; inquiry; inquiry = inquiry->next) {
        if (!inquiry->list || inquiry->done)
            continue;
        const struct hub_http_answer shared = hub_http_share(&web->list);
        inquiry_answer(inquiry, &shared);
    }
}

/* Takes the page. */
static void add_page(struct site *site, unsigned part, struct hub_http_answer *page)
{
    struct web *web = &site->web;
    if (page->status == STATUS_OK)
        web->pages[part] = *page;
    else
        hub_http_release(page);
    web->missing &= ~(UINT64_C(1) << part);
    if (!web->missing)
        finish_list(site);
}

/* ---- visits */

/* Takes the answer. */
static void give_answer(struct site *site, const struct visit *visit,
                        struct hub_http_answer *answer)
{
    struct inquiry *inquiry;
    switch (visit->whom) {
    case VISIT_FOR_INQUIRY:
        inquiry = *inquiry_find(site, visit->number);
        if (answer->status == STATUS_UNAVAILABLE)
            answer->retry_s = RETRY_S;
        inquiry_answer(inquiry, answer);
        break;
    case VISIT_FOR_LIST:
        add_page(site, visit->part, answer);
        break;
    case VISIT_FOR_NODE:
        link_answer(visit->from, visit->number, answer);
        break;
    }
}

static void give_unavailable(struct site *site, const struct visit *visit)
{
    struct hub_http_answer answer;
    answer_unavailable(&answer);
    give_answer(site, visit, &answer);
}

static void visit_begin(struct site *site, const struct visit *what, const struct ask *ask)
{
    const struct part *part = &site->parts[what->part];
    struct hub_http_answer answer;
    struct visit *visit = part->held ? NULL : malloc(sizeof *visit);
    if (!visit) {
        give_unavailable(site, what);
        return;
    }
    *visit = *what;
    visit->type = page_type(site, ask->path);
    buffer_init(&visit->body, 0, HTTP_BYTES);
    if (part->hub) {
        if (ask_hub(part->hub, ask, site->now_ms, &answer, &visit->ticket)) {
            free(visit);
            give_answer(site, what, &answer);
            return;
        }
    } else if (part->link) {
        visit->link = part->link;
        visit->question = ++site->web.last_number;
    }
    if (!part->hub && (!part->link || !ask_link(part->link, visit->question, what->part, ask))) {
        free(visit);
        give_unavailable(site, what);
        return;
    }
    visit->next = site->web.visits;
    site->web.visits = visit;
    if (visit->from)
        visit->from->asked++;
}

/* Nobody waits for it any more. */
static void visit_end(struct site *site, struct visit **at)
{
    struct visit *visit = *at;
    if (visit->ticket)
        hub_http_cancel(site->parts[visit->part].hub, visit->ticket);
    if (visit->from)
        visit->from->asked--;
    *at = visit->next;
    buffer_release(&visit->body);
    free(visit);
}

/* With this answer, which it takes. */
static void visit_answer(struct site *site, struct visit **at, struct hub_http_answer *answer)
{
    const struct visit visit = **at;
    (*at)->ticket = 0;
    visit_end(site, at);
    give_answer(site, &visit, answer);
}

static void visit_fail(struct site *site, struct visit **at)
{
    struct hub_http_answer answer;
    if ((*at)->ticket)
        hub_http_cancel(site->parts[(*at)->part].hub, (*at)->ticket);
    answer_unavailable(&answer);
    visit_answer(site, at, &answer);
}

void web_fetch(struct site *site, unsigned part)
{
    struct hub_http_answer answer;
    uint64_t ticket;
    while (hub_http_next(site->parts[part].hub, &ticket, &answer)) {
        struct visit **at = &site->web.visits;
        while (*at && ((*at)->part != part || (*at)->ticket != ticket))
            at = &(*at)->next;
        assert(*at); /* a visit that ended before was cancelled */
        visit_answer(site, at, &answer);
    }
}

void web_part_ends(struct site *site, unsigned part)
{
    struct visit **at = &site->web.visits;
    while (*at) {
        if ((*at)->part == part)
            visit_fail(site, at);
        else
            at = &(*at)->next;
    }
}

void web_hold(struct site *site, unsigned part)
{
    site->web.list_old_ms = 0;
    hub_http_release(&site->web.pages[part]); /* who asks only now would be shown it as well */
}

/* What is asked of it has failed already, with the parts that it had. */
void web_forget(struct site *site, const struct site_link *link)
{
    struct visit **at = &site->web.visits;
    while (*at) {
        if ((*at)->link == link)
            visit_fail(site, at);
        else if ((*at)->from == link)
            visit_end(site, at);
        else
            at = &(*at)->next;
    }
}

/* ---- frames */

static struct visit **visit_over(struct site_link *link, uint64_t question)
{
    struct visit **at = &link->site->web.visits;
    while (*at && ((*at)->link != link || (*at)->question != question))
        at = &(*at)->next;
    return at;
}

/* A part that is not here any more is not sought elsewhere: the other node knows better. */
void web_take_ask(struct site_link *link, struct frame *frame)
{
    struct site *site = link->site;
    struct visit visit = {.whom = VISIT_FOR_NODE, .number = frame->number, .from = link};
    struct ask_read read;
    site->counts.asked_in++;
    if (!ask_read(&read, frame, site->config.parts)) {
        link->broken = true;
        return;
    }
    visit.part = read.part;
    if (strcmp(read.path, HUB_ROOMS_OF_PART) == 0)
        read.ask.address = NULL;
    if (site->parts[visit.part].hub && link->asked < link_asked_most(link))
        visit_begin(site, &visit, &read.ask);
    else
        give_unavailable(site, &visit);
}

static void finish_if_whole(struct site_link *link, struct visit **at)
{
    struct visit *visit = *at;
    struct hub_http_answer answer;
    if (visit->body.len < visit->answer.len)
        return;
    hub_http_make(&answer, visit->answer.status, visit->answer.type, buffer_payload(&visit->body),
                  visit->body.len);
    answer.max_age_s = visit->answer.max_age_s;
    visit_answer(link->site, at, &answer);
}

void web_take_answer(struct site_link *link, struct frame *frame)
{
    struct visit **at = visit_over(link, frame->number);
    uint64_t status, age_s, len;
    if (!frame_take(frame, 2, &status) || !frame_take(frame, 4, &age_s) ||
        !frame_take(frame, 4, &len) || len > HTTP_BYTES || status < STATUS_OK ||
        status > STATUS_MOST || (*at && (*at)->answer.status != 0)) {
        link->broken = true;
        return;
    }
    if (!*at)
        return;
    (*at)->answer = (struct hub_http_answer){
        .status = (int)status,
        .type = status == STATUS_OK ? (*at)->type : text_plain,
        .max_age_s = (int64_t)age_s,
        .len = len,
    };
    finish_if_whole(link, at);
}

void web_take_piece(struct site_link *link, const struct frame *frame)
{
    struct visit **at = visit_over(link, frame->number);
    if (!*at)
        return;
    struct visit *visit = *at;
    if (visit->answer.status == 0 || frame->left > visit->answer.len - visit->body.len) {
        link->broken = true;
        return;
    }
    buffer_append(&visit->body, frame->at, frame->left);
    if (visit->body.failed)
        visit_fail(link->site, at);
    else
        finish_if_whole(link, at);
}

/* ---- time */

int64_t web_deadline_ms(const struct site *site)
{
    const struct web *web = &site->web;
    int64_t due_ms = web->missing ? web->list_due_ms : INT64_MAX;
    for (const struct inquiry *inquiry = web->inquiries; inquiry; inquiry = inquiry->next) {
        if (!inquiry->done && inquiry->due_ms < due_ms)
            due_ms = inquiry->due_ms;
    }
    return due_ms;
}

static void end_visits(struct site *site, enum visit_for whom, uint64_t number)
{
    struct visit **at = &site->web.visits;
    while (*at) {
        if ((*at)->whom == whom && (*at)->number == number)
            visit_end(site, at);
        else
            at = &(*at)->next;
    }
}

void web_tick(struct site *site)
{
    struct web *web = &site->web;
    if (web->missing && web->list_due_ms <= site->now_ms) {
        end_visits(site, VISIT_FOR_LIST, 0);
        finish_list(site);
    }
    for (struct inquiry *inquiry = web->inquiries; inquiry; inquiry = inquiry->next) {
        if (inquiry->done || inquiry->due_ms > site->now_ms)
            continue;
        end_visits(site, VISIT_FOR_INQUIRY, inquiry->ticket);
        inquiry->done = true;
        answer_unavailable(&inquiry->answer);
    }
}

/* ---- requests */

/* True: answered now. */
static bool get_list(struct site *site, struct hub_http_answer *answer, uint64_t *ticket)
{
    struct web *web = &site->web;
    struct visit visit = {.whom = VISIT_FOR_LIST};
    const struct inquiry *inquiry;
    if (site->now_ms < web->list_old_ms) {
        *answer = hub_http_share(&web->list);
        return true;
    }
    inquiry = inquiry_add(site, true);
    if (!inquiry) {
        answer_unavailable(answer);
        return true;
    }
    *ticket = inquiry->ticket;
    if (web->missing)
        return false;
    for (unsigned part = 0; part < site->config.parts; part++)
        web->missing |= (uint64_t)part_is_served(&site->parts[part]) << part;
    web->list_due_ms = site->now_ms + site->config.gather_wait_ms;
    const uint64_t asked = web->missing;
    if (!asked) {
        finish_list(site);
        return false;
    }
    for (visit.part = 0; visit.part < site->config.parts; visit.part++) {
        if (asked >> visit.part & 1)
            visit_begin(site, &visit, &(struct ask){.path = HUB_ROOMS_OF_PART});
    }
    return false;
}

static bool get_from(struct site *site, unsigned part, const struct ask *ask,
                     struct hub_http_answer *answer, uint64_t *ticket)
{
    const struct inquiry *inquiry =
        part < PARTS_MAX && strlen(ask->path) < ASK_PATH_BYTES ? inquiry_add(site, false) : NULL;
    if (!inquiry) {
        answer_unavailable(answer);
        return true;
    }
    *ticket = inquiry->ticket;
    const struct visit visit = {.part = part, .number = inquiry->ticket};
    visit_begin(site, &visit, ask);
    return false;
}

/* All have the same. */
static unsigned some_part(const struct site *site)
{
    unsigned there = PARTS_MAX;
    for (unsigned part = 0; part < site->config.parts; part++) {
        if (site->parts[part].hub && !site->parts[part].held)
            return part;
        if (site->parts[part].link)
            there = part;
    }
    return there;
}

static bool answered_now(struct site *site, struct hub_http_answer *answer, uint64_t *ticket)
{
    struct inquiry **at = inquiry_find(site, *ticket);
    if (!*at || !(*at)->done)
        return false;
    *answer = (*at)->answer;
    inquiry_remove(site, at);
    *ticket = 0;
    return true;
}

/* Of a feature, from the part that it says. */
static bool get_page(struct site *site, const struct ask *ask, struct hub_http_answer *answer,
                     uint64_t *ticket)
{
    const char *rest;
    const struct feature_page *page = http_page_find(site->config.features, ask->path, &rest);
    if (!page) {
        answer_not_found(answer);
        return true;
    }
    const int part = http_page_part(page, rest, site->config.parts);
    return get_from(site, part < 0 ? some_part(site) : (unsigned)part, ask, answer, ticket);
}

bool site_http_get(struct site *site, const char *path, const uint8_t address[static 16],
                   int64_t now_ms, struct hub_http_answer *answer, uint64_t *ticket)
{
    const struct ask ask = {.path = path, .address = address};
    bool answered = true;
    *ticket = 0;
    site_set_time(site, now_ms);
    if (strcmp(path, path_rooms) == 0 && site->config.parts > 1)
        answered = get_list(site, answer, ticket);
    else if (strcmp(path, path_rooms) == 0)
        answered = get_from(site, 0, &ask, answer, ticket);
    else if (strncmp(path, path_records, sizeof path_records - 1) == 0)
        answered = get_from(site, part_of_room(path + sizeof path_records - 1, site->config.parts),
                            &ask, answer, ticket);
    else if (strcmp(path, path_keys) == 0)
        answered = get_from(site, some_part(site), &ask, answer, ticket);
    else if (strcmp(path, path_ready) == 0)
        ready_answer(site, answer);
    else if (strcmp(path, "/metrics") == 0)
        figures_answer(site, answer);
    else
        answered = get_page(site, &ask, answer, ticket);
    return answered || answered_now(site, answer, ticket);
}

bool site_http_post(struct site *site, const struct hub_http_post *post,
                    const uint8_t address[static 16], int64_t now_ms,
                    struct hub_http_answer *answer, uint64_t *ticket)
{
    const struct ask ask = {.path = post->path, .address = address, .post = post};
    *ticket = 0;
    site_set_time(site, now_ms);
    return get_page(site, &ask, answer, ticket) || answered_now(site, answer, ticket);
}

bool site_http_next(struct site *site, uint64_t *ticket, struct hub_http_answer *answer)
{
    struct inquiry **at = &site->web.inquiries;
    while (*at && !(*at)->done)
        at = &(*at)->next;
    if (!*at)
        return false;
    *ticket = (*at)->ticket;
    *answer = (*at)->answer;
    inquiry_remove(site, at);
    return true;
}

void site_http_cancel(struct site *site, uint64_t ticket)
{
    struct inquiry **at = inquiry_find(site, ticket);
    if (!*at)
        return;
    end_visits(site, VISIT_FOR_INQUIRY, ticket);
    if ((*at)->done)
        hub_http_release(&(*at)->answer);
    inquiry_remove(site, at);
}

void web_release(struct site *site)
{
    while (site->web.visits)
        visit_end(site, &site->web.visits);
    while (site->web.inquiries)
        site_http_cancel(site, site->web.inquiries->ticket);
    hub_http_release(&site->web.list);
}
