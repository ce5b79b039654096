/* Which threads signals are for: that of the loop alone. */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

/*
 * What tells a program to end, or to read its files again, does not reach the calling thread any
 * more. A process is killed by it while one thread hears it and nobody has asked for it.
 */
void signals_block(void);

#endif
