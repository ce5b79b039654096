#include "server.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct link *link_create(struct net *net, const struct address *address, bool proxied)
{
    struct link *link = calloc(1, sizeof *link);
    if (!link)
        return NULL;
    link->net = net;
    link->address = *address;
    link->proxied = proxied;
    link->kind = LINK_HTTP;
    link->since_ms = net_now_ms(net);
    link->counted = !proxied;
    if (link->counted)
        address_counts_add(&net->counts, address);
    net->http_count++;
    net->links_count++;
    link_list(link);
    return link;
}

void link_list(struct link *link)
{
    assert(!link->back);
    link->next = link->net->transients;
    link->back = &link->net->transients;
    if (link->next)
        link->next->back = &link->next;
    link->net->transients = link;
}

void link_unlist(struct link *link)
{
    if (!link->back)
        return;
    *link->back = link->next;
    if (link->next)
        link->next->back = link->back;
    link->back = NULL;
}

void link_leave_http(struct link *link)
{
    assert(link->kind == LINK_HTTP);
    link_unlist(link);
    http_forget(link);
    link->net->http_count--;
    if (link->counted)
        address_counts_remove(&link->net->counts, &link->address);
    link->counted = false;
}

void link_destroy(struct link *link)
{
    struct net *net = link->net;
    if (link->kind == LINK_HTTP)
        link_leave_http(link);
    else
        ws_closed(link);
    link_unlist(link);
    for (struct link **at = &net->closing; *at; at = &(*at)->next_closing) {
        if (*at == link) {
            *at = link->next_closing;
            break;
        }
    }
    if (link->gone)
        *link->gone = true;
    free(link->partial);
    free(link);
    net->links_count--;
    net_check_end(net);
}

void link_cut(struct link *link)
{
    /* It counts no longer, and nobody cuts it again. */
    if (link->kind == LINK_HTTP) {
        link_leave_http(link);
        link->kind = LINK_CLOSING;
    }
    /* Lets libwebsockets find a dead socket and do the rest in its own time. */
    shutdown(lws_get_socket_fd(link->wsi), SHUT_RDWR);
    lws_set_timeout(link->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

struct link *link_of(struct lws *wsi)
{
    return lws_get_opaque_user_data(wsi);
}

bool link_learn_address(struct link *link)
{
    char forwarded[512];
    const struct net *net = link->net;
    if (!link->proxied || lws_hdr_total_length(link->wsi, WSI_TOKEN_X_FORWARDED_FOR) <= 0)
        return true;
    return lws_hdr_copy(link->wsi, forwarded, sizeof forwarded, WSI_TOKEN_X_FORWARDED_FOR) > 0 &&
           address_behind_proxies(&link->address, forwarded, net->proxies, net->proxies_count);
}
