#include "letter_bound.h"

/* What nobody has asked for is counted with nothing: from the first possible id to none. */
bool letter_bound_params(const struct store_op *op, struct params *params)
{
    const struct store_letter *letter = op->kind == STORE_PUT_ROW ? op->u.row.row : NULL;
    uint64_t first, last;
    if (!letter)
        return false;
    const bool asked = store_letter_senders(letter->id, &first, &last);
    *params = (struct params){0};
    params_add_number(params, op->within.per_addressee);
    params_add_number(params, (int64_t)letter->addressee);
    params_add_number(params, asked ? op->within.per_sender : 1);
    params_add_number(params, asked ? (int64_t)first : 1);
    params_add_number(params, asked ? (int64_t)last : 0);
    return true;
}
