#include "signed_in.h"

#include "external_table.h"
#include "state.h"
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/prometheus.h>

const struct hub_external *signed_in_at(const struct hub *hub)
{
    const struct hub_env *env = kernel_env(hub);
    return env->accounts == HUB_ACCOUNTS_EXTERNAL ? env->external : NULL;
}

bool signed_in_is_way_in(const struct hub *hub, const struct session *session)
{
    return signed_in_at(hub) && identity_of_session(hub, session)->external_ms != 0;
}

bool signed_in_restore(struct hub *hub, const struct external_row *row)
{
    struct session *session = kernel_session_find(hub, row->session);
    if (session)
        identity_of_session(hub, session)->external_ms = row->since_ms;
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
