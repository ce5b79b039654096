/* Which threads signals are for: that of the loop alone. */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <signal.h>

/*
 * What tells a program to end, or to read its files again, does not reach the calling thread any
 * more. A process is killed by it while one thread hears it and nobody has asked for it.
 */
void signals_block(void);

/*
 * Around whatever may start threads of a library, which cannot say so themselves: those that are
 * started in between hear none of these, the calling thread hears them again behind it.
 */
void signals_hold(sigset_t *before);
void signals_release(const sigset_t *before);

#endif
