#include "link.h"

#include "net_private.h"
#include "sockets/address_counts.h"
#include <assert.h>
#include <libwebsockets.h>
#include <net/clock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void list_add(struct link *link)
{
    if (link->back)
        return;
    link->next = link->net->links.first;
    link->back = &link->net->links.first;
    if (link->next)
        link->next->back = &link->next;
    link->net->links.first = link;
}

static void list_remove(struct link *link)
{
    if (!link->back)
        return;
    *link->back = link->next;
    if (link->next)
        link->next->back = link->back;
    link->back = NULL;
}

/* ---- counting */

struct link *link_create(struct net *net, const struct address *address, bool proxied)
{
    struct link *link = calloc(1, sizeof *link);
    if (!link)
        return NULL;
    link->net = net;
    link->address = *address;
    link->proxied = proxied;
    link->state = LINK_REQUEST;
    link->since_ms = net_now_ms(net);
    link->is_http = true;
    if (!proxied)
        address_counts_add(&net->links.counts, address);
    net->links.http_count++;
    net->links.count++;
    list_add(link);
    return link;
}

static void stop_counting(struct link *link)
{
    if (!link->is_http)
        return;
    link->is_http = false;
    link->net->links.http_count--;
    if (!link->proxied)
        address_counts_remove(&link->net->links.counts, &link->address);
}

void link_leave_http(struct link *link)
{
    assert(link->is_http);
    stop_counting(link);
    list_remove(link);
}

void link_destroy(struct link *link)
{
    struct net *net = link->net;
    assert(!link->answer && !link->upload && link->peer.generation == 0);
    stop_counting(link);
    list_remove(link);
    if (link->destroyed)
        *link->destroyed = true;
    free(link->input);
    free(link);
    net->links.count--;
}

/* ---- input */

bool link_keep_input(struct link *link, const void *bytes, size_t len, size_t most)
{
    assert(most <= UINT16_MAX);
    size_t need = link->input_len + len;
    if (need > most)
        return false;
    if (need > link->input_size) {
        size_t size = need < most / 4 ? most / 4 : most;
        char *input = realloc(link->input, size);
        if (!input)
            return false;
        link->input = input;
        link->input_size = (uint16_t)size;
    }
    if (len > 0)
        memcpy(link->input + link->input_len, bytes, len);
    link->input_len = (uint16_t)need;
    return true;
}

void link_drop_input(struct link *link, size_t len)
{
    link->input_len = (uint16_t)(link->input_len - len);
    if (link->input_len > 0) {
        memmove(link->input, link->input + len, link->input_len);
        return;
    }
    free(link->input);
    link->input = NULL;
    link->input_size = 0;
}

void link_hold(struct link *link, size_t len)
{
    link->held += len;
    link->net->links.http_bytes += len;
}

void link_let_go(struct link *link)
{
    link->net->links.http_bytes -= link->held;
    link->held = 0;
}

/* ---- output */

bool link_is_writing(const struct link *link)
{
    return lws_partial_buffered(link->wsi);
}

void link_ask_writable(struct link *link)
{
    lws_callback_on_writable(link->wsi);
}

static void set_paused(struct link *link, bool paused)
{
    if (paused == link->paused)
        return;
    link->paused = paused;
    lws_rx_flow_control(link->wsi, !paused);
}

bool link_write(struct link *link, const unsigned char *bytes, size_t len)
{
    if (link->state == LINK_CUT)
        return false;
    /* libwebsockets does not write to what it is given, but does not say so. */
    if (lws_write(link->wsi, (unsigned char *)(uintptr_t)bytes, len, LWS_WRITE_RAW) < 0) {
        link_cut(link);
        return false;
    }
    set_paused(link, link_is_writing(link));
    return true;
}

static void shut_link(struct link *link)
{
    link->shut = true;
    shutdown(lws_get_socket_fd(link->wsi), SHUT_WR);
}

bool link_resume(struct link *link)
{
    if (link_is_writing(link))
        return false;
    set_paused(link, false);
    if (link->state == LINK_ENDING && !link->shut)
        shut_link(link);
    return true;
}

/* ---- the end */

void link_end(struct link *link)
{
    if (link->state == LINK_CUT)
        return;
    link->state = LINK_ENDING;
    link->since_ms = net_now_ms(link->net);
    link_drop_input(link, link->input_len);
    list_add(link);
    if (!link_is_writing(link))
        shut_link(link);
}

void link_cut(struct link *link)
{
    /* Takes it off the counts and the list, so that it is not cut again. */
    stop_counting(link);
    link->state = LINK_CUT;
    link->since_ms = net_now_ms(link->net);
    list_add(link);
    /* libwebsockets finds a dead socket and does the rest in its own time. */
    if (!link->wsi)
        return;
    shutdown(lws_get_socket_fd(link->wsi), SHUT_RDWR);
    lws_set_timeout(link->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}
