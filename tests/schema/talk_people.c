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
    ask(bo, "\"op\":\"sign_in\",\"voucher\":\""
            "AAABn0k3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm"
            "9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xQ."
            "w8Zc0mH3uWq2bLr5tYv7eKx1nJp4sDf6gAhC9iBoUQk\"}");
    ask(bo, "\"op\":\"sign_in_drop\"}");
    ask(bo, "\"op\":\"claim\",\"handle\":\"m0derator\"}");
    ask(ana, "\"op\":\"claim\",\"handle\":\"Hanna\"}");
    ask(ana, "\"op\":\"claim\",\"handle\":\"ana-1903\"}");
    ask(ana, "\"op\":\"adopt\",\"token\":\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\"}");
    ask(ana, "\"op\":\"close_account\",\"handle\":\"Hanna\"}");
    ask(ana, "\"op\":\"keep_account\"}");
    ask(ana, "\"op\":\"quiet\",\"on\":true}");
    ask(ana, "\"op\":\"say\",\"room\":\"k3m9x0aq\",\"text\":\"hi\"}");
    ask(ana, "\"op\":\"quiet\",\"on\":false}");
}

/* Of the token that the last reply lists first. */
static const char *key_of(const struct client *client)
{
    const json_t *tokens = json_object_get(ok_of(client), "tokens");
    return json_string_value(json_object_get(json_array_get(tokens, 0), "key"));
}

