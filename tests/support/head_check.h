/*
 * Does the head of a message (hub/hub.h) say what the message says? A second reading of what a hub
 * sends, by its text alone.
 */
#ifndef HEAD_CHECK_H
#define HEAD_CHECK_H

#include <hub/hub.h>
#include <jansson.h>
#include <stdbool.h>

/* NULL: it does; else what it does not. */
const char *head_check(const struct hub_head *head, const json_t *message);
/* The same of what a site passes on, of whose pushes it says less. */
const char *head_check_passed_on(const struct hub_head *head, const json_t *message);

#endif
