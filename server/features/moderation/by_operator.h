/* `reports`, `report` and `judge`, which the operator asks of the desk; who else may; and the
 * lobby.
 */
#ifndef MODERATION_BY_OPERATOR_H
#define MODERATION_BY_OPERATOR_H

#include <features/feature.h>

enum { OPERATIONS = 8 };
extern const struct operator_row operations[OPERATIONS];

#endif
