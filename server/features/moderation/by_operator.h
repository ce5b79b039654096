/* `reports`, `report` and `judge`, which the operator asks of the desk; and who else may. */
#ifndef MODERATION_BY_OPERATOR_H
#define MODERATION_BY_OPERATOR_H

#include <features/feature.h>

enum { OPERATIONS = 5 };
extern const struct operator_row operations[OPERATIONS];

#endif
