/*
 * What an operator may do to people: a banned session or network cannot connect, a silenced one
 * cannot speak, each until some time. All of it is one document of the site, "bans".
 */
#ifndef MODERATION_MODERATION_H
#define MODERATION_MODERATION_H

#include <features/feature.h>

extern const struct feature feature_moderation;

#endif
