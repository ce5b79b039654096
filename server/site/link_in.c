#include "answers/greet.h"
#include "clients/client.h"
#include "http/web.h"
#include "links/frame.h"
#include "links/link_out.h"
#include "messages/arrive.h"
#include "messages/route.h"
#include "news.h"
#include "owner.h"
#include "parts/port.h"
#include "site_private.h"
#include <hub/admin.h>
#include <hub/note.h>
#include <protocol/text.h>
#include <stdlib.h>
#include <string.h>

enum { SEAT_BYTES = PROTOCOL_ROOM_BYTES + 1 };
enum { CLOSE_LEAST = 1000, CLOSE_MOST = 4999 }; /* of a WebSocket */

/* ---- of clients there */

static int connect_channel(struct site *site, struct frame *frame, unsigned part,
                           struct hub_peer *peer)
{
    struct hub *hub = site->parts[part].hub;
    char name[PROTOCOL_NAME_BYTES + 1] = "";
    uint64_t session;
    const unsigned char *address = frame_take_bytes(frame, 16);
    if (!address || !frame_take(frame, 8, &session) || frame->left > PROTOCOL_NAME_BYTES)
        return CLOSE_SERVER_FAULT;
    memcpy(name, frame->at, frame->left);
    if (session == 0)
        return hub_connect(hub, address, site->now_ms, peer);
    return site_may_visit(site, session, part) && session <= INT64_MAX &&
                   utf8_valid(name, strlen(name)) && name[0]
               ? hub_connect_as(hub, address, session, name, site->now_ms, peer)
               : CLOSE_SERVER_FAULT;
}

static int return_channel(struct site *site, struct frame *frame, unsigned part,
                          struct hub_peer *peer)
{
    const unsigned char *address = frame_take_bytes(frame, 16);
    const unsigned char *hash = frame_take_bytes(frame, 32);
    return address && hash
               ? hub_connect_again(site->parts[part].hub, address, hash, site->now_ms, peer)
               : CLOSE_SERVER_FAULT;
}

/* A part that is not served here any more has told the other node so. */
static void open_channel(struct site_link *link, struct frame *frame)
{
    struct site *site = link->site;
    struct hub_peer peer;
    uint64_t part;
    int code = CLOSE_RESTART;
    const bool here = frame_take(frame, 1, &part) && part < site->config.parts &&
                      site->parts[part].hub && !link_channel(link, frame->number);
    if (here)
        code = (frame->kind == FRAME_RETURN ? return_channel
                                            : connect_channel)(site, frame, (unsigned)part, &peer);
    if (here && code == 0 && !link_new_channel(link, frame->number, (unsigned)part, peer)) {
        hub_disconnect(site->parts[part].hub, peer, site->now_ms);
        code = CLOSE_FULL;
    }
    if (code != 0)
        link_add_number(link, FRAME_CLOSE, frame->number, 2, (uint64_t)code);
}

/* ---- of clients here */

static void take_serve(struct site_link *link, struct frame *frame)
{
    uint64_t term;
    if (frame->number < link->site->config.parts && frame_take(frame, 8, &term))
        owner_found(link->site, (unsigned)frame->number, link, term);
    else
        link->broken = true;
}

static void take_say(struct site_link *link, const struct frame *frame)
{
    struct site *site = link->site;
    const struct channel *channel = link_channel(link, frame->number);
    site->counts.relayed_in++;
    link->relayed_in++;
    if (channel)
        hub_receive(site->parts[channel->part].hub, channel->peer, (const char *)frame->at,
                    frame->left, site->now_ms);
}

static void take_follow(struct site_link *link, struct frame *frame)
{
    struct site *site = link->site;
    const struct channel *channel = link_channel(link, frame->number);
    char room[PROTOCOL_ROOM_BYTES + 1] = "";
    int64_t follow;
    uint64_t have;
    bool follows;
    if (!frame_take_id(frame, &follow, &follows) || follow < 1 || !frame_take(frame, 8, &have) ||
        have > PROTOCOL_INTEGER_MAX || frame->left != PROTOCOL_ROOM_BYTES) {
        link->broken = true;
        return;
    }
    memcpy(room, frame->at, PROTOCOL_ROOM_BYTES);
    if (channel)
        hub_follow(site->parts[channel->part].hub, channel->peer, follow, room, (int64_t)have,
                   site->now_ms);
}

static void take_keep(const struct site_link *link, struct frame *frame)
{
    uint64_t keep;
    const struct channel *channel = link_channel(link, frame->number);
    if (channel && frame_take(frame, 1, &keep))
        hub_keep(link->site->parts[channel->part].hub, channel->peer, keep != 0,
                 link->site->now_ms);
}

