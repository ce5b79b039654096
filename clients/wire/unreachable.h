/*
 * Why a server cannot be reached, in words for people: from what getaddrinfo, the kernel, TLS and
 * HTTP say. The words follow on "the server cannot be reached: " and have no full stop.
 */
#ifndef WIRE_UNREACHABLE_H
#define WIRE_UNREACHABLE_H

#include <stdbool.h>
#include <stddef.h>

enum { UNREACHABLE_TEXT = 200 };

/* `error` of getaddrinfo. */
void unreachable_name(char text[UNREACHABLE_TEXT], int error);

/* `error`: an errno of connecting. */
void unreachable_connect(char text[UNREACHABLE_TEXT], int error);

/* Not even the attempt was possible. */
void unreachable_here(char text[UNREACHABLE_TEXT]);

/* What is known of a connection that was there and did not become a WebSocket. */
struct unreachable_facts {
    bool tls;                /* it was asked for */
    const char *certificate; /* what is wrong with the server's, or NULL */
    bool handshake;          /* the TLS handshake failed */
    int status;              /* of HTTP, 0: no answer that is HTTP */
    const char *location;    /* where a redirection leads, or NULL */
    bool late;               /* it let us wait for too long */
    bool closed;             /* by the server */
};
void unreachable_answer(char text[UNREACHABLE_TEXT], const struct unreachable_facts *facts);

#endif
