/*
 * How long a thread keeps the processor once it has it, where others want it too. Whoever wakes
 * interrupts those alone whose turns are longer, whatever the priorities; shares stay as they are.
 * So what is to be done at once, and is short, has short turns, and what may wait long ones.
 *
 * Linux knows that since 6.12; elsewhere, or where it is not allowed, this does nothing.
 */
#ifndef BASE_TURN_H
#define BASE_TURN_H

#include <stdint.h>

/* Of the calling thread; 100 us to 100 ms. */
void turn_set_us(int64_t us);

#endif
