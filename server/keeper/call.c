#include "call.h"

#include "keeper_private.h"
#include <time.h>

int64_t keeper_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
void keeper_say(const struct keeper *keeper, const char *event, const char *message,
                enum store_result result)
{
    if (keeper->callbacks.say)
        keeper->callbacks.say(event, message, result);
}

bool keeper_begin_call(struct keeper *keeper)
{
    if (keeper->stopping)
        return false;
    keeper->calls++;
    pthread_mutex_unlock(&keeper->mutex);
    return true;
}

void keeper_end_call(struct keeper *keeper)
{
    pthread_mutex_lock(&keeper->mutex);
    keeper->calls--;
    pthread_cond_broadcast(&keeper->changed);
}
