/*
 * Push services: which endpoints of browsers the server sends to, and which addresses it connects
 * to for that. An endpoint comes from a client, so without these rules anybody could have the
 * server send requests into its operator's own network.
 *
 * Only texts and bytes: nothing is looked up.
 */
#ifndef PUSH_SERVICE_H
#define PUSH_SERVICE_H

#include <stdbool.h>

struct sockaddr;

enum { PUSH_ENDPOINT_MAX = 512, PUSH_ORIGIN_MAX = 300 };

/* Those of the browsers: Chromium, Firefox, Edge on Windows, Safari. NULL at the end. */
extern const char *const push_known_services[];

/*
 * Is it one entry of a list of services?
 *
 *     fcm.googleapis.com       this host, by https on its usual port, at a public address
 *     *.push.apple.com         any host below this one, in the same way
 *     http://127.0.0.1:8080    this origin, wherever it is: the operator has named it
 */
bool push_service_is_valid(const char *service);

struct push_target {
    char origin[PUSH_ORIGIN_MAX]; /* of the endpoint: "https://fcm.googleapis.com" */
    bool named;                   /* the operator has named the origin */
};

/*
 * May messages be sent to this endpoint? Not if it is no absolute URL in the form that browsers
 * give, is too long, or belongs to none of `services` (NULL at the end).
 */
bool push_endpoint_allowed(const char *endpoint, const char *const services[],
                           struct push_target *target);

/*
 * Is it an address of the public internet: not of this machine, of a local network, for groups, for
 * documentation, or a tunnel that leads to one of these?
 */
bool push_address_is_public(const struct sockaddr *address);

#endif