/* A program that is let in by its token, and asks for more than it is for. */
void talk_programs(struct client *robot)
{
    struct client *ana = &clients[0];
    char token[64];
    ask(ana, "\"op\":\"bot_account\",\"handle\":\"ana-bot\"}");
    ask(ana, "\"op\":\"bots\"}");
    ask(ana, "\"op\":\"token_add\",\"handle\":\"ana-bot\",\"name\":\"evening\","
             "\"scope\":\"play room\",\"days\":90}");
    (void)snprintf(token, sizeof token, "%s", ok_text(ana, "token"));
    ask(ana, "\"op\":\"export\"}");
    ask(ana, "\"op\":\"invites\"}");
    ask(ana, "\"op\":\"kept\"}");
    ask(ana, "\"op\":\"kept_at_desk\"}");
    ask(ana, "\"op\":\"tokens\",\"handle\":\"ana-bot\"}");
    disconnect(robot);
    connect_client(robot);
    ask(robot, "\"op\":\"hello\",\"token\":\"%s\"}", token);
    ask(robot, "\"op\":\"games\"}");
    ask(robot, "\"op\":\"seek\"}");
    ask(ana, "\"op\":\"token_drop\",\"handle\":\"ana-bot\",\"key\":\"%s\"}", key_of(ana));
    disconnect(robot);
    connect_client(robot);
    ask(robot, "\"op\":\"hello\"}");
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
    ask(ana, "\"op\":\"follow\",\"handle\":\"bo-1904\"}");
    ask(bo, "\"op\":\"follow\",\"handle\":\"ana-1903\"}");
    ask(ana, "\"op\":\"friends\"}");
    ask(bo, "\"op\":\"presence\",\"hidden\":true}");
    ask(ana, "\"op\":\"friends\"}");
    ask(bo, "\"op\":\"friends\"}");
    ask(ana, "\"op\":\"unfollow\",\"handle\":\"bo-1904\"}");
    ask(ana, "\"op\":\"create\"}");
    (void)snprintf(room, sizeof room, "%s", ok_text(ana, "room"));
    ask(ana, "\"op\":\"join\",\"room\":\"%s\"}", room);
    ask(bo, "\"op\":\"join\",\"room\":\"%s\"}", room);
    ask(ana, "\"op\":\"report\",\"room\":\"%s\",\"seat\":1,\"why\":\"talk\",\"text\":\"Hm.\"}",
        room);
    ask(bo, "\"op\":\"heed\"}");
    ask(bo, "\"op\":\"appeal\",\"judgement\":1,\"text\":\"Not me.\"}");
    ask(ana, "\"op\":\"cases\"}");
    ask(ana, "\"op\":\"cases\",\"case\":1}");
    ask(ana, "\"op\":\"judge\",\"case\":1,\"verdict\":\"warn\",\"why\":\"talk\"}");
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

/* Two who have a handle each; who hears it all the time waits for what the other says. */
void talk_lobby(void)
{
    struct client *ana = &clients[0], *bo = &clients[1];
    json_int_t line;
    ask(bo, "\"op\":\"chat\"}");
    ask(bo, "\"op\":\"chat\",\"have\":%" JSON_INTEGER_FORMAT "}",
        json_integer_value(json_object_get(ok_of(bo), "have")));
    ask(ana, "\"op\":\"chat_say\",\"text\":\"Anybody for four players?\"}");
    line = json_integer_value(json_object_get(ok_of(ana), "line"));
    ask(ana, "\"op\":\"chat_say\",\"text\":\"See www.example.org\"}");
    ask(bo,
        "\"op\":\"chat_report\",\"line\":%" JSON_INTEGER_FORMAT
        ",\"why\":\"talk\",\"text\":\"Hm.\"}",
        line);
    ask(ana, "\"op\":\"kept_at_desk\"}");
    ask(bo, "\"op\":\"kept_at_desk\"}");
    ask(ana, "\"op\":\"chat_drop\",\"line\":%" JSON_INTEGER_FORMAT "}", line);
    ask(ana, "\"op\":\"chat_drop\",\"line\":%" JSON_INTEGER_FORMAT "}", line);
}

/* ana directs an event that she and bo are to play, and decides their match. */
void talk_events(void)
{
    struct client *ana = &clients[0], *bo = &clients[1], *other = &clients[2];
    char event[16];
    ask(ana, "\"op\":\"ping\"}");
    const json_int_t time = json_integer_value(json_object_get(ok_of(ana), "time"));
    ask(ana,
        "\"op\":\"event_make\",\"title\":\"Friday\",\"rules\":{\"form\":\"robin\",\"most\":2,"
        "\"guests\":true,\"check_in_s\":5,\"start\":%" JSON_INTEGER_FORMAT "}}",
        time + 5000);
    (void)snprintf(event, sizeof event, "%s", ok_text(ana, "event"));
    ask(bo, "\"op\":\"events\"}");
    ask(bo, "\"op\":\"event\",\"event\":\"00000000\"}");
    ask(bo, "\"op\":\"event_leave\",\"event\":\"%s\"}", event);
    ask(ana, "\"op\":\"event_enter\",\"event\":\"%s\"}", event);
    ask(bo, "\"op\":\"event_enter\",\"event\":\"%s\"}", event);
    ask(other, "\"op\":\"event_enter\",\"event\":\"%s\"}", event);
    ask(bo, "\"op\":\"event_leave\",\"event\":\"%s\"}", event);
    ask(bo, "\"op\":\"event_enter\",\"event\":\"%s\"}", event);
    ask(ana, "\"op\":\"event_here\",\"event\":\"%s\"}", event);
    ask(bo, "\"op\":\"event_here\",\"event\":\"%s\"}", event);
    ask(ana, "\"op\":\"kept_at_desk\"}");
    pass(6000); /* it begins, and there is a room */
    ask(bo, "\"op\":\"event\",\"event\":\"%s\"}", event);
    ask(bo, "\"op\":\"event_here\",\"event\":\"%s\"}", event);
    ask(bo, "\"op\":\"event_act\",\"event\":\"%s\",\"act\":{\"what\":\"off\"},\"text\":\"Hm.\"}",
        event);
    ask(ana,
        "\"op\":\"event_act\",\"event\":\"%s\",\"act\":{\"what\":\"judge\",\"round\":1,"
        "\"table\":1,\"places\":[1,2]},\"text\":\"Bo has to go.\"}",
        event);
    ask(ana, "\"op\":\"event_log\",\"event\":\"%s\"}", event);
    ask(ana, "\"op\":\"event\",\"event\":\"%s\"}", event);
}
