#include <registry/registry.h>

#include <card/card.h>
#include <events/events.h>
#include <friends/friends.h>
#include <history/history.h>
#include <identity/identity.h>
#include <moderation/moderation.h>
#include <notify/notify.h>
#include <others/others.h>
#include <people/people.h>
#include <privacy/privacy.h>
#include <ratings/ratings.h>
#include <stddef.h>

const struct feature *const registry[] = {
    &feature_identity, &feature_history, &feature_moderation, &feature_notify,
    &feature_others,   &feature_people,  &feature_ratings,    &feature_card,
    &feature_friends,  &feature_privacy, &feature_events,     NULL,
};
