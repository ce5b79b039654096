/* The document of the bans, for what in the feature changes it. */
#ifndef MODERATION_BANS_H
#define MODERATION_BANS_H

#include <features/feature.h>

extern const struct feature_document bans_document;

#endif
