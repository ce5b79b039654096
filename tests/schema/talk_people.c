#include "talk_people.h"

#include "driver.h"

void talk_accounts(void)
{
    struct client *ana = &clients[0], *bo = &clients[1];
    ask(ana, "\"op\":\"claim\",\"handle\":\"ana-1903\"}");
    ask(bo, "\"op\":\"profile\",\"handle\":\"ana-1903\"}");
    ask(ana, "\"op\":\"profile_show\",\"hidden\":true}");
    ask(bo, "\"op\":\"profile\",\"handle\":\"ana-1903\"}");
    ask(bo, "\"op\":\"profile\",\"handle\":\"nobody\"}");
    ask(ana, "\"op\":\"profile_show\",\"hidden\":false}");
    ask(ana, "\"op\":\"invite\"}");
    ask(bo, "\"op\":\"redeem\",\"invite\":\"7zk3f09qa5vtd2e8r1x6mhbw4cbv\"}");
    ask(bo, "\"op\":\"claim\",\"handle\":\"m0derator\"}");
    ask(ana, "\"op\":\"claim\",\"handle\":\"Hanna\"}");
    ask(ana, "\"op\":\"claim\",\"handle\":\"ana-1903\"}");
    ask(ana, "\"op\":\"close_account\",\"handle\":\"Hanna\"}");
    ask(ana, "\"op\":\"keep_account\"}");
}

/* What nobody has signed is refused: no passkey is ever made here. */
void talk_passkeys(void)
{
    struct client *ana = &clients[0];
    ask(ana, "\"op\":\"passkeys\"}");
    ask(ana, "\"op\":\"passkey\",\"for\":\"add\"}");
    ask(ana,
        "\"op\":\"passkey_add\",\"passkey\":{\"client_data\":\"eyJ0\",\"attestation\":\"o2Nm\"}}");
    ask(ana, "\"op\":\"passkey_drop\",\"key\":\"00000000\"}");
    ask(ana, "\"op\":\"prove\",\"pass\":\"7zk3f09qa5vtd2e8r1x6mhbw4cbv\"}");
}

/* Two who have a handle each are paired; what their match has made of their ratings is not seen. */
void talk_quick_match(void)
{
    struct client *ana = &clients[0], *bo = &clients[1];
    char room[16];
    ask(bo, "\"op\":\"claim\",\"handle\":\"bo-1904\"}");
    ask(ana, "\"op\":\"block\",\"handle\":\"bo-1904\"}");
    ask(ana, "\"op\":\"blocks\"}");
    ask(ana, "\"op\":\"unblock\",\"handle\":\"bo-1904\"}");
    ask(ana, "\"op\":\"create\"}");
    (void)snprintf(room, sizeof room, "%s", ok_text(ana, "room"));
    ask(ana, "\"op\":\"join\",\"room\":\"%s\"}", room);
    ask(bo, "\"op\":\"join\",\"room\":\"%s\"}", room);
    ask(ana, "\"op\":\"report\",\"room\":\"%s\",\"seat\":1,\"why\":\"talk\",\"text\":\"Hm.\"}",
        room);
    ask(bo, "\"op\":\"heed\"}");
    ask(ana, "\"op\":\"leave\",\"room\":\"%s\"}", room);
    ask(bo, "\"op\":\"leave\",\"room\":\"%s\"}", room);
    ask(ana, "\"op\":\"seek\"}");
    ask(ana, "\"op\":\"unseek\"}");
    /* All come from one address: they are put together if they name each other, and not rated. */
    ask(bo, "\"op\":\"seek\",\"handle\":\"Hanna\",\"options\":{\"clocks\":[\"fast\",\"calm\"]}}");
    ask(ana, "\"op\":\"seek\",\"handle\":\"nobody\"}");
    ask(ana,
        "\"op\":\"seek\",\"game\":\"taluva\",\"options\":{\"sizes\":[2],\"clocks\":[\"calm\"]},"
        "\"handle\":\"bo-1904\"}");
    pass(3000);
    ask(bo, "\"op\":\"unseek\"}"); /* and so ana seeks on */
    pass(3000);
}
