/*
 * Identity: who somebody is. What opens a session (its devices, links and recovery phrase), who
 * says hello with it, and what a session's player does about them.
 */
#ifndef IDENTITY_IDENTITY_H
#define IDENTITY_IDENTITY_H

struct feature;

extern const struct feature feature_identity;

#endif
