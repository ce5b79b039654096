#include "link_out.h"

#include "clients/client.h"
#include "frame.h"
#include "link_answer.h"
#include "site_part.h"
#include "site_private.h"
#include <hub/note.h>
#include <stdlib.h>
#include <string.h>

struct port_entry {
    uint64_t number;
    struct port *port;
};
struct channel_entry {
    uint64_t number;
    struct channel *channel;
};

/* Answers wait while so much else does: what players do is not to wait for them. */
enum { OPEN_BYTES = 1 + 16 + 8, RETURN_BYTES = 1 + 16 + 32, ANSWERS_BEHIND_BYTES = 65536 };

/*
 * A link that is full takes what has to be said all the same: that clients are gone, what it was
 * asked. Who asks and does not read makes that grow, so at so many times as much it is given up.
 */
enum { OVERFULL = 2, ASKED_TIMES = 4 };

/* ---- frames out */

/* `spare` bytes behind the head, to be filled in. NULL: no memory, or much too full; broken. */
unsigned char *link_add_frame(struct site_link *link, enum frame_kind kind, uint64_t number,
                              size_t spare)
{
    const bool stuck = link->out.bytes >= OVERFULL * link->site->config.link_bytes;
    struct message *message = stuck ? NULL : message_new(FRAME_HEAD_BYTES + spare);
    if (!message) {
        link->broken = true;
        return NULL;
    }
    messages_add(&link->out, message);
    return frame_put_head(message_bytes(message), kind, number);
}

static bool add_text(struct site_link *link, enum frame_kind kind, uint64_t number,
                     const void *bytes, size_t len)
{
    unsigned char *at = link_add_frame(link, kind, number, len);
    if (at)
        memcpy(at, bytes, len);
    return at;
}

bool link_add_number(struct site_link *link, enum frame_kind kind, uint64_t number, size_t bytes,
                     uint64_t value)
{
    unsigned char *at = link_add_frame(link, kind, number, bytes);
    if (at)
        frame_put(at, bytes, value);
    return at;
}

void link_tell_serve(struct site_link *link, unsigned part, uint64_t term)
{
    link_add_number(link, FRAME_SERVE, part, 8, term);
}

void link_tell_leave(struct site_link *link, unsigned part)
{
    link_add_frame(link, FRAME_LEAVE, part, 0);
}

void link_tell_works(struct site_link *link, bool works)
{
    link_add_frame(link, FRAME_WORKS, works, 0);
}

static bool is_full(const struct site_link *link)
{
    return link->broken || link->out.bytes >= link->site->config.link_bytes;
}

/* ---- ports: clients of this node in parts of the other */

struct port *link_port(const struct site_link *link, uint64_t number)
{
    size_t at = 0;
    const struct port_entry *entry = table_find(&link->ports, number, &at);
    return entry ? entry->port : NULL;
}

/* NULL: out of memory. */
static unsigned char *add_open(struct site_link *link, uint64_t number, const struct client *client,
                               unsigned part)
{
    const bool known = client->state == CLIENT_KNOWN;
    const size_t name_len = known ? strlen(client->name) : 0;
    unsigned char *at = link_add_frame(link, FRAME_OPEN, number, OPEN_BYTES + name_len);
    if (!at)
        return NULL;
    at = frame_put(at, 1, part);
    memcpy(at, client->address, 16);
    at = frame_put(at + 16, 8, known ? client->session : 0);
    memcpy(at, client->name, name_len);
    return at;
}

static unsigned char *add_return(struct site_link *link, uint64_t number,
                                 const struct client *client, unsigned part)
{
    unsigned char *at = link_add_frame(link, FRAME_RETURN, number, RETURN_BYTES);
    if (!at)
        return NULL;
    at = frame_put(at, 1, part);
    memcpy(at, client->address, 16);
    memcpy(at + 16, client->secret_hash, sizeof client->secret_hash);
    return at;
}

uint64_t link_open_port(struct site_link *link, struct port *port, const struct client *client,
                        unsigned part)
{
    const bool returns = client->state == CLIENT_KNOWN && part == client->home;
    if (is_full(link) || !table_reserve(&link->ports, 1))
        return 0;
    const uint64_t number = ++link->last_number;
    if (!(returns ? add_return : add_open)(link, number, client, part))
        return 0;
    table_add(&link->ports, &(struct port_entry){number, port});
    return number;
}

bool link_say(struct site_link *link, uint64_t number, const char *bytes, size_t len)
{
    const bool said = !is_full(link) && add_text(link, FRAME_SAY, number, bytes, len);
    link->site->counts.relayed_out += said;
    link->relayed_out += said;
    return said;
}

