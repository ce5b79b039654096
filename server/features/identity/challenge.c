#include "challenge.h"

#include "state.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <sodium.h>
#include <string.h>

/* The hello that answers it comes right behind it. */
enum { BROUGHT_MS = 10000 };

static struct identity_conn *conn_of_call(const struct call *call)
{
    return kernel_conn_state(call->hub, &identity_memory, call);
}

enum challenge_purpose challenge_asked(const struct call *call)
{
    static const char *const words[] = {
        [CHALLENGE_ADD] = "add", [CHALLENGE_ENTER] = "enter", [CHALLENGE_PROOF] = "proof"};
    enum challenge_purpose purpose = CHALLENGE_ADD;
    while (purpose < CHALLENGE_PROOF && strcmp(words[purpose], call->request->purpose) != 0)
        purpose++;
    return purpose;
}

int64_t challenge_make(const struct call *call, enum challenge_purpose purpose,
                       uint8_t challenge[static CHALLENGE_BYTES])
{
    struct identity_conn *conn = conn_of_call(call);
    const struct hub_env *env = kernel_env(call->hub);
    env->random(env->ctx, conn->challenge, sizeof conn->challenge);
    conn->purpose = purpose;
    conn->challenge_until_ms = kernel_now_ms(call->hub) + kernel_config(call->hub)->challenge_ms;
    memcpy(challenge, conn->challenge, sizeof conn->challenge);
    return conn->challenge_until_ms;
}

bool challenge_take(const struct call *call, enum challenge_purpose purpose,
                    uint8_t challenge[static CHALLENGE_BYTES])
{
    struct identity_conn *conn = conn_of_call(call);
    const bool good =
        conn->purpose == purpose && kernel_now_ms(call->hub) < conn->challenge_until_ms;
    conn->purpose = CHALLENGE_NONE;
    memcpy(challenge, conn->challenge, sizeof conn->challenge);
    sodium_memzero(conn->challenge, sizeof conn->challenge);
    return good;
}

void challenge_move(const struct call *call, const uint8_t challenge[static CHALLENGE_BYTES])
{
    struct identity_conn *conn = conn_of_call(call);
    memcpy(conn->challenge, challenge, sizeof conn->challenge);
    conn->purpose = CHALLENGE_MOVED;
}

bool challenge_moved(const struct call *call, uint8_t challenge[static CHALLENGE_BYTES])
{
    const struct identity_conn *conn = conn_of_call(call);
    memcpy(challenge, conn->challenge, sizeof conn->challenge);
    return conn->purpose == CHALLENGE_MOVED;
}

void challenge_bring(const struct call *call, const uint8_t challenge[static CHALLENGE_BYTES])
{
    struct identity_conn *conn = conn_of_call(call);
    memcpy(conn->challenge, challenge, sizeof conn->challenge);
    conn->purpose = CHALLENGE_ENTER;
    conn->challenge_until_ms = kernel_now_ms(call->hub) + BROUGHT_MS;
}

int64_t challenge_note_proof(const struct call *call)
{
    struct identity_conn *conn = conn_of_call(call);
    conn->proven_until_ms = kernel_now_ms(call->hub) + kernel_config(call->hub)->proof_ms;
    return conn->proven_until_ms;
}

bool challenge_is_proven(const struct call *call)
{
    return kernel_now_ms(call->hub) < conn_of_call(call)->proven_until_ms;
}
