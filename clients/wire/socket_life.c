#include "socket_internal.h"
#include <stdlib.h>
#include <string.h>

void socket_do_chores(struct wire_socket *socket)
{
    struct wire_context *context = socket->context;
    if (socket->has_chore)
        return;
    socket->has_chore = true;
    socket->chore_next = NULL;
    *context->chores_last = socket;
    context->chores_last = &socket->chore_next;
    uv_timer_start(&context->chores, context->do_chores, 0, 0);
}

void socket_forget_chore(struct wire_socket *socket)
{
    struct wire_context *context = socket->context;
    struct wire_socket **at = &context->chores_first;
    while (*at != socket)
        at = &(*at)->chore_next;
    *at = socket->chore_next;
    if (!*at)
        context->chores_last = at;
    socket->has_chore = false;
}

/* ---- life and death */

void socket_free(struct wire_socket *socket)
{
    if (socket->has_chore)
        socket_forget_chore(socket);
    if (socket->previous)
        socket->previous->next = socket->next;
    else
        socket->context->sockets = socket->next;
    if (socket->next)
        socket->next->previous = socket->previous;
    while (socket->first) {
        struct message *message = socket->first;
        socket->first = message->next;
        free(message);
    }
    free(socket->partial);
    free(socket->location);
    free(socket);
}

/* The last callback and the end of the socket. */
void socket_ended(struct wire_socket *socket)
{
    const struct wire_socket_events *events = socket->events;
    void *user = socket->user;
    int code = socket->close_code;
    char reason[sizeof socket->reason];
    memcpy(reason, socket->reason, sizeof reason);
    if (code == 0)
        code = socket->opened ? WIRE_CLOSED_LOST : WIRE_CLOSED_UNREACHABLE;
    socket_free(socket);
    if (events)
        events->closed(user, code, reason);
}

void socket_wsi_ended(struct wire_socket *socket, struct lws *wsi)
{
    lws_set_wsi_user(wsi, NULL);
    socket_ended(socket);
}
