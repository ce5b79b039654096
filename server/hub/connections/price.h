/*
 * What a request costs. Every request takes one token; an answer that is long, or that had to be
 * encoded anew, is charged for afterwards, when its length is known. The client is then in debt,
 * and its requests are refused with `slow_down` until the buckets have been refilled.
 *
 * Three buckets are charged: the connection's, its address's, and for long answers the server's
 * own, which bounds what all of them together may cost in one turn of the loop.
 */
#ifndef HUB_PRICE_H
#define HUB_PRICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address;
struct conn;
struct hub;

/*
 * Fetching a room and playing it again is as much work as encoding so many bytes. A record is
 * short, but the whole match is played again for it too: to play one of its events again is as much
 * as encoding so many (tests/bench/past.mjs: 120 us for 87 events, and a ping 10 to 30).
 */
enum { PRICE_FETCH_BYTES = 16384, PRICE_EVENT_BYTES = 384 };

/* Takes a token of the connection and one of its address. False: one of them had none. */
bool price_take(const struct hub *hub, struct conn *conn);

/*
 * May a long answer be made now? Half of what the server has for them is kept for addresses that
 * have used little of their own.
 */
bool price_allows_work(const struct hub *hub, const struct address *address);

/* A long answer is made, and costs that much at least, however short it is. */
void price_take_work(struct hub *hub);
/* In how many milliseconds one may be made; 0: now. */
int64_t price_work_wait_ms(const struct hub *hub, const struct address *address);

/* In how many milliseconds both would be granted, if nothing else is asked until then; 0: now. */
int64_t price_wait_ms(const struct hub *hub, const struct conn *conn, bool long_answer);

/* Charges for an answer of so many bytes, of which so many were encoded for it alone. */
void price_charge(struct hub *hub, struct conn *conn, size_t sent_bytes, size_t encoded_bytes);

/*
 * The same for who has no connection here but asks by HTTP: a token of the address and leave for a
 * long answer; and the charge for one.
 */
bool price_take_http(const struct hub *hub, struct address *address);
void price_charge_http(struct hub *hub, struct address *address, size_t encoded_bytes);
/*
 * For a page that a worker makes, which is the address's alone: it costs the loop nothing. Drawing
 * a table (3 to 5 ms) takes as long as so many pings.
 */
enum { PRICE_PAGE_TOKENS = 300 };
void price_charge_page(struct hub *hub, struct address *address);

#endif
