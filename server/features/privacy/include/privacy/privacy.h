/*
 * What a server keeps of people, how long, and who sees it: a page at "/privacy/LANGUAGE", made of
 * a template and of the configuration that this server goes by, so that it promises nothing else.
 * Each template names all tables of the store, which tests/lint/privacy.py sees. And what is kept
 * of whoever asks, as far as other operations do not show it. It keeps nothing.
 */
#ifndef PRIVACY_PRIVACY_H
#define PRIVACY_PRIVACY_H

#include <features/feature.h>

extern const struct feature feature_privacy;

#endif
