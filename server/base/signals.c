#include <base/signals.h>

#include <signal.h>
#include <stddef.h>

static void block_signals(sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

void signals_block(void)
{
    block_signals(NULL);
}

void signals_hold(sigset_t *before)
{
    block_signals(before);
}

void signals_release(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}
