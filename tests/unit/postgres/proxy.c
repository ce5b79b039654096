#include "proxy.h"

#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS = 16, CHUNK = 65536 };

/* What one side sends, of which whole messages are passed on. */
struct flow {
    uint8_t bytes[CHUNK * 2];
    size_t len;
    bool started; /* the first message of a store has no letter before its length */
};

struct connection {
    int fds[2]; /* by side; -1: free */
    struct flow flows[2];
    bool held;
};

struct proxy {
    int listener, port, database_port, wake[2];
    pthread_t thread;
    struct connection connections[CONNECTIONS];
    pthread_mutex_t mutex; /* all below */
    bool armed, fired, refuse, ending;
    enum proxy_side side;
    enum proxy_fault fault;
    unsigned left;
};

static void end(struct connection *connection)
{
    for (int side = 0; side < 2; side++) {
        if (connection->fds[side] >= 0)
            close(connection->fds[side]);
        connection->fds[side] = -1;
    }
}

static bool pass(struct connection *connection, int from, size_t count)
{
    struct flow *flow = &connection->flows[from];
    for (size_t at = 0; at < count;) {
        const ssize_t sent =
            send(connection->fds[1 - from], flow->bytes + at, count - at, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        at += (size_t)sent;
    }
    flow->len -= count;
    memmove(flow->bytes, flow->bytes + count, flow->len);
    return true;
}

/* 0: it has not come whole yet. */
static size_t message_length(const struct flow *flow, int from)
{
    const size_t letter = from == PROXY_OF_STORE && !flow->started ? 0 : 1;
    if (flow->len < letter + 4)
        return 0;
    const uint8_t *at = flow->bytes + letter;
    const size_t len =
        letter + ((size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3]);
    return flow->len < len ? 0 : len;
}

/* Is it to happen now, instead of the next message? */
static bool strikes(struct proxy *proxy, int from, enum proxy_fault *fault)
{
    bool now = false;
    pthread_mutex_lock(&proxy->mutex);
    if (proxy->armed && (int)proxy->side == from) {
        now = proxy->left == 0;
        proxy->left -= !now;
        proxy->armed = !now;
        proxy->fired |= now;
        *fault = proxy->fault;
    }
    pthread_mutex_unlock(&proxy->mutex);
    return now;
}

static bool forward(struct proxy *proxy, struct connection *connection, int from)
{
    struct flow *flow = &connection->flows[from];
    enum proxy_fault fault = PROXY_CUT;
    for (size_t len; !connection->held && (len = message_length(flow, from)) > 0;) {
        if (strikes(proxy, from, &fault)) {
            if (fault == PROXY_CUT_INSIDE)
                (void)pass(connection, from, len / 2);
            connection->held = true;
            return fault == PROXY_HOLD;
        }
        if (!pass(connection, from, len))
            return false;
        flow->started = true;
    }
    return true;
}

/* What comes on a held connection is left where it is. */
static bool receive(struct connection *connection, int from)
{
    struct flow *flow = &connection->flows[from];
    const ssize_t got =
        recv(connection->fds[from], flow->bytes + flow->len, sizeof flow->bytes - flow->len, 0);
    flow->len += got > 0 ? (size_t)got : 0;
    return got > 0;
}

static void serve(struct proxy *proxy, struct connection *connection, int from)
{
    if (!receive(connection, from) || !forward(proxy, connection, from))
        end(connection);
}

static struct connection *free_place(struct proxy *proxy)
{
    for (int at = 0; at < CONNECTIONS; at++) {
        if (proxy->connections[at].fds[0] < 0)
            return &proxy->connections[at];
    }
    return NULL;
}

static struct sockaddr_in loopback(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void accept_one(struct proxy *proxy)
{
    const int store = accept(proxy->listener, NULL, NULL);
    struct connection *connection = free_place(proxy);
    const struct sockaddr_in address = loopback(proxy->database_port);
    pthread_mutex_lock(&proxy->mutex);
    const bool refuse = proxy->refuse;
    pthread_mutex_unlock(&proxy->mutex);
    if (store < 0 || refuse || !connection) {
        close(store);
        return;
    }
    const int database = socket(AF_INET, SOCK_STREAM, 0);
    memset(connection, 0, sizeof *connection);
    connection->fds[PROXY_OF_STORE] = store;
    connection->fds[PROXY_OF_DATABASE] = database;
    if (connect(database, (const struct sockaddr *)&address, sizeof address) != 0)
        end(connection);
}

static bool is_ending(struct proxy *proxy)
{
    pthread_mutex_lock(&proxy->mutex);
    const bool ending = proxy->ending;
    pthread_mutex_unlock(&proxy->mutex);
    return ending;
}

/* Held connections are looked at no more: their ends are seen when the proxy ends. */
static void *run(void *arg)
{
    struct proxy *proxy = arg;
    while (!is_ending(proxy)) {
        struct pollfd fds[2 + 2 * CONNECTIONS] = {{.fd = proxy->listener, .events = POLLIN},
                                                  {.fd = proxy->wake[0], .events = POLLIN}};
        for (int at = 0; at < 2 * CONNECTIONS; at++) {
            const struct connection *connection = &proxy->connections[at / 2];
            fds[2 + at] = (struct pollfd){.fd = connection->held ? -1 : connection->fds[at % 2],
                                          .events = POLLIN};
        }
        poll(fds, 2 + 2 * CONNECTIONS, -1);
        for (int at = 0; at < 2 * CONNECTIONS; at++) {
            struct connection *connection = &proxy->connections[at / 2];
            if (fds[2 + at].revents && fds[2 + at].fd == connection->fds[at % 2])
                serve(proxy, connection, at % 2);
        }
        if (fds[0].revents)
            accept_one(proxy);
    }
    return NULL;
}

struct proxy *proxy_start(int database_port)
{
    struct proxy *proxy = calloc(1, sizeof *proxy);
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    ck_assert_ptr_nonnull(proxy);
    proxy->database_port = database_port;
    for (int at = 0; at < CONNECTIONS; at++)
        proxy->connections[at].fds[0] = proxy->connections[at].fds[1] = -1;
    pthread_mutex_init(&proxy->mutex, NULL);
    ck_assert_int_eq(pipe(proxy->wake), 0);
    proxy->listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(proxy->listener, (struct sockaddr *)&address, size), 0);
    ck_assert_int_eq(listen(proxy->listener, 8), 0);
    ck_assert_int_eq(getsockname(proxy->listener, (struct sockaddr *)&address, &size), 0);
    proxy->port = ntohs(address.sin_port);
    ck_assert_int_eq(pthread_create(&proxy->thread, NULL, run, proxy), 0);
    return proxy;
}

void proxy_stop(struct proxy *proxy)
{
    pthread_mutex_lock(&proxy->mutex);
    proxy->ending = true;
    pthread_mutex_unlock(&proxy->mutex);
    ck_assert_int_eq(write(proxy->wake[1], "", 1), 1);
    pthread_join(proxy->thread, NULL);
    for (int at = 0; at < CONNECTIONS; at++)
        end(&proxy->connections[at]);
    close(proxy->listener);
    close(proxy->wake[0]);
    close(proxy->wake[1]);
    pthread_mutex_destroy(&proxy->mutex);
    free(proxy);
}

int proxy_port(const struct proxy *proxy)
{
    return proxy->port;
}

void proxy_arm(struct proxy *proxy, enum proxy_side side, unsigned count, enum proxy_fault fault)
{
    pthread_mutex_lock(&proxy->mutex);
    proxy->armed = true;
    proxy->fired = false;
    proxy->side = side;
    proxy->left = count;
    proxy->fault = fault;
    pthread_mutex_unlock(&proxy->mutex);
}

bool proxy_fired(struct proxy *proxy)
{
    pthread_mutex_lock(&proxy->mutex);
    const bool fired = proxy->fired;
    proxy->armed = proxy->fired = false;
    pthread_mutex_unlock(&proxy->mutex);
    return fired;
}

void proxy_refuse(struct proxy *proxy, bool refuse)
{
    pthread_mutex_lock(&proxy->mutex);
    proxy->refuse = refuse;
    pthread_mutex_unlock(&proxy->mutex);
}
