/*
 * What is durable, held against the independent readings of the rules: taluva_reference.h and
 * totem_reference.h.
 */
#ifndef SIM_ORACLE_RULES_H
#define SIM_ORACLE_RULES_H

#include "oracle.h"
#include <room/event.h>

/*
 * To be called for each event, once the truth holds it. NULL: the event, and what the server says
 * after it, are as the rules have it; else a phrase that says what is not.
 */
const char *oracle_broken_rule(struct truth *truth, const struct room_event *event);

#endif
