/* How callbacks are called, and the time. */
#ifndef KEEPER_CALL_H
#define KEEPER_CALL_H

#include <hub/store.h>
#include <stdbool.h>
#include <stdint.h>

struct keeper;

int64_t keeper_now_ms(void); /* with all time in which we stood still */
/* As keeper_callbacks.say. */
void keeper_say(const struct keeper *keeper, const char *event, const char *message,
                enum store_result result);

/* Around a callback, with the mutex held, which it is called without. False: none is called any
 * more. */
bool keeper_begin_call(struct keeper *keeper);
void keeper_end_call(struct keeper *keeper);

#endif