/* Though it is full: a client follows few rooms, and none opens a port then. */
void link_follow(struct site_link *link, uint64_t number, int64_t follow, const char *room,
                 int64_t have)
{
    unsigned char *at = link_add_frame(link, FRAME_FOLLOW, number, 16 + PROTOCOL_ROOM_BYTES);
    if (at)
        memcpy(frame_put(frame_put_id(at, follow, true), 8, (uint64_t)have), room,
               PROTOCOL_ROOM_BYTES);
}

void link_set_account(struct site_link *link, uint64_t number,
                      const struct protocol_account *account, uint64_t owner)
{
    const size_t len = strlen(account->handle);
    unsigned char *at = link_add_frame(link, FRAME_ACCOUNT, number, 1 + len);
    if (at)
        memcpy(frame_put(at, 1, account->kind), account->handle, len);
    if (owner)
        link_add_number(link, FRAME_OWNER, number, 8, owner);
}

void link_set_quiet(struct site_link *link, uint64_t number, bool quiet)
{
    link_add_number(link, FRAME_QUIET, number, 1, quiet);
}

bool link_add_challenge(struct site_link *link, enum frame_kind kind, uint64_t number,
                        const uint8_t challenge[static HUB_CHALLENGE_BYTES])
{
    unsigned char *at = link_add_frame(link, kind, number, HUB_CHALLENGE_BYTES);
    if (at)
        memcpy(at, challenge, HUB_CHALLENGE_BYTES);
    return at != NULL;
}

void link_keep(struct site_link *link, uint64_t number, bool keep)
{
    link_add_number(link, FRAME_KEEP, number, 1, keep);
}

void link_end_port(struct site_link *link, uint64_t number)
{
    size_t at = 0;
    struct port_entry *entry = table_find(&link->ports, number, &at);
    if (entry)
        table_remove(&link->ports, entry);
    link_add_frame(link, FRAME_END, number, 0);
}

bool link_ask_seats(struct site_link *link, uint64_t question, uint64_t session, unsigned except)
{
    unsigned char *at = is_full(link) ? NULL : link_add_frame(link, FRAME_SEATS, question, 9);
    if (at)
        frame_put(frame_put(at, 8, session), 1, except);
    return at;
}

bool link_ask(struct site_link *link, uint64_t question, unsigned part, const uint8_t *address,
              const char *path)
{
    static const uint8_t nobody[16];
    const size_t path_len = strlen(path);
    unsigned char *at =
        is_full(link) ? NULL : link_add_frame(link, FRAME_ASK, question, 1 + 16 + path_len);
    if (!at)
        return false;
    at = frame_put(at, 1, part);
    memcpy(at, address ? address : nobody, 16);
    memcpy(at + 16, path, path_len);
    link->site->counts.asked_out++;
    return true;
}

static unsigned char *put_text(unsigned char *at, const char *text, size_t len)
{
    memcpy(at, text, len);
    return at + len;
}

bool link_post(struct site_link *link, uint64_t question, unsigned part, const uint8_t *address,
               const struct hub_http_post *post)
{
    static const uint8_t nobody[16];
    const size_t path = strlen(post->path), host = strlen(post->host),
                 origin = strlen(post->origin);
    const size_t len = 1 + 16 + 3 * 2 + path + host + origin + post->len;
    unsigned char *at = is_full(link) ? NULL : link_add_frame(link, FRAME_POST, question, len);
    if (!at)
        return false;
    at = frame_put(at, 1, part);
    memcpy(at, address ? address : nobody, 16);
    at = frame_put(frame_put(frame_put(at + 16, 2, path), 2, host), 2, origin);
    at = put_text(put_text(put_text(at, post->path, path), post->host, host), post->origin, origin);
    if (post->len > 0)
        memcpy(at, post->body, post->len);
    link->site->counts.asked_out++;
    return true;
}

bool link_announce(struct site_link *link, const char *text)
{
    return !is_full(link) && add_text(link, FRAME_ANNOUNCE, 0, text, strlen(text));
}

/* If the link is full it is lost: news may be (hub/note.h). */
void link_note(struct site_link *link, const struct hub_note *note)
{
    const bool message = note->kind == HUB_NOTE_MESSAGE;
    const bool has_text = message || note->kind == HUB_NOTE_WORD;
    const size_t text_len = has_text ? note->text_len : 0;
    unsigned char *at = is_full(link) ? NULL
                                      : link_add_frame(link, FRAME_NOTE, note->session,
                                                       1 + PROTOCOL_ROOM_BYTES + text_len);
    if (!at)
        return;
    at = frame_put(at, 1, (uint64_t)note->kind);
    memset(at, '0', PROTOCOL_ROOM_BYTES);
    if (message)
        memcpy(at, note->room_id, PROTOCOL_ROOM_BYTES);
    memcpy(at + PROTOCOL_ROOM_BYTES, note->text, text_len);
}