static void take_quiet(struct site_link *link, struct frame *frame)
{
    const struct channel *channel = link_channel(link, frame->number);
    uint64_t quiet;
    if (!frame_take(frame, 1, &quiet) || quiet > 1)
        link->broken = true;
    else if (channel)
        hub_set_quiet(link->site->parts[channel->part].hub, channel->peer, quiet != 0);
}

static void take_account(struct site_link *link, struct frame *frame)
{
    const struct channel *channel = link_channel(link, frame->number);
    struct protocol_account account = {.kind = ACCOUNT_NONE};
    uint64_t kind;
    if (!frame_take(frame, 1, &kind) || kind == ACCOUNT_NONE || kind > ACCOUNT_BOT ||
        !handle_valid((const char *)frame->at, frame->left)) {
        link->broken = true;
        return;
    }
    account.kind = (enum protocol_account_kind)kind;
    memcpy(account.handle, frame->at, frame->left);
    if (channel)
        (void)hub_set_account(link->site->parts[channel->part].hub, channel->peer, &account);
}

static void take_owned(struct site_link *link, struct frame *frame)
{
    const struct port *port = link_port(link, frame->number);
    uint64_t owner;
    if (!frame_take(frame, 8, &owner))
        link->broken = true;
    else if (port && port->part == port->client->home)
        port->client->owner = owner;
}

static void take_owner(struct site_link *link, struct frame *frame)
{
    const struct channel *channel = link_channel(link, frame->number);
    uint64_t owner;
    if (!frame_take(frame, 8, &owner))
        link->broken = true;
    else if (channel)
        hub_set_owner(link->site->parts[channel->part].hub, channel->peer, owner);
}

static void take_end(const struct site_link *link, const struct frame *frame)
{
    struct channel *channel = link_channel(link, frame->number);
    if (channel)
        link_end_channel(channel);
}

/* What a later version has more to tell of is as any other to this one. */
static void take_about(struct site_link *link, const struct frame *frame)
{
    link->about = frame->number < HUB_ABOUTS ? (enum hub_about)frame->number : HUB_ABOUT_OTHER;
}

static void take_facts(struct site_link *link, const struct frame *frame)
{
    free(link->facts);
    link->facts = frame->left > 0 ? message_copy(frame->at, frame->left) : NULL;
    link->broken = link->broken || (frame->left > 0 && !link->facts);
}

/* One that a later version has is as one of a game to this one. */
static void take_refused(struct site_link *link, const struct frame *frame)
{
    link->error = protocol_error_find((const char *)frame->at, frame->left);
}

/* With what was said of the message before it. */
static bool take_told_head(struct site_link *link, struct frame *frame, struct hub_head *head)
{
    if (!frame_take_message_head(frame, head))
        return false;
    head->about = (uint8_t)link->about;
    head->error = head->kind == HUB_REFUSAL ? (uint8_t)link->error : (uint8_t)PROTOCOL_OK;
    head->follows = head_is_reply(head) && (head->follows || link->followed);
    link->about = HUB_ABOUT_OTHER;
    link->error = PROTOCOL_OK;
    link->followed = false;
    return true;
}

static struct facts told_facts(const struct site_link *link)
{
    static const struct facts none;
    return link->facts ? (struct facts){message_bytes(link->facts), link->facts->len} : none;
}

static void take_tell(struct site_link *link, struct frame *frame)
{
    uint64_t count, number;
    if (!frame_take(frame, 4, &count) || count > frame->left / 8) {
        link->broken = true;
        return;
    }
    struct frame numbers = *frame;
    struct hub_head head;
    (void)frame_take_bytes(frame, count * 8);
    if (!take_told_head(link, frame, &head)) {
        link->broken = true;
        return;
    }
    const struct facts facts = told_facts(link);
    for (uint64_t at = 0; at < count; at++) {
        (void)frame_take(&numbers, 8, &number);
        struct port *port = link_port(link, number);
        if (port)
            arrive_told(link->site, port, &head, facts, frame->at, frame->left);
    }
    free(link->facts);
    link->facts = NULL;
}

static bool is_close_code(uint64_t code)
{
    return code >= CLOSE_LEAST && code <= CLOSE_MOST;
}

static void take_close(struct site_link *link, struct frame *frame)
{
    uint64_t code;
    struct port *port = link_port(link, frame->number);
    if (port && frame_take(frame, 2, &code))
        arrive_closed(link->site, port, is_close_code(code) ? (int)code : CLOSE_SERVER_FAULT);
}

