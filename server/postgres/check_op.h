/* What an op of a batch needs, before anything is sent. */
#ifndef POSTGRES_CHECK_OP_H
#define POSTGRES_CHECK_OP_H

#include "write.h"

/* And what it changes of the ends of the logs; false: it is refused, and the message says why. */
bool write_check_op(struct db *db, struct pg_log_ends *log_ends,
                    const struct write_request *request, const struct store_op *op);

#endif
