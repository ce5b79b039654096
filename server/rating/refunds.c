#include <rating/refunds.h>

#include <stdlib.h>
#include <string.h>

struct refunds_entry {
    uint32_t first; /* of its losses */
    uint8_t class;  /* 0: it is no match */
    uint8_t losses;
    bool annulled;
};

void refunds_release(struct refunds *refunds)
{
    free(refunds->entries);
    free(refunds->losses);
    *refunds = (struct refunds){0};
}

/* Place for one more entry and its losses. */
static int reserve_entry(struct refunds *refunds)
{
    enum { FIRST = 1024 };
    if (refunds->count == refunds->size) {
        const size_t size = refunds->size ? 2 * refunds->size : FIRST;
        struct refunds_entry *entries = realloc(refunds->entries, size * sizeof *entries);
        if (!entries)
            return -1;
        refunds->entries = entries;
        refunds->size = size;
    }
    if (refunds->loss_count + RATING_SEATS > refunds->loss_size) {
        const size_t size = refunds->loss_size ? 2 * refunds->loss_size : FIRST;
        struct book_refund *losses = realloc(refunds->losses, size * sizeof *losses);
        if (!losses)
            return -1;
        refunds->losses = losses;
        refunds->loss_size = size;
    }
    return 0;
}

void refunds_of(const struct book_match *match, struct book_annul *annul)
{
    annul->class = match->class;
    annul->refunds = 0;
    for (unsigned i = 0; i < match->seats; i++) {
        const struct book_seat *seat = &match->seat[i];
        if (seat->after.strength >= seat->before.strength)
            continue;
        const uint32_t points = seat->before.strength - seat->after.strength;
        annul->refund[annul->refunds++] =
            (struct book_refund){.account = seat->account,
                                 .points = points < BOOK_REFUND_MAX ? points : BOOK_REFUND_MAX};
    }
}

static void note_losses(struct refunds *refunds, const struct book_match *match,
                        struct refunds_entry *noted)
{
    struct book_annul losses;
    refunds_of(match, &losses);
    noted->class = match->class;
    noted->losses = (uint8_t)losses.refunds;
    for (unsigned i = 0; i < losses.refunds; i++)
        refunds->losses[refunds->loss_count++] = losses.refund[i];
}

int refunds_follow(struct refunds *refunds, const struct book_entry *entry)
{
    if (reserve_entry(refunds) < 0)
        return -1;
    struct refunds_entry *noted = &refunds->entries[refunds->count++];
    *noted = (struct refunds_entry){.first = (uint32_t)refunds->loss_count};
    if (entry->kind == BOOK_MATCH)
        note_losses(refunds, &entry->u.match, noted);
    if (entry->kind == BOOK_ANNUL)
        refunds->entries[entry->u.annul.of - 1].annulled = true;
    return 0;
}

bool refunds_fill(const struct refunds *refunds, struct book_annul *annul)
{
    if (annul->of < 1 || annul->of > refunds->count)
        return false;
    const struct refunds_entry *noted = &refunds->entries[annul->of - 1];
    if (noted->class == 0 || noted->annulled)
        return false;
    annul->class = noted->class;
    annul->refunds = noted->losses;
    for (unsigned i = 0; i < annul->refunds; i++)
        annul->refund[i] = refunds->losses[noted->first + i];
    return true;
}
