#include "gate.h"

#include "hub_private.h"
#include <assert.h>
#include <hub/call.h>

/* NULL: nobody asks. */
static const struct feature *feature_of(const struct call *call)
{
    const struct feature *const *feature = call->hub->features.list;
    while (*feature && !(*feature)->gate)
        feature++;
    return *feature;
}

bool gate_lets_pass(struct call *call)
{
    const struct feature *feature = feature_of(call);
    return call->passes || !feature || feature->gate(call);
}

bool gate_held(struct call *call, const struct store_query *query)
{
    const struct feature *feature = feature_of(call);
    assert(feature && "it has held it");
    return feature->held(call, query);
}
