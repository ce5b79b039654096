#include "erased.h"

#include "entering.h"
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

static void drop_ratings(struct hub *hub, uint64_t account)
{
    for (unsigned class = 1; class <= RATING_CLASSES; class ++) {
        if (ledger_find(&desk_of(hub)->ledger, account, class))
            kernel_drop_row(hub, &rating_table,
                            &(struct rating_row){.account = account, .class = (uint8_t) class});
    }
}

/* One that was never rated is in no book. */
enum letter_fate rating_erased_apply(struct hub *hub, const struct store_letter *letter)
{
    struct book_entry entry = {.kind = BOOK_GONE};
    uint8_t bytes[ACCOUNT_DIGITS / 2];
    if (letter->text_len != ACCOUNT_DIGITS ||
        !hex_decode(bytes, sizeof bytes, letter->text, ACCOUNT_DIGITS))
        return LETTER_REFUSED;
    for (size_t at = 0; at < sizeof bytes; at++)
        entry.u.gone = entry.u.gone << 8 | bytes[at];
    if (!ledger_is_rated(&desk_of(hub)->ledger, entry.u.gone))
        return LETTER_APPLIED;
    struct entering *entering = entering_begin_gone(hub, entry.u.gone);
    if (!entering)
        return LETTER_LATER;
    drop_ratings(hub, entry.u.gone);
    entering_line(hub, entering, &entry);
    entering_end(hub, entering);
    return LETTER_APPLIED;
}
