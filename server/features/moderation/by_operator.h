/* `reports`, `report` and `judge`: what the operator asks of the desk. */
#ifndef MODERATION_BY_OPERATOR_H
#define MODERATION_BY_OPERATOR_H

#include <features/feature.h>

enum { OPERATIONS = 3 };
extern const struct operator_row operations[OPERATIONS];

#endif
