/*
 * Lots of an event's rounds, which follow from its secret and from how everybody stands
 * (protocol/events.md, section 3).
 */
#ifndef EVENT_LOTS_H
#define EVENT_LOTS_H

#include <event/event.h>

/* Of round `round`; `numbers` are those who are paired, in their order, and `points` what each has;
 * NULL: nothing. */
void event_begin_lots(struct deal_stream *stream, const struct event *event, unsigned round,
                      const uint8_t secret[static DEAL_SECRET_BYTES], const uint16_t numbers[],
                      const uint32_t points[], unsigned count);

/* For struct pairing_lots; the context is a stream. */
uint32_t event_draw_lot(void *stream, uint32_t n);

/* In any order. */
void event_shuffle(uint16_t numbers[], unsigned count, struct deal_stream *stream);

/* Those of the field, in an order that is drawn once for the whole event; how many. The stream has
 * the lots that follow. */
unsigned event_draw_field(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                          uint16_t numbers[], struct deal_stream *stream);

/* The same by rating, the best first, where equals are in the order that was drawn. */
unsigned event_draw_seeds(const struct event *event, const uint8_t secret[static DEAL_SECRET_BYTES],
                          uint16_t numbers[], struct deal_stream *stream);

#endif
