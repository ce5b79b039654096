#include "connection.h"

#include "net_private.h"
#include "sockets/address_counts.h"
#include <assert.h>
#include <libwebsockets.h>
#include <net/clock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void list_add(struct connection *connection)
{
    if (connection->back)
        return;
    connection->next = connection->net->connections.first;
    connection->back = &connection->net->connections.first;
    if (connection->next)
        connection->next->back = &connection->next;
    connection->net->connections.first = connection;
}

static void list_remove(struct connection *connection)
{
    if (!connection->back)
        return;
    *connection->back = connection->next;
    if (connection->next)
        connection->next->back = connection->back;
    connection->back = NULL;
}

/* ---- input that is set aside */

static void listen_or_not(struct connection *connection)
{
    lws_rx_flow_control(connection->wsi, !connection->paused && !connection->unread);
}

bool connection_set_aside(struct connection *connection, uint8_t group, const unsigned char *bytes,
                          size_t len)
{
    unsigned char *unread = realloc(connection->unread, connection->unread_len + len);
    if (!unread)
        return false;
    memcpy(unread + connection->unread_len, bytes, len);
    connection->unread = unread;
    connection->unread_len += (uint32_t)len;
    connection->net->connections.unread_bytes += len;
    if (!connection->turn.self)
        connection->turn.group = group;
    connection->net->connections.unread_of_group[connection->turn.group] += (uint32_t)len;
    if (connection->turn.self)
        return true;
    address_turns_add(&connection->net->connections.unread, &connection->turn);
    listen_or_not(connection);
    return true;
}

/* It waits no longer. */
static unsigned char *give_unread(struct connection *connection, size_t *len)
{
    unsigned char *bytes = connection->unread;
    *len = connection->unread_len;
    connection->net->connections.unread_bytes -= connection->unread_len;
    connection->net->connections.unread_of_group[connection->turn.group] -= connection->unread_len;
    connection->unread = NULL;
    connection->unread_len = 0;
    return bytes;
}

struct connection *connection_of_turn(struct address_turn *turn)
{
    return (void *)((char *)turn - offsetof(struct connection, turn));
}

struct connection *connection_take_unread(struct address_turn *turn, unsigned char **bytes,
                                          size_t *len)
{
    struct connection *connection = connection_of_turn(turn);
    *bytes = give_unread(connection, len);
    listen_or_not(connection);
    return connection;
}

/* Of one that is being ended: what it says now is not read either, but its end is. */
static void forget_unread(struct connection *connection)
{
    size_t len;
    if (!connection->unread)
        return;
    address_turns_remove(&connection->net->connections.unread, &connection->turn);
    free(give_unread(connection, &len));
}

/* ---- counting */

struct connection *connection_create(struct net *net, const struct address *address, bool proxied)
{
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection || (!proxied && !address_counts_add(&net->connections.counts, address))) {
        free(connection);
        return NULL;
    }
    connection->net = net;
    connection->address = *address;
    connection->proxied = proxied;
    connection->state = CONNECTION_REQUEST;
    connection->since_ms = net_now_ms(net);
    connection->is_http = true;
    net->connections.http_count++;
    net->connections.count++;
    list_add(connection);
    return connection;
}

static void stop_counting(struct connection *connection)
{
    if (!connection->is_http)
        return;
    connection->is_http = false;
    connection->net->connections.http_count--;
    if (!connection->proxied)
        address_counts_remove(&connection->net->connections.counts, &connection->address);
}

void connection_leave_http(struct connection *connection)
{
    assert(connection->is_http);
    stop_counting(connection);
    list_remove(connection);
}

void connection_destroy(struct connection *connection)
{
    struct net *net = connection->net;
    assert(!connection->answer && !connection->upload && connection->peer.generation == 0);
    stop_counting(connection);
    list_remove(connection);
    forget_unread(connection);
    if (connection->destroyed)
        *connection->destroyed = true;
    free(connection->input);
    free(connection);
    net->connections.count--;
}

/* ---- input */

bool connection_keep_input(struct connection *connection, const void *bytes, size_t len,
                           size_t most)
{
    assert(most <= UINT16_MAX);
    size_t need = connection->input_len + len;
    if (need > most)
        return false;
    if (need > connection->input_size) {
        size_t size = need < most / 4 ? most / 4 : most;
        char *input = realloc(connection->input, size);
        if (!input)
            return false;
        connection->input = input;
        connection->input_size = (uint16_t)size;
    }
    if (len > 0)
        memcpy(connection->input + connection->input_len, bytes, len);
    connection->input_len = (uint16_t)need;
    return true;
}

void connection_drop_input(struct connection *connection, size_t len)
{
    connection->input_len = (uint16_t)(connection->input_len - len);
    if (connection->input_len > 0) {
        memmove(connection->input, connection->input + len, connection->input_len);
        return;
    }
    free(connection->input);
    connection->input = NULL;
    connection->input_size = 0;
}

/* ---- memory that counts */

void connection_hold(struct connection *connection, size_t len)
{
    connection->held += len;
    connection->net->connections.http_bytes += len;
}

void connection_let_go(struct connection *connection)
{
    connection->net->connections.http_bytes -= connection->held;
    connection->held = 0;
}

/* ---- output */

bool connection_is_writing(const struct connection *connection)
{
    return lws_partial_buffered(connection->wsi);
}

void connection_ask_writable(struct connection *connection)
{
    lws_callback_on_writable(connection->wsi);
}

static void set_paused(struct connection *connection, bool paused)
{
    if (paused == connection->paused)
        return;
    connection->paused = paused;
    listen_or_not(connection);
}

bool connection_write(struct connection *connection, const unsigned char *bytes, size_t len)
{
    if (connection->state == CONNECTION_CUT)
        return false;
    connection->net->run.writes++;
    /* libwebsockets does not write to what it is given, but does not say so. */
    if (lws_write(connection->wsi, (unsigned char *)(uintptr_t)bytes, len, LWS_WRITE_RAW) < 0) {
        connection_cut(connection);
        return false;
    }
    set_paused(connection, connection_is_writing(connection));
    return true;
}

static void shut_connection(struct connection *connection)
{
    connection->shut = true;
    shutdown(lws_get_socket_fd(connection->wsi), SHUT_WR);
}

bool connection_resume(struct connection *connection)
{
    if (connection_is_writing(connection))
        return false;
    set_paused(connection, false);
    if (connection->state == CONNECTION_ENDING && !connection->shut)
        shut_connection(connection);
    return true;
}

/* ---- the end */

void connection_end(struct connection *connection)
{
    if (connection->state == CONNECTION_CUT)
        return;
    connection->state = CONNECTION_ENDING;
    connection->since_ms = net_now_ms(connection->net);
    connection_drop_input(connection, connection->input_len);
    forget_unread(connection);
    listen_or_not(connection);
    list_add(connection);
    if (!connection_is_writing(connection))
        shut_connection(connection);
}

void connection_cut(struct connection *connection)
{
    /* Takes it off the counts and the list, so that it is not cut again. */
    stop_counting(connection);
    connection->state = CONNECTION_CUT;
    connection->since_ms = net_now_ms(connection->net);
    list_add(connection);
    forget_unread(connection);
    /* libwebsockets finds a dead socket and does the rest in its own time. */
    if (!connection->wsi)
        return;
    shutdown(lws_get_socket_fd(connection->wsi), SHUT_RDWR);
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}
