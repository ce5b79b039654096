#include "unreachable.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

#define SAY(...) (void)snprintf(text, UNREACHABLE_TEXT, __VA_ARGS__)

void unreachable_name(char text[UNREACHABLE_TEXT], int error)
{
    if (error == EAI_NONAME)
        SAY("no host of this name is known");
    else if (error == EAI_AGAIN)
        SAY("its name cannot be looked up, as no name server answers");
    else
        SAY("its name cannot be looked up (%s)", gai_strerror(error));
}

void unreachable_connect(char text[UNREACHABLE_TEXT], int error)
{
    if (error == ECONNREFUSED)
        SAY("connection refused, no server listens at this port");
    else if (error == ETIMEDOUT)
        SAY("it does not answer");
    else if (error == ENETUNREACH || error == EHOSTUNREACH)
        SAY("there is no way to it through the network (%s)", strerror(error));
    else
        SAY("%s", strerror(error));
}

void unreachable_here(char text[UNREACHABLE_TEXT])
{
    SAY("no connection to it can be opened from here; is there a network?");
}

static void say_status(char text[UNREACHABLE_TEXT], const struct unreachable_facts *facts)
{
    const int status = facts->status;
    if (status == 101)
        SAY("its answer is not that of a WebSocket");
    else if (facts->location)
        SAY("it points elsewhere, to %.120s (HTTP %d)", facts->location, status);
    else if (status == 404)
        SAY("a web server answers, but has no WebSocket at this path (HTTP 404)");
    else if (status == 401 || status == 403)
        SAY("a web server answers, but does not let us in (HTTP %d)", status);
    else if (status >= 500)
        SAY("the server, or a proxy before it, is not ready (HTTP %d)", status);
    else
        SAY("a web server answers, but not as a WebSocket (HTTP %d)", status);
}

void unreachable_answer(char text[UNREACHABLE_TEXT], const struct unreachable_facts *facts)
{
    if (facts->certificate)
        SAY("its certificate is not accepted (%s)", facts->certificate);
    else if (facts->handshake)
        SAY("TLS fails with it; an address without TLS begins with ws://");
    else if (facts->status != 0)
        say_status(text, facts);
    else if (facts->late)
        SAY("it does not answer");
    else if (!facts->closed)
        SAY("its answer is not HTTP");
    else
        SAY("it closes the connection without a proper answer%s",
            facts->tls ? "" : "; an address with TLS begins with wss://");
}