/* ---- channels: clients of the other node in hubs of this one */

struct channel *link_channel(const struct site_link *link, uint64_t number)
{
    size_t at = 0;
    const struct channel_entry *entry = table_find(&link->channels, number, &at);
    return entry ? entry->channel : NULL;
}

void link_end_channel(struct channel *channel)
{
    struct site *site = channel->link->site;
    struct part *part = &site->parts[channel->part];
    struct table *channels = &channel->link->channels;
    size_t at = 0;
    hub_disconnect(part->hub, channel->peer, site->now_ms);
    part->peer_ends[channel->peer.index] = (struct peer_end){0};
    table_remove(channels, table_find(channels, channel->number, &at));
    free(channel);
}

struct channel *link_new_channel(struct site_link *link, uint64_t number, unsigned part,
                                 struct hub_peer peer)
{
    struct channel *channel = calloc(1, sizeof *channel);
    if (!channel || !table_reserve(&link->channels, 1) ||
        part_reserve(&link->site->parts[part], peer.index) < 0) {
        free(channel);
        return NULL;
    }
    *channel = (struct channel){.link = link, .number = number, .part = part, .peer = peer};
    table_add(&link->channels, &(struct channel_entry){number, channel});
    link->site->parts[part].peer_ends[peer.index] = (struct peer_end){.channel = channel};
    return channel;
}

void link_drop_channels(struct site_link *link, unsigned part)
{
    const struct part *served = &link->site->parts[part];
    for (size_t at = 0; at < served->size; at++) {
        if (served->peer_ends[at].channel && served->peer_ends[at].channel->link == link)
            link_end_channel(served->peer_ends[at].channel);
    }
}

/* ---- what hubs tell channels */

static void tell_error(struct site_link *link, enum protocol_error error)
{
    if (error != PROTOCOL_OK)
        add_text(link, FRAME_REFUSED, 0, protocol_error_code(error),
                 strlen(protocol_error_code(error)));
}

void link_flush(struct site_link *link)
{
    struct spread *spread = &link->spread;
    if (spread->count == 0)
        return;
    unsigned char head[FRAME_MESSAGE_HEAD_BYTES];
    const size_t head_len = (size_t)(frame_put_message_head(head, &spread->head) - head);
    if (spread->head.about != HUB_ABOUT_OTHER)
        link_add_frame(link, FRAME_ABOUT, spread->head.about, 0);
    tell_error(link, (enum protocol_error)spread->head.error);
    if (spread->facts_len > 0)
        add_text(link, FRAME_FACTS, 0, spread->bytes + spread->len, spread->facts_len);
    unsigned char *at =
        link_add_frame(link, FRAME_TELL, 0, 4 + 8 * spread->count + head_len + spread->len);
    if (at) {
        at = frame_put(at, 4, spread->count);
        for (size_t i = 0; i < spread->count; i++)
            at = frame_put(at, 8, spread->numbers[i]);
        memcpy(at, head, head_len);
        at += head_len;
        memcpy(at, spread->bytes, spread->len);
    }
    spread->count = 0;
}

static bool spread_to(struct spread *spread, uint64_t number)
{
    if (spread->count == spread->size) {
        const size_t size = spread->size ? spread->size * 2 : 16;
        uint64_t *numbers = realloc(spread->numbers, size * sizeof *numbers);
        if (!numbers)
            return false;
        spread->numbers = numbers;
        spread->size = size;
    }
    spread->numbers[spread->count++] = number;
    return true;
}

static bool spread_begin(struct spread *spread, const unsigned char *bytes, size_t len,
                         struct facts facts)
{
    const size_t size = len + facts.len;
    if (size > spread->bytes_size) {
        unsigned char *larger = realloc(spread->bytes, size);
        if (!larger)
            return false;
        spread->bytes = larger;
        spread->bytes_size = size;
    }
    memcpy(spread->bytes, bytes, len);
    if (facts.len > 0)
        memcpy(spread->bytes + len, facts.at, facts.len);
    spread->len = len;
    spread->facts_len = facts.len;
    return true;
}

