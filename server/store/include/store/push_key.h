/*
 * The file of the key by which push services know this server (push/message.h), beside the store:
 *
 *     DIR/push-key
 *
 *     taluva-push-key 1
 *     secret KEY                     32 bytes, base64url
 *
 * It has mode 0600 and is refused if others may read it. Without it a new one is made; browsers
 * that subscribed with the old one are not reached any more and have to be asked again.
 */
#ifndef STORE_PUSH_KEY_H
#define STORE_PUSH_KEY_H

#include <hub/store.h>
#include <stdbool.h>

#define PUSH_KEY_FILE "push-key"
enum { PUSH_KEY_BYTES = 32 };

/*
 * Reads the file in `directory` into `secret`; if there is none, makes one of what `secret` holds.
 * *made: so it was. For who holds the store's lock.
 *
 * STORE_CORRUPT: it is damaged. STORE_REFUSED: others may read it, or it is not a plain file.
 * STORE_FULL, STORE_FAILED: it cannot be read or written. `secret` is wiped then.
 */
enum store_result push_key_open(const char *directory, uint8_t secret[static PUSH_KEY_BYTES],
                                bool *made, char message[static STORE_MESSAGE_MAX]);

/* Also of one that cannot be read. */
bool push_key_is_there(const char *directory);

#endif
