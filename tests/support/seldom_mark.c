/*
 * Every assertion of Check writes to a file where it is, so that a test that crashes can be told
 * the place: "after this point". That was a fifth of the processor time of whole programs. Linking
 * puts this in its place, which writes one for each tick of a coarse clock: what is said after a
 * crash stays true. An assertion that fails says by itself where it is.
 */
#include <time.h>

void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);

void __wrap__mark_point(const char *file, int line)
{
    static struct timespec last;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    if (now.tv_sec == last.tv_sec && now.tv_nsec == last.tv_nsec)
        return;
    last = now;
    __real__mark_point(file, line);
}