/* A push that several channels get crosses the link once, if they get it one after the other. */
static void tell_channel(struct site_link *link, uint64_t number, const struct hub_head *head,
                         struct facts facts, const unsigned char *bytes, size_t len)
{
    struct spread *spread = &link->spread;
    const bool same = spread->count > 0 && spread->len == len && len > 0 &&
                      memcmp(spread->bytes, bytes, len) == 0;
    if (!same)
        link_flush(link);
    spread->head = *head;
    if ((!same && !spread_begin(spread, bytes, len, facts)) || !spread_to(spread, number))
        link->broken = true;
}

/* Before the messages that are told, which are put together. */
static void tell_owner(struct site_link *link, struct channel *channel)
{
    const uint64_t owner =
        channel->owned ? 0 : hub_owner(link->site->parts[channel->part].hub, channel->peer);
    if (owner)
        channel->owned = link_add_number(link, FRAME_OWNED, channel->number, 8, owner);
}

void link_fetch(struct site_link *link, struct channel *channel)
{
    const struct part *part = &link->site->parts[channel->part];
    struct hub *hub = part->hub;
    unsigned char *bytes = NULL;
    uint8_t challenge[HUB_CHALLENGE_BYTES];
    unsigned elsewhere;
    size_t len;
    if (!part_tells(part))
        return;
    tell_owner(link, channel);
    while (!is_full(link) && (bytes = hub_output(hub, channel->peer, &len)) != NULL) {
        tell_channel(link, channel->number, hub_output_head(hub, channel->peer),
                     hub_output_facts(hub, channel->peer), bytes, len);
        hub_sent(hub, channel->peer);
    }
    channel->blocked = hub_output(hub, channel->peer, &len) != NULL;
    link->blocked = link->blocked || channel->blocked;
    const int code = hub_close_code(hub, channel->peer);
    if (code == 0 || channel->blocked || channel->closing)
        return;
    link_flush(link);
    if (hub_challenge(hub, channel->peer, challenge))
        (void)link_add_challenge(link, FRAME_CHALLENGED, channel->number, challenge);
    channel->closing = hub_elsewhere(hub, channel->peer, &elsewhere)
                           ? link_add_number(link, FRAME_ELSEWHERE, channel->number, 1, elsewhere)
                           : link_add_number(link, FRAME_CLOSE, channel->number, 2, (uint64_t)code);
}

void link_fetch_all(struct site_link *link, unsigned part)
{
    const struct part *served = &link->site->parts[part];
    for (size_t at = 0; at < served->size; at++) {
        if (served->peer_ends[at].channel && served->peer_ends[at].channel->link == link)
            link_fetch(link, served->peer_ends[at].channel);
    }
    link_flush(link);
}

/* There is room again. */
static void unblock_channels(struct site_link *link)
{
    struct channel_entry *entry;
    size_t at = 0;
    link->blocked = false;
    while ((entry = table_next(&link->channels, &at)) != NULL) {
        if (entry->channel->blocked)
            link_fetch(link, entry->channel);
    }
    link_flush(link);
}

/* ---- answers to questions */

static void add_answers(struct site_link *link)
{
    while (!link->broken && link->answers.first && link->out.bytes < ANSWERS_BEHIND_BYTES) {
        struct message *frame = link_answers_frame(&link->answers);
        if (frame)
            messages_add(&link->out, frame);
        else
            link->broken = true;
    }
}

size_t link_asked_most(const struct site_link *link)
{
    return ASKED_TIMES * link->site->config.http_waits;
}

void link_answer(struct site_link *link, uint64_t question, struct hub_http_answer *answer)
{
    if (link->answers.count >= link_asked_most(link))
        hub_http_release(answer); /* who asked does not read, and answers without it in time */
    else if (!link_answers_add(&link->answers, question, answer, link->site->config.link_bytes))
        link->broken = true;
    add_answers(link);
}

void link_sent(struct site_link *link)
{
    free(messages_pop(&link->out));
    if (link->blocked && link->out.bytes < link->site->config.link_bytes / 2)
        unblock_channels(link);
    add_answers(link);
}

/* ---- beginning and end */

struct site_link *link_make(struct site *site)
{
    struct site_link *link = calloc(1, sizeof *link);
    if (!link)
        return NULL;
    link->site = site;
    table_init(&link->ports, sizeof(struct port_entry));
    table_init(&link->channels, sizeof(struct channel_entry));
    return link;
}

void link_free(struct site_link *link)
{
    messages_clear(&link->out);
    link_answers_release(&link->answers);
    table_release(&link->ports);
    table_release(&link->channels);
    free(link->facts);
    free(link->spread.numbers);
    free(link->spread.bytes);
    free(link);
}
