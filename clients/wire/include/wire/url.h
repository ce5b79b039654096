/*
 * Where a server is, as people type it: ws://HOST[:PORT][/PATH]; so with wss, http and https.
 */
#ifndef WIRE_URL_H
#define WIRE_URL_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WIRE_URL_HOST = 256,
    WIRE_URL_PATH = 256,
    WIRE_URL_TEXT = 600,
    WIRE_URL_HOST_HEADER = WIRE_URL_HOST + 16,
};

struct wire_url {
    bool tls;
    char host[WIRE_URL_HOST]; /* a name, an IPv4 address, or an IPv6 address without its brackets */
    uint16_t port;
    char path[WIRE_URL_PATH];
};

/*
 * Without a scheme it is ws://, without a port 7400 (wss and https: 443, http: 80), without a path
 * /ws; https:// means wss:// and http:// ws://. False if it is no such address; user names, queries
 * and fragments are refused.
 */
bool wire_url_parse(struct wire_url *url, const char *text);

/* The full spelling; equal for equal servers, so it can name one. */
void wire_url_format(const struct wire_url *url, char text[WIRE_URL_TEXT]);

/* Is it this machine by its own word, so that nobody else reads what goes there? */
bool wire_url_is_local(const struct wire_url *url);

/* The host as HTTP's header of that name has it: with the port, unless it is the usual one. */
void wire_url_host_header(const struct wire_url *url, char text[WIRE_URL_HOST_HEADER]);

#endif