static void take_elsewhere(struct site_link *link, struct frame *frame)
{
    uint64_t part;
    struct port *port = link_port(link, frame->number);
    if (!frame_take(frame, 1, &part))
        link->broken = true;
    else if (port)
        arrive_elsewhere(link->site, port, (unsigned)part);
}

static void take_challenged(struct site_link *link, struct frame *frame)
{
    const unsigned char *challenge = frame_take_bytes(frame, HUB_CHALLENGE_BYTES);
    const struct port *port = link_port(link, frame->number);
    if (!challenge)
        link->broken = true;
    else if (port)
        greet_challenged(link->site, port->client, port->part, challenge);
}

static void take_challenge(struct site_link *link, struct frame *frame)
{
    const struct site *site = link->site;
    const unsigned char *challenge = frame_take_bytes(frame, HUB_CHALLENGE_BYTES);
    const struct channel *channel = link_channel(link, frame->number);
    if (!challenge)
        link->broken = true;
    else if (channel)
        hub_set_challenge(site->parts[channel->part].hub, channel->peer, challenge, site->now_ms);
}

static void take_seats(struct site_link *link, struct frame *frame)
{
    struct site *site = link->site;
    struct hub_seat seats[GREET_SEATS];
    uint64_t session, except;
    if (!frame_take(frame, 8, &session) || !frame_take(frame, 1, &except)) {
        link->broken = true;
        return;
    }
    const size_t count = greet_seats(site, session, (unsigned)except, seats);
    unsigned char *at = link_add_frame(link, FRAME_SEATED, frame->number, count * SEAT_BYTES);
    for (size_t i = 0; at && i < count; i++) {
        memcpy(at, seats[i].room_id, PROTOCOL_ROOM_BYTES);
        at = frame_put(at + PROTOCOL_ROOM_BYTES, 1, seats[i].seat);
    }
}

/* It is told to a client, so it has to be a room's id. */
static bool take_seat(struct frame *frame, struct hub_seat *seat)
{
    const unsigned char *room = frame_take_bytes(frame, PROTOCOL_ROOM_BYTES);
    uint64_t number;
    if (!room || !frame_take(frame, 1, &number))
        return false;
    memcpy(seat->room_id, room, PROTOCOL_ROOM_BYTES);
    seat->room_id[PROTOCOL_ROOM_BYTES] = '\0';
    seat->seat = (uint8_t)number;
    size_t digits = 0;
    while (digits < PROTOCOL_ROOM_BYTES && part_digit(seat->room_id[digits]) < 32)
        digits++;
    return digits == PROTOCOL_ROOM_BYTES;
}

static void take_seated(struct site_link *link, struct frame *frame)
{
    struct hub_seat seats[GREET_SEATS];
    size_t count = 0;
    while (count < GREET_SEATS && frame->left > 0) {
        if (!take_seat(frame, &seats[count++])) {
            link->broken = true;
            return;
        }
    }
    struct client *client = greet_seated(link->site, link, frame->number, seats, count);
    if (client)
        route_waiting(link->site, client);
}

static void take_note(struct site_link *link, struct frame *frame)
{
    struct hub_note note = {.session = frame->number};
    uint64_t kind;
    const unsigned char *room = NULL;
    const bool has_kind = frame_take(frame, 1, &kind);
    if (has_kind && kind > HUB_NOTE_WORD) {
        link->site->counts.passed_over++; /* of a later version, as a frame that is not known */
        return;
    }
    if (!has_kind || (room = frame_take_bytes(frame, PROTOCOL_ROOM_BYTES)) == NULL ||
        frame->left > sizeof note.text) {
        link->broken = true;
        return;
    }
    note.kind = (enum hub_note_kind)kind;
    memcpy(note.room_id, room, PROTOCOL_ROOM_BYTES);
    memcpy(note.text, frame->at, frame->left);
    note.text_len = frame->left;
    news_bring(link->site, &note);
}

/* As it would come from the operator of this node, who does not announce much: everybody is told.
 */
static void take_announcement(struct site_link *link, const struct frame *frame)
{
    static const struct bucket_rule rule = {.burst = 10, .count = 1, .per_ms = 1000};
    const struct site *site = link->site;
    char text[PROTOCOL_SAY_BYTES + 1];
    if (!text_kept(text, sizeof text, (const char *)frame->at, frame->left, PROTOCOL_SAY_CHARS)) {
        link->broken = true;
        return;
    }
    if (!bucket_take(&link->announced, &rule, site->now_ms))
        return;
    for (unsigned part = 0; part < site->config.parts; part++) {
        if (site->parts[part].hub)
            (void)hub_announce(site->parts[part].hub, text, site->now_ms);
    }
}

