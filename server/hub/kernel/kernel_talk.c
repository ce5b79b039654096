#include <hub/kernel_talk.h>

#include "connections/conn.h"
#include "feature_table.h"
#include "gate.h"
#include "hub_private.h"
#include "limits/address.h"
#include "sessions/session.h"
#include <hub/bucket.h>
#include <hub/call.h>
#include <hub/kernel_account.h>

bool kernel_is_quiet(const struct call *call)
{
    const struct kernel_account *account = call->session->account;
    return call->conn->quiet || (account && account->shown.quiet);
}

int64_t kernel_silenced_until_ms(const struct call *call)
{
    return features_barred_until_ms(call->hub, BAR_SPEAK, call->session->id,
                                    &call->conn->address->prefix);
}

bool kernel_take_say(const struct call *call)
{
    const struct hub *hub = call->hub;
    struct bucket *const own = &call->session->says, *const address = &call->conn->address->says;
    if (!bucket_has(own, &hub->rules.says, hub->now_ms) ||
        !bucket_has(address, &hub->rules.address_says, hub->now_ms))
        return false;
    bucket_take(own, &hub->rules.says, hub->now_ms);
    bucket_take(address, &hub->rules.address_says, hub->now_ms);
    return true;
}

bool kernel_hides(const struct hub *hub, const struct session *session, uint64_t speaker)
{
    return features_hide(hub, session, speaker);
}

bool kernel_knows_blocks(struct call *call)
{
    return gate_lets_pass(call);
}
