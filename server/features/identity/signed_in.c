#include "signed_in.h"

#include "external_table.h"
#include "state.h"
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/prometheus.h>
#include <hub/voucher.h>
#include <protocol/json_writer.h>
#include <stdlib.h>

const struct hub_external *signed_in_at(const struct hub *hub)
{
    const struct hub_env *env = kernel_env(hub);
    return env->accounts == HUB_ACCOUNTS_EXTERNAL ? env->external : NULL;
}

bool signed_in_is_way_in(const struct hub *hub, const struct session *session)
{
    return signed_in_at(hub) && signed_in_of(hub, session);
}

const struct signed_in *signed_in_of(const struct hub *hub, const struct session *session)
{
    return identity_of_session(hub, session)->signed_in;
}

void signed_in_keep(struct hub *hub, struct session *session, struct signed_in **made)
{
    struct signed_in **known = &identity_of_session(hub, session)->signed_in;
    if (*known) {
        **known = **made;
    } else {
        *known = *made;
        *made = NULL;
    }
}

void signed_in_note(struct hub *hub, struct session *session, int64_t used_ms)
{
    struct signed_in *known = identity_of_session(hub, session)->signed_in;
    if (known)
        known->used_ms = used_ms;
}

void signed_in_forget(struct hub *hub, struct session *session)
{
    struct identity_session *state = identity_of_session(hub, session);
    free(state->signed_in);
    state->signed_in = NULL;
}

/* The voucher that was used last was made when they had signed in. */
void signed_in_write_kept(const struct hub *hub, const struct session *session,
                          struct writer *writer)
{
    const struct signed_in *known = signed_in_of(hub, session);
    if (!known)
        return;
    writer_key_object(writer, "signed_in");
    writer_key_int(writer, "since", known->since_ms);
    writer_key_int(writer, "last", known->used_ms - VOUCHER_MS);
    writer_end(writer);
}

bool signed_in_restore(struct hub *hub, const struct external_row *row)
{
    struct session *session = kernel_session_find(hub, row->session);
    struct signed_in *made = session ? malloc(sizeof *made) : NULL;
    if (!made)
        return !session;
    *made = (struct signed_in){row->since_ms, row->used_ms};
    signed_in_keep(hub, session, &made);
    free(made);
    return true;
}

void signed_in_count(struct hub *hub, enum external_outcome outcome)
{
    identity_of(hub)->external_outcomes[outcome]++;
}

void signed_in_write_figures(const struct hub *hub, struct buffer *out)
{
    static const char *const words[EXTERNAL_OUTCOMES] = {[EXTERNAL_LINKED] = "linked",
                                                         [EXTERNAL_ENTERED] = "entered",
                                                         [EXTERNAL_REFUSED] = "refused"};
    if (!signed_in_at(hub))
        return;
    prometheus_head(out, "vouchers_total", "counter",
                    "Sign-ins elsewhere that clients have come with, by what came of them.");
    for (int outcome = 0; outcome < EXTERNAL_OUTCOMES; outcome++)
        prometheus_labelled(out, "vouchers_total", "outcome", words[outcome],
                            identity_of(hub)->external_outcomes[outcome]);
}
