/*
 * All features that a server has, one line each in registry.c.
 */
#ifndef REGISTRY_REGISTRY_H
#define REGISTRY_REGISTRY_H

#include <features/feature.h>

/* For hub_env.features: NULL at the end. What they add to `hello` comes in this order. */
extern const struct feature *const registry[];

#endif
