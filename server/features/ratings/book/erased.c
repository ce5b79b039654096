#include "erased.h"

#include "rows/rows.h"
#include "rows/state.h"
#include <hub/kernel.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <stdio.h>

/* Its text is the account, 16 hexadecimal digits. */
const char rating_erased_letter[] = "ratings.erased";
enum { ACCOUNT_DIGITS = 16 };

bool rating_tell_erased(struct hub *hub, const struct session *session)
{
    char text[ACCOUNT_DIGITS + 1];
    if (!kernel_account(session))
        return true;
    (void)snprintf(text, sizeof text, "%016" PRIx64, kernel_session_id(session));
    return kernel_send_letter(hub, &(struct kernel_letter){.addressee = LETTER_TO_DESK,
                                                           .kind = rating_erased_letter,
                                                           .text = text,
                                                           .text_len = ACCOUNT_DIGITS,
                                                           .at_end = true}) == 0;
}

enum letter_fate rating_erased_apply(struct hub *hub, const struct store_letter *letter)
{
    uint8_t bytes[ACCOUNT_DIGITS / 2];
    uint64_t account = 0;
    if (letter->text_len != ACCOUNT_DIGITS ||
        !hex_decode(bytes, sizeof bytes, letter->text, ACCOUNT_DIGITS))
        return LETTER_REFUSED;
    for (size_t at = 0; at < sizeof bytes; at++)
        account = account << 8 | bytes[at];
    for (unsigned class = 1; class <= RATING_CLASSES; class ++) {
        const struct standing *standing = ledger_find(&desk_of(hub)->ledger, account, class);
        const struct rating_row row =
            standing ? rating_row_of(standing, "") : (struct rating_row){0};
        if (standing)
            kernel_put_row(hub, &rating_table, &row);
    }
    return LETTER_APPLIED;
}
