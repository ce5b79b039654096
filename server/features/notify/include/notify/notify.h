/*
 * Messages to browsers (Web Push) that it is their player's turn: where the browsers of a session
 * take them (`notify`, `unnotify`), who is told and when, and what is due. By the rules and through
 * the door of hub/push.h, which threads of the hub's caller send by.
 */
#ifndef NOTIFY_NOTIFY_H
#define NOTIFY_NOTIFY_H

#include <features/feature.h>

extern const struct feature feature_notify;

#endif
