/*
 * The account of a session as the kernel has it (hub/kernel.h): a fact, whoever knows how it came
 * about.
 */
#ifndef HUB_KERNEL_ACCOUNT_H
#define HUB_KERNEL_ACCOUNT_H

#include <protocol/account.h>
#include <stdint.h>

enum { KERNEL_USER_ID_BYTES = 16 };
struct kernel_account {
    struct protocol_account shown;
    uint8_t user_id[KERNEL_USER_ID_BYTES]; /* of one that is at home elsewhere: zeros */
    uint64_t owner; /* of a program's: the session that has made it; 0: it is none, or its home has
                       not said so */
};

#endif
