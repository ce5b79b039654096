/* Requests that are taken, each operation among them, and what they are made of. */
#ifndef ACCEPTED_H
#define ACCEPTED_H

#define TOKEN      "__r18Ovm4dzX0s3Iw765tK-qpaCblpGMh4J9eHNuaWQ"
#define NONCE      "0123456789abcdef0123456789ABCDEF"
#define ROOM       "\"room\":\"k3m9x0aq\""
#define CHARS_64   "1234567890123456789012345678901234567890123456789012345678901234"
#define CHARS_256  CHARS_64 CHARS_64 CHARS_64 CHARS_64
#define CHARS_1024 CHARS_256 CHARS_256 CHARS_256 CHARS_256
#define CREATE     "{\"id\":1,\"op\":\"create\",\"clock\":"

/* What is accepted, in the order in which it is encoded again: decode and encode are inverses. */
#define AUTH "BTBZMqHH6r4Tts7J_aSIgg"
#define P256DH                                                                                     \
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
static const char *const ACCEPTED[] = {
    "{\"id\":0,\"op\":\"ping\"}",
    "{\"id\":9007199254740991,\"op\":\"ping\"}",
    "{\"id\":1,\"op\":\"hello\"}",
    "{\"id\":1,\"op\":\"hello\",\"client\":\"any 1\",\"name\":\"Ana\",\"token\":\"" TOKEN "\"}",
    "{\"id\":1,\"op\":\"rename\",\"name\":\"\xf0\x9f\x8c\x8b \\\"B\\\\o\\\"\"}",
    "{\"id\":1,\"op\":\"rooms\"}",
    "{\"id\":1,\"op\":\"notify\",\"auth\":\"" AUTH
    "\",\"endpoint\":\"https://a.example/b\",\"p256dh\":\"" P256DH "\"}",
    "{\"id\":1,\"op\":\"unnotify\"}",
    "{\"id\":1,\"op\":\"devices\"}",
    "{\"id\":1,\"op\":\"seek\"}",
    "{\"id\":1,\"op\":\"seek\",\"game\":\"totem\",\"options\":{\"sizes\":[2,3]}}",
    "{\"id\":1,\"op\":\"unseek\"}",
    "{\"id\":1,\"op\":\"games\"}",
    "{\"id\":1,\"op\":\"games\",\"after\":\"k3m9x0aq\"}",
    "{\"id\":1,\"op\":\"link\"}",
    "{\"id\":1,\"op\":\"phrase\"}",
    "{\"id\":1,\"op\":\"passkey\",\"for\":\"add\"}",
    "{\"id\":1,\"op\":\"passkey\",\"for\":\"enter\"}",
    "{\"id\":1,\"op\":\"passkey\",\"for\":\"proof\"}",
    "{\"id\":1,\"op\":\"passkeys\"}",
    "{\"id\":1,\"op\":\"passkey_drop\",\"key\":\"0f3a9c21\"}",
    "{\"id\":1,\"op\":\"passkey_add\",\"passkey\":{\"client_data\":\"AA\",\"attestation\":\"AA\"}}",
    "{\"id\":1,\"op\":\"prove\",\"passkey\":{\"id\":\"AA\",\"client_data\":\"AAA\",\"auth_data\":"
    "\"-_-_\",\"signature\":\"AAAA\"}}",
    "{\"id\":1,\"op\":\"claim\",\"handle\":\"ana-1\"}",
    "{\"id\":1,\"op\":\"invite\"}",
    "{\"id\":1,\"op\":\"invites\"}",
    "{\"id\":1,\"op\":\"heed\"}",
    "{\"id\":1,\"op\":\"redeem\",\"invite\":\"7zk3f09qa5vtd2e8r1x6mhbw4cbv\"}",
    "{\"id\":1,\"op\":\"sign_in_drop\"}",
    "{\"id\":1,\"op\":\"sign_in\",\"voucher\":"
    "\"AAABn0k3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9x"
    "k3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xk3Qm9xQ."
    "w8Zc0mH3uWq2bLr5tYv7eKx1nJp4sDf6gAhC9iBoUQk\"}",
    "{\"id\":1,\"op\":\"block\",\"handle\":\"ana-1\"}",
    "{\"id\":1,\"op\":\"unblock\",\"handle\":\"ana-1\"}",
    "{\"id\":1,\"op\":\"blocks\"}",
    "{\"id\":1,\"op\":\"follow\",\"handle\":\"ana-1\"}",
    "{\"id\":1,\"op\":\"unfollow\",\"handle\":\"ana-1\"}",
    "{\"id\":1,\"op\":\"friends\"}",
    "{\"id\":1,\"op\":\"presence\",\"hidden\":true}",
    "{\"id\":1,\"op\":\"quiet\",\"on\":true}",
    "{\"id\":1,\"op\":\"profile\",\"handle\":\"ana-1\"}",
    "{\"id\":1,\"op\":\"report\"," ROOM ",\"seat\":1,\"text\":\"hm\",\"why\":\"talk\"}",
    "{\"id\":1,\"op\":\"report\"," ROOM ",\"seat\":0,\"why\":\"name\"}",
    "{\"id\":1,\"op\":\"report\"," ROOM ",\"seat\":0,\"why\":\"cheating\"}",
    "{\"id\":1,\"op\":\"report\"," ROOM ",\"seat\":0,\"why\":\"stalling\"}",
    "{\"id\":1,\"op\":\"report\"," ROOM ",\"seat\":0,\"why\":\"other\"}",
    "{\"id\":1,\"op\":\"chat\",\"have\":1,\"lang\":\"fr\"}",
    "{\"id\":1,\"op\":\"chat_say\",\"lang\":\"zh\",\"text\":\"hm\"}",
    "{\"id\":1,\"op\":\"chat_drop\",\"line\":1}",
    "{\"id\":1,\"op\":\"chat_report\",\"line\":1,\"text\":\"hm\",\"why\":\"talk\"}",
    "{\"id\":1,\"op\":\"events\",\"after\":\"k3m9x0aq\"}",
    "{\"id\":1,\"op\":\"event\",\"event\":\"k3m9x0aq\",\"have\":1}",
    "{\"id\":1,\"op\":\"event_act\",\"act\":{\"what\":\"off\"},\"event\":\"k3m9x0aq\",\"text\":"
    "\"hm\"}",
    "{\"id\":1,\"op\":\"event_enter\",\"event\":\"k3m9x0aq\"}",
    "{\"id\":1,\"op\":\"event_here\",\"event\":\"k3m9x0aq\"}",
    "{\"id\":1,\"op\":\"event_leave\",\"event\":\"k3m9x0aq\"}",
    "{\"id\":1,\"op\":\"event_log\",\"event\":\"k3m9x0aq\",\"have\":1}",
    "{\"id\":1,\"op\":\"event_make\",\"rules\":{\"start\":1},\"title\":\"hm\"}",
    "{\"id\":1,\"op\":\"cases\"}",
    "{\"id\":1,\"op\":\"cases\",\"case\":9007199254740991}",
    "{\"id\":1,\"op\":\"judge\",\"case\":1,\"verdict\":\"dismiss\",\"why\":\"talk\"}",
    "{\"id\":1,\"op\":\"judge\",\"case\":1,\"text\":\"hm\",\"verdict\":\"warn\",\"why\":\"talk\"}",
    "{\"id\":1,\"op\":\"judge\",\"case\":1,\"verdict\":\"uphold\",\"why\":\"talk\"}",
    "{\"id\":1,\"op\":\"judge\",\"case\":1,\"for_s\":1,\"verdict\":\"silence\",\"why\":\"name\"}",
    "{\"id\":1,\"op\":\"judge\",\"case\":1,\"for_s\":315360000,\"verdict\":\"ban\",\"why\":"
    "\"other\"}",
    "{\"id\":1,\"op\":\"appeal\",\"judgement\":3,\"text\":\"hm\"}",
    "{\"id\":1,\"op\":\"profile_show\",\"hidden\":true}",
    "{\"id\":1,\"op\":\"adopt\",\"token\":\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\"}",
    "{\"id\":1,\"op\":\"adopt\",\"pass\":\"7zk3f09qa5vtd2e8r1x6mhbw4cbv\"}",
    "{\"id\":1,\"op\":\"close_account\",\"handle\":\"Ana-1\"}",
    "{\"id\":1,\"op\":\"keep_account\",\"handle\":\"ana-bot\"}",
    "{\"id\":1,\"op\":\"bot_account\",\"handle\":\"ana-bot\"}",
    "{\"id\":1,\"op\":\"bots\"}",
    "{\"id\":1,\"op\":\"tokens\",\"handle\":\"ana-bot\"}",
    "{\"id\":1,\"op\":\"token_add\",\"days\":1,\"name\":\"N\",\"scope\":\"play\"}",
    "{\"id\":1,\"op\":\"token_add\",\"days\":365,\"handle\":\"ana-bot\",\"name\":\"N\","
    "\"scope\":\"room games play people\"}",
    "{\"id\":1,\"op\":\"token_drop\",\"handle\":\"ana-bot\",\"key\":\"0f3a9c21\"}",
    "{\"id\":1,\"op\":\"export\"}",
    "{\"id\":1,\"op\":\"kept\"}",
    "{\"id\":1,\"op\":\"kept_at_desk\"}",
    "{\"id\":1,\"op\":\"hello\","
    "\"token\":\"taluva_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh83krq0en\"}",
    "{\"id\":1,\"op\":\"keep_account\"}",
    "{\"id\":1,\"op\":\"forget\",\"device\":\"0123cdef\"}",
    "{\"id\":1,\"op\":\"rename\",\"device\":\"00000000\",\"name\":\"Phone\"}",
    "{\"id\":1,\"op\":\"hello\",\"pass\":\"7zk3f09qa5vtd2e8r1x6mhbw4cbv\"}",
    "{\"id\":1,\"op\":\"unnotify\",\"endpoint\":\"https://a.example/b\"}",
    "{\"id\":1,\"op\":\"rooms\",\"after\":\"k3m9x0aq\"}",
    "{\"id\":1,\"op\":\"create\"}",
    "{\"id\":1,\"op\":\"create\",\"access\":\"code\",\"clock\":{\"kind\":\"fischer\",\"bank_s\":"
    "600,\"increment_s\":10,\"on_timeout\":\"computer\"},\"game\":\"taluva\",\"options\":{"
    "\"players\":4,\"teams\":true,\"x\":{\"y\":[1,null,-0.5]}},\"title\":\"Friday\"}",
    CREATE "{\"kind\":\"none\",\"on_timeout\":\"eliminate\"}}",
    CREATE "{\"kind\":\"move\",\"move_s\":604800,\"on_timeout\":\"eliminate\"}}",
    CREATE "{\"kind\":\"byoyomi\",\"bank_s\":0,\"period_s\":30,\"periods\":3,\"on_timeout\":"
           "\"eliminate\"}}",
    CREATE "{\"kind\":\"days\",\"days\":30,\"on_timeout\":\"eliminate\"}}",
    "{\"id\":1,\"op\":\"watch\",\"have\":12," ROOM "}",
    "{\"id\":1,\"op\":\"watch\",\"code\":\"0123456789abcdef\"," ROOM "}",
    "{\"id\":1,\"op\":\"join\",\"code\":\"0123456789abcdef\",\"colour\":\"black\",\"have\":0," ROOM
    ",\"seat\":15}",
    "{\"id\":1,\"op\":\"move\",\"move\":\"" CHARS_1024 "\"," ROOM "}",
    "{\"id\":1,\"op\":\"sit\",\"colour\":\"abcdefghijklmnop\"," ROOM "}",
    "{\"id\":1,\"op\":\"sit\",\"colour\":\"red\"," ROOM ",\"seat\":0}",
    "{\"id\":1,\"op\":\"bot\"," ROOM "}",
    "{\"id\":1,\"op\":\"bot\",\"level\":16," ROOM ",\"seat\":1}",
    "{\"id\":1,\"op\":\"unseat\"," ROOM ",\"seat\":3}",
    "{\"id\":1,\"op\":\"ready\",\"ready\":false," ROOM "}",
    "{\"id\":1,\"op\":\"ready\",\"ready\":true," ROOM "}",
    "{\"id\":1,\"op\":\"ready\",\"nonce\":\"0123456789abcdef0123456789abcdef\",\"ready\":true," ROOM
    "}",
    "{\"id\":1,\"op\":\"start\"," ROOM "}",
    "{\"id\":1,\"op\":\"leave\"," ROOM "}",
    "{\"id\":1,\"op\":\"move\",\"confirm\":true,\"move\":\"JC@0,0:0\"," ROOM "}",
    "{\"id\":1,\"op\":\"move\",\"move\":\"" // 64 bytes
    "1234567890123456789012345678901234567890123456789012345678901234\"," ROOM "}",
    "{\"id\":1,\"op\":\"check\",\"move\":\"expand@0,1=L\"," ROOM "}",
    "{\"id\":1,\"op\":\"moves\"," ROOM "}",
    "{\"id\":1,\"op\":\"hint\"," ROOM "}",
    "{\"id\":1,\"op\":\"analysis\"," ROOM "}",
    "{\"id\":1,\"op\":\"create\",\"hints\":false}",
    "{\"id\":1,\"op\":\"undo\"," ROOM "}",
    "{\"id\":1,\"op\":\"resign\"," ROOM "}",
    "{\"id\":1,\"op\":\"offer\"," ROOM ",\"what\":\"call_off\"}",
    "{\"id\":1,\"op\":\"withdraw\"," ROOM ",\"what\":\"pause\"}",
    "{\"id\":1,\"op\":\"rematch\"," ROOM "}",
    "{\"id\":1,\"op\":\"say\"," ROOM ",\"text\":\"good game\"}",
    "{\"id\":1,\"op\":\"record\",\"have\":32768," ROOM "}",
    "{\"id\":1,\"op\":\"past\",\"have\":0," ROOM "}",
    "{\"id\":1,\"op\":\"past\",\"as\":\"server\",\"have\":0," ROOM "}",
    "{\"id\":1,\"op\":\"past\",\"as\":\"watcher\",\"have\":0," ROOM "}",
    "{\"id\":1,\"op\":\"past\",\"as\":15,\"have\":0," ROOM "}",
    "{\"id\":1,\"op\":\"past\",\"code\":\"0123456789abcdef\",\"have\":12," ROOM "}",
};

#endif
