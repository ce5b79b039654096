/*
 * A push service on loopback, in threads of the test's own. What it answers is chosen by the path;
 * it remembers the last request.
 */
#ifndef PUSH_TEST_SERVICE_H
#define PUSH_TEST_SERVICE_H

#include <stdbool.h>
#include <stddef.h>

enum { REQUEST_MAX = 8192 };

struct service;

/* `tls`: with a certificate for the name "localhost" alone, which it signs itself. */
struct service *service_start(bool tls);
void service_stop(struct service *service);

int service_port(const struct service *service);
/* The file of its certificate, to be trusted. */
const char *service_certificate(const struct service *service);
/* Connections so far. */
int service_visits(struct service *service);
/* The last request that was read whole: its length, and its bytes with a 0 behind them. */
size_t service_request(struct service *service, char request[static REQUEST_MAX]);

#endif
