/*
 * What becomes of a table that was opened for those who go together. To be ready there is to accept
 * it. Once the match has begun nobody of them seeks any more; if it does not begin in time, or
 * somebody goes, the table is taken back: whoever has accepted seeks on, with the place of before,
 * and who has not seeks no more.
 */
#ifndef RATINGS_OFFER_H
#define RATINGS_OFFER_H

#include "waiting/waiting.h"

struct hub;

/* A seat that is kept for who seeks. It is the desk's. */
struct offer_row {
    uint64_t session;
    int64_t until_ms;
    char room[PROTOCOL_ROOM_BYTES + 1];
};

extern const struct store_table offer_table;

/* Of a seek that is there already. */
void offers_restore(struct hub *hub, const struct offer_row *row);
/* Does the table of that one's offer wait for who has not accepted? Else the offer ends with the
 * next look. */
bool offer_waits(const struct hub *hub, size_t at);
/* What is due. */
void offers_look(struct hub *hub);

#endif