static void take_frame(struct site_link *link, struct frame *frame)
{
    switch (frame->kind) {
    case FRAME_SERVE:
        take_serve(link, frame);
        break;
    case FRAME_LEAVE:
        owner_lost(link->site, (unsigned)frame->number, link);
        break;
    case FRAME_OPEN:
    case FRAME_RETURN:
        open_channel(link, frame);
        break;
    case FRAME_FOLLOW:
        take_follow(link, frame);
        break;
    case FRAME_SAY:
        take_say(link, frame);
        break;
    case FRAME_KEEP:
        take_keep(link, frame);
        break;
    case FRAME_ACCOUNT:
        take_account(link, frame);
        break;
    case FRAME_QUIET:
        take_quiet(link, frame);
        break;
    case FRAME_OWNED:
        take_owned(link, frame);
        break;
    case FRAME_OWNER:
        take_owner(link, frame);
        break;
    case FRAME_END:
        take_end(link, frame);
        break;
    case FRAME_ABOUT:
        take_about(link, frame);
        break;
    case FRAME_FACTS:
        take_facts(link, frame);
        break;
    case FRAME_REFUSED:
        take_refused(link, frame);
        break;
    case FRAME_FOLLOWED:
        link->followed = true;
        break;
    case FRAME_TELL:
        take_tell(link, frame);
        break;
    case FRAME_CLOSE:
        take_close(link, frame);
        break;
    case FRAME_SEATS:
        take_seats(link, frame);
        break;
    case FRAME_SEATED:
        take_seated(link, frame);
        break;
    case FRAME_NOTE:
        take_note(link, frame);
        break;
    case FRAME_ASK:
    case FRAME_POST:
        web_take_ask(link, frame);
        break;
    case FRAME_ANSWER:
        web_take_answer(link, frame);
        break;
    case FRAME_PIECE:
        web_take_piece(link, frame);
        break;
    case FRAME_ANNOUNCE:
        take_announcement(link, frame);
        break;
    case FRAME_ELSEWHERE:
        take_elsewhere(link, frame);
        break;
    case FRAME_CHALLENGED:
        take_challenged(link, frame);
        break;
    case FRAME_CHALLENGE:
        take_challenge(link, frame);
        break;
    case FRAME_WORKS:
        link->works = frame->number != 0;
        break;
    case FRAME_KINDS:
        link->site->counts.passed_over++;
        break;
    }
}

bool site_link_receive(struct site_link *link, const unsigned char *bytes, size_t len,
                       int64_t now_ms)
{
    struct frame frame;
    site_set_time(link->site, now_ms);
    if (!frame_read(&frame, bytes, len))
        link->broken = true;
    if (!link->broken)
        take_frame(link, &frame);
    return !link->broken;
}

/* ---- beginning and end */

struct site_link *site_link_open(struct site *site, int64_t now_ms)
{
    struct site_link *link = link_make(site);
    if (!link)
        return NULL;
    site_set_time(site, now_ms);
    link->next = site->links;
    site->links = link;
    link_add_frame(link, FRAME_FACTS, 0, 0); /* the version before reads texts without it */
    for (unsigned part = 0; part < site->config.parts; part++) {
        if (site->parts[part].hub)
            link_tell_serve(link, part, site->parts[part].term);
    }
    link->works = true;
    if (site->told_fault)
        link_tell_works(link, false);
    return link;
}

static void unlist_link(struct site_link *link)
{
    struct site_link **to = &link->site->links;
    while (*to != link)
        to = &(*to)->next;
    *to = link->next;
}

void site_link_close(struct site_link *link, int64_t now_ms)
{
    struct site *site = link->site;
    site_set_time(site, now_ms);
    for (unsigned part = 0; part < site->config.parts; part++) {
        link_drop_channels(link, part);
        owner_lost(site, part, link);
    }
    unlist_link(link);
    greet_forget(site, link);
    web_forget(site, link);
    link_free(link);
    route_all_waiting(site);
}

unsigned char *site_link_output(struct site_link *link, size_t *len)
{
    struct message *first = link->out.first;
    if (!first || link->broken) /* what is missing may have been in between */
        return NULL;
    *len = first->len;
    return message_bytes(first);
}

size_t site_link_waiting(const struct site_link *link)
{
    return link->out.bytes;
}

void site_link_sent(struct site_link *link)
{
    link_sent(link);
}

bool site_link_broken(const struct site_link *link)
{
    return link->broken;
}
