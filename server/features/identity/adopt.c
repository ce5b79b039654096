#include "adopt.h"

#include "adopt_text.h"
#include "adopted.h"
#include "adopting.h"
#include "credential.h"
#include "credential_change.h"
#include "misplaced.h"
#include <assert.h>
#include <hub/call.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_hand.h>
#include <hub/kernel_others.h>
#include <hub/part.h>
#include <hub/secret.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <protocol/reply.h>
#include <stdio.h>
#include <string.h>

const char adopt_letter[] = "identity.adopt";

enum { HASH_BYTES = 32 };

/* A secret as it is in a letter: "t" of a device or "p" of a link or phrase, who adopts, hash. */
struct shown {
    char kind;
    uint64_t heir;
    uint8_t hash[HASH_BYTES];
};

static const char kinds[] = "tp";

/* ---- at the account's home */

/* False: it is none. */
static bool read_secret(const struct call *call, struct shown *shown)
{
    const bool is_token = request_has(call->request, REQUEST_TOKEN);
    *shown = (struct shown){.kind = is_token ? 't' : 'p', .heir = kernel_session_id(call->session)};
    if (is_token)
        return secret_hash_token(shown->hash, call->request->token);
    secret_hash_code(shown->hash, call->request->pass);
    return true;
}

static const char *field_of(const struct shown *shown)
{
    return shown->kind == 't' ? "token" : "pass";
}

static enum protocol_error why_unknown(const struct shown *shown)
{
    return shown->kind == 't' ? PROTOCOL_UNKNOWN_TOKEN : PROTOCOL_UNKNOWN_PASS;
}

/* Here, or in another part of which this one knows that. */
static bool is_here(const struct hub *hub, const struct shown *shown)
{
    const struct hub_env *env = kernel_env(hub);
    return part_of_secret(shown->hash, env->parts) == env->part &&
           misplaced_find(hub, shown->hash) < 0;
}

/* What can be said at once, of *guest. Where the secret leads elsewhere it is said there, a moment
 * later. */
static enum protocol_error adopt_allowed(const struct call *call, const struct shown *shown,
                                         const struct session **guest)
{
    const struct credential *credential =
        credential_find(call->hub, shown->hash, shown->kind == 't');
    *guest = credential ? credential->session : NULL;
    if (!is_here(call->hub, shown))
        return PROTOCOL_OK;
    return *guest ? adopting_allowed(call->hub, *guest, shown->heir) : why_unknown(shown);
}

/*
 * Addressed by what leads to the part that has the secret, however the site is divided. As a
 * session's number it is nobody's: those are larger.
 */
static uint64_t addressee_of(const uint8_t hash[static HASH_BYTES])
{
    return (uint64_t)hash[28] << 24 | (uint64_t)hash[29] << 16 | (uint64_t)hash[30] << 8 | hash[31];
}

static int send_shown(struct hub *hub, const struct shown *shown, uint64_t addressee,
                      uint64_t session)
{
    char hash[2 * HASH_BYTES + 1], text[ADOPT_LETTER_BYTES];
    hex_encode(hash, shown->hash, sizeof shown->hash);
    const int len =
        snprintf(text, sizeof text, "%c %016" PRIx64 " %s", shown->kind, shown->heir, hash);
    return kernel_send_letter(hub, &(struct kernel_letter){.addressee = addressee,
                                                           .kind = adopt_letter,
                                                           .text = text,
                                                           .text_len = (size_t)len,
                                                           .session = session});
}

static void carry_nothing_out(struct hub *hub, struct session *session,
                              struct kernel_change *change)
{
    (void)hub;
    (void)session;
    (void)change;
}

static void destroy_nothing(struct kernel_change *change)
{
    (void)change;
}

static const struct kernel_change_type asked_type = {.carry_out = carry_nothing_out,
                                                     .destroy = destroy_nothing};
static struct kernel_change asked = {&asked_type}; /* all of it is in the letter */

/* It is asked for; the answer says that this is durable. */
static void ask_for_it(const struct call *call, const struct shown *shown)
{
    struct hub *hub = call->hub;
    struct reply reply;
    if (kernel_reserve(hub, 0, 0) == 0 &&
        send_shown(hub, shown, addressee_of(shown->hash), shown->heir) == 0) {
        call_reply_begin(call, &reply);
        if (kernel_change_answered(call, call->session, &reply, &asked) == 0)
            return;
    }
    call_error(call, PROTOCOL_INTERNAL, NULL);
}

static void refuse_adopt(const struct call *call, const struct shown *shown,
                         const struct session *guest, enum protocol_error error)
{
    if (error == PROTOCOL_UNKNOWN_TOKEN || error == PROTOCOL_UNKNOWN_PASS)
        call_refuse_guess(call, error, field_of(shown));
    else if (error == PROTOCOL_BANNED)
        call_error_until(call, error, kernel_barred_until_ms(call->hub, guest));
    else
        call_error(call, error, error == PROTOCOL_ALREADY_ACCOUNT ? field_of(shown) : NULL);
}

/* By one secret, of which there is no second. */
static bool has_secret(const struct request *request)
{
    return request_has(request, REQUEST_TOKEN) != request_has(request, REQUEST_PASS);
}

void op_adopt(struct call *call)
{
    const struct session *guest = NULL;
    struct shown shown;
    if (!kernel_needs_account(call))
        return;
    if (!has_secret(call->request)) {
        call_error(call, PROTOCOL_BAD_FIELD,
                   request_has(call->request, REQUEST_PASS) ? "pass" : "token");
        return;
    }
    enum protocol_error error = credential_change_allowed(call, call->session);
    const bool is_one = read_secret(call, &shown);
    if (error == PROTOCOL_OK)
        error = is_one ? adopt_allowed(call, &shown, &guest) : PROTOCOL_UNKNOWN_TOKEN;
    if (error == PROTOCOL_OK)
        ask_for_it(call, &shown);
    else
        refuse_adopt(call, &shown, guest, error);
}

/* ---- where the secret leads */

static bool read_shown(const struct store_letter *letter, struct shown *shown)
{
    struct adopt_text text = adopt_text_of(letter);
    shown->kind = adopt_text_word(&text, kinds);
    shown->heir = adopt_text_number(&text, ADOPT_ID_DIGITS);
    adopt_text_bytes(&text, shown->hash, sizeof shown->hash);
    return adopt_text_is_read(&text) && shown->heir != 0;
}

enum letter_fate adopt_apply(struct hub *hub, const struct store_letter *letter)
{
    struct shown shown;
    if (!read_shown(letter, &shown))
        return LETTER_REFUSED;
    const int home = misplaced_find(hub, shown.hash);
    const struct credential *credential = credential_find(hub, shown.hash, shown.kind == 't');
    if (home >= 0) /* of a part, whose number leads to it */
        return send_shown(hub, &shown, (uint64_t)home, 0) < 0 ? LETTER_LATER : LETTER_APPLIED;
    const enum protocol_error error =
        credential ? adopting_allowed(hub, credential->session, shown.heir) : why_unknown(&shown);
    const int sent = error == PROTOCOL_OK ? adopting_begin(hub, credential->session, shown.heir)
                                          : adopt_tell(hub, shown.heir, error);
    return sent < 0 ? LETTER_LATER : LETTER_APPLIED;
}
