#include "trust.h"

#include "online.h"
#include <cli/file.h>
#include <jansson.h>
#include <string.h>

/* ---- a file */

static bool read_set(struct key_set *keys, const struct file *file)
{
    json_t *set = json_loadb(file->bytes, file->len, JSON_REJECT_DUPLICATES, NULL);
    const bool read = key_set_read(keys, json_object_get(set, "keys"));
    json_decref(set);
    return read;
}

int trust_file(struct trust *trust, const char *path)
{
    struct file file;
    *trust = (struct trust){.source = path};
    if (!file_read(&file, path))
        return EXIT_FILE;
    const bool read = read_set(&trust->keys, &file);
    file_release(&file);
    if (!read)
        fprintf(stderr, "taluva: %s: this is no JWK set, {\"keys\": [...]}, or a key is damaged\n",
                path);
    else if (trust->keys.count == 0)
        fprintf(stderr, "taluva: %s: there is no Ed25519 key in it\n", path);
    return read && trust->keys.count > 0 ? EXIT_OK : EXIT_DATA;
}

/* ---- a server */

struct asking {
    struct trust *trust;
    char *shown;
};

/* A server that is older than keys has none. */
static void on_ready(struct online *online)
{
    const struct asking *asking = online->user;
    const json_t *keys = json_object_get(online->hello, "keys");
    memcpy(asking->shown, online->server, WIRE_URL_TEXT);
    asking->trust->in_clear = strncmp(online->server, "ws:", 3) == 0;
    if (!keys || key_set_read(&asking->trust->keys, keys)) {
        online_stop(online, EXIT_OK);
        return;
    }
    online_say(online, "The server's keys cannot be read.");
    online_stop(online, EXIT_NETWORK);
}

int trust_server(struct trust *trust, const struct invocation *invocation,
                 char shown[WIRE_URL_TEXT])
{
    static const struct online_app app = {.ready = on_ready};
    struct asking asking = {trust, shown};
    *trust = (struct trust){.source = shown};
    return online_run(invocation, &app, &asking);
}
