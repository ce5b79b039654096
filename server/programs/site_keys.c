#include "site_keys.h"

#include "sealing_key.h"
#include <assert.h>
#include <net/log.h>
#include <postgres/documents.h>
#include <push/message.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/signing.h>
#include <store/store.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 8, ANEW = -1 /* somebody has changed the document meanwhile */ };

/* What the keys are opened with, and what is known of the document. */
struct opening {
    struct site_keys *keys;
    const struct options *options;
    const struct store_choice *choice;
    int64_t now_s;
    struct postgres_document document;
    struct site_keys_head head; /* what it says */
    const struct sealing_key *sealing;
};

struct site_keys *site_keys_create(void)
{
    struct site_keys *keys = sodium_malloc(sizeof *keys);
    if (!keys)
        fprintf(stderr, "taluvad: out of memory\n");
    else
        sodium_memzero(keys, sizeof *keys);
    return keys;
}

/* Refused are keys that others may read. */
static int key_failed(enum store_result result, const char *message)
{
    fprintf(stderr, "taluvad: %s\n", message);
    return result == STORE_REFUSED ? EX_CONFIG : exit_status_of(result);
}

/* ---- files */

static int read_signing(const struct opening *opening)
{
    char message[STORE_MESSAGE_MAX];
    bool made;
    const enum store_result result = signing_open(opening->options->data, opening->now_s,
                                                  &opening->keys->signer, &made, message);
    if (result != STORE_OK)
        return key_failed(result, message);
    log_text(LOG_INFO, made ? "signing_key_made" : "signing_key", "id",
             opening->keys->signer.keys.list[0].id);
    return EX_OK;
}

static int draw_push(struct site_keys *keys)
{
    static_assert((int)PUSH_SECRET_BYTES == (int)PUSH_KEY_BYTES, "they are the same");
    keys->has_push = push_secret_make(keys->push);
    if (keys->has_push)
        return EX_OK;
    fprintf(stderr, "taluvad: no key for push services can be made\n");
    return EX_IOERR;
}

static int read_push(const struct opening *opening)
{
    char message[STORE_MESSAGE_MAX];
    bool made;
    const int status = draw_push(opening->keys);
    if (status != EX_OK)
        return status;
    const enum store_result result =
        push_key_open(opening->options->data, opening->keys->push, &made, message);
    if (result != STORE_OK)
        return key_failed(result, message);
    if (made)
        log_event(LOG_INFO, "push_key_made");
    return EX_OK;
}

static int read_files(const struct opening *opening)
{
    const int status = read_signing(opening);
    return status == EX_OK && opening->options->push_contact ? read_push(opening) : status;
}

/* ---- what an operator forgot */

static int refuse_keys(const struct opening *opening, const char *what, const char *then)
{
    fprintf(stderr, "taluvad: %s of this site (its servers sign with %s): %s\n", what,
            opening->head.signing[0], then);
    return EX_CONFIG;
}

static const char copy_them[] =
    "copy signing-keys, and push-key if there is one, from the data folder of another server of"
    " it, or keep the keys in the database (--site-key-file); --new-keys makes those of this"
    " server the site's";

static int refuse_sealed(const struct opening *opening)
{
    return refuse_keys(opening, "what opens the keys is not given here, which are in the database",
                       "give the site-key of the other servers, as that credential or with"
                       " --site-key-file");
}

/* Before files are read, as what is missing is made. */
static int check_files(const struct opening *opening)
{
    const struct options *options = opening->options;
    if (opening->head.count == 0 || options->new_keys)
        return EX_OK;
    if (!signing_is_there(options->data))
        return refuse_keys(opening, "there is no signing-keys here, though there are keys",
                           copy_them);
    if (options->push_contact && opening->head.push[0] && !push_key_is_there(options->data))
        return refuse_keys(opening, "there is no push-key here, though there is one", copy_them);
    return EX_OK;
}

static int check_same(const struct opening *opening, const struct site_keys_head *own)
{
    const struct site_keys_head *head = &opening->head;
    if (head->count == 0 || opening->options->new_keys)
        return EX_OK;
    switch (site_keys_compare(own, head)) {
    case SITE_KEYS_OLDER:
        return refuse_keys(opening, "signing-keys here is from before the last `rotate-key`",
                           "copy signing-keys from the server where it was run");
    case SITE_KEYS_OTHER:
        return refuse_keys(opening, "signing-keys here is not that", copy_them);
    case SITE_KEYS_SAME:
    case SITE_KEYS_NEWER:
        break;
    }
    if (own->push[0] && head->push[0] && strcmp(own->push, head->push) != 0)
        return refuse_keys(opening, "push-key here is not that", copy_them);
    return EX_OK;
}

/* ---- the document */

static int database_failed(const struct postgres_said *said, enum postgres_problem problem)
{
    return store_database_failed(said->name, problem, said->message);
}

static int read_document(struct opening *opening)
{
    struct postgres_said said;
    free(opening->document.text);
    opening->document = (struct postgres_document){.name = SITE_KEYS_DOCUMENT};
    const enum postgres_problem problem =
        postgres_document_get(opening->choice->where, &opening->document, &said);
    if (problem != POSTGRES_FINE)
        return database_failed(&said, problem);
    if (site_keys_read(&opening->head, opening->document.text, opening->document.len))
        return EX_OK;
    fprintf(stderr,
            "taluvad: the document of this site's keys in the database %s is damaged: restore it,"
            " or empty it (UPDATE taluva.document SET text = '' WHERE name = '%s') and start a"
            " server that has signing-keys\n",
            said.name, SITE_KEYS_DOCUMENT);
    return EX_DATAERR;
}

static int write_document(const struct opening *opening, char *text)
{
    struct postgres_said said;
    struct postgres_document next = opening->document;
    bool changed;
    next.text = text;
    const enum postgres_problem problem =
        postgres_document_put(opening->choice->where, &next, &changed, &said);
    if (problem != POSTGRES_FINE)
        return database_failed(&said, problem);
    return changed ? EX_OK : ANEW;
}

/* ---- a site that begins */

static int refuse_to_begin(const struct opening *opening, const char *name)
{
    if (opening->sealing->given)
        fprintf(stderr,
                "taluvad: the database %s holds nothing, but what seals the keys of a site is given"
                " (--site-key-file): is it the right one? Restore its backup, or begin a new site"
                " with --new-store, at the first start of its first server\n",
                name);
    else
        fprintf(stderr,
                "taluvad: the database %s holds nothing, but keys of a server are in %s: is it the"
                " right one? Restore its backup, or begin anew with --new-store\n",
                name, opening->options->data);
    return EX_NOINPUT;
}

/* As with an embedded store: who comes back would be told that nobody knows them. */
static int check_begins(const struct opening *opening)
{
    const struct options *options = opening->options;
    struct postgres_said said;
    bool empty;
    const bool was_there = opening->sealing->given || signing_is_there(options->data) ||
                           push_key_is_there(options->data);
    if (opening->head.count > 0 || options->new_store || !was_there)
        return EX_OK;
    const enum postgres_problem problem = postgres_is_empty(opening->choice->where, &empty, &said);
    if (problem != POSTGRES_FINE)
        return database_failed(&said, problem);
    return empty ? refuse_to_begin(opening, said.name) : EX_OK;
}

/* ---- each server has files of them */

static int open_files(const struct opening *opening)
{
    struct site_keys_head own;
    char text[SITE_KEYS_TEXT_MAX];
    if (opening->head.sealed)
        return refuse_sealed(opening);
    int status = check_files(opening);
    if (status == EX_OK)
        status = read_files(opening);
    if (status != EX_OK)
        return status;
    site_keys_head_of(&own, opening->keys);
    status = check_same(opening, &own);
    if (!own.push[0]) /* who sends no messages does not say that nobody does */
        memcpy(own.push, opening->head.push, sizeof own.push);
    if (status != EX_OK)
        return status;
    const size_t len = site_keys_write(text, &own);
    if (len == opening->document.len && memcmp(text, opening->document.text, len) == 0)
        return EX_OK;
    return write_document(opening, text);
}

/* ---- they are in the document */

static int seal_keys(const struct opening *opening)
{
    uint8_t nonce[SITE_KEYS_NONCE_BYTES];
    char text[SITE_KEYS_TEXT_MAX];
    randombytes_buf(nonce, sizeof nonce);
    (void)site_keys_seal(text, opening->keys, opening->sealing->bytes, nonce);
    return write_document(opening, text);
}

static int unseal_keys(const struct opening *opening)
{
    if (site_keys_unseal(opening->keys, opening->document.text, opening->document.len,
                         opening->sealing->bytes))
        return EX_OK;
    return refuse_keys(opening, "the site-key given to this server does not open the keys",
                       "give it that of the other servers; if it is that, the document is damaged");
}

/* Messages are sent for the first time. */
static int add_push(const struct opening *opening)
{
    if (!opening->options->push_contact || opening->keys->has_push)
        return EX_OK;
    const int status = draw_push(opening->keys);
    return status == EX_OK ? seal_keys(opening) : status;
}

/* Of a server that had files, or of a site that begins. */
static int take_keys(const struct opening *opening)
{
    struct site_keys_head own;
    const char *data = opening->options->data;
    const bool begins = opening->head.count == 0 || opening->options->new_keys;
    int status = EX_OK;
    if (!begins || signing_is_there(data))
        status = check_files(opening) == EX_OK ? read_signing(opening) : EX_CONFIG;
    else
        signing_make(&opening->keys->signer, opening->now_s);
    if (status == EX_OK && (push_key_is_there(data) || opening->options->push_contact))
        status = push_key_is_there(data) ? read_push(opening) : draw_push(opening->keys);
    if (status != EX_OK)
        return status;
    site_keys_head_of(&own, opening->keys);
    status = check_same(opening, &own);
    return status == EX_OK ? seal_keys(opening) : status;
}

static int open_sealed(const struct opening *opening)
{
    if (!opening->head.sealed) {
        const int status = take_keys(opening);
        if (status == EX_OK)
            log_text(LOG_INFO, "keys_sealed", "id", opening->keys->signer.keys.list[0].id);
        return status;
    }
    const int status = unseal_keys(opening);
    if (status == EX_OK)
        log_text(LOG_INFO, "signing_key", "id", opening->keys->signer.keys.list[0].id);
    return status == EX_OK ? add_push(opening) : status;
}

/* ---- all of it */

static int open_once(struct opening *opening)
{
    int status = read_document(opening);
    if (status == EX_OK)
        status = check_begins(opening);
    if (status != EX_OK)
        return status;
    return opening->sealing->given ? open_sealed(opening) : open_files(opening);
}

static int open_of_site(struct opening *opening)
{
    int status = ANEW;
    for (int tries = 0; tries < TRIES && status == ANEW; tries++) {
        sodium_memzero(opening->keys, sizeof *opening->keys);
        status = open_once(opening);
    }
    free(opening->document.text);
    if (status == ANEW)
        fprintf(stderr, "taluvad: the keys of this site are being changed: try again\n");
    return status == ANEW ? EX_TEMPFAIL : status;
}

int site_keys_open(struct site_keys *keys, const struct options *options,
                   const struct store_choice *choice, int64_t now_s)
{
    struct sealing_key sealing;
    struct opening opening = {
        .keys = keys, .options = options, .choice = choice, .now_s = now_s, .sealing = &sealing};
    int status = sealing_key_open(&sealing, options, choice);
    if (status == EX_OK)
        status = choice->database ? open_of_site(&opening) : read_files(&opening);
    sealing_key_wipe(&sealing);
    return status;
}

int site_keys_check(struct site_keys *keys, const struct options *options,
                    const struct store_choice *choice)
{
    struct opening opening = {.choice = choice};
    const int status = read_document(&opening);
    const bool begins = status == EX_OK && opening.head.count == 0;
    free(opening.document.text);
    return status != EX_OK || begins ? status : site_keys_open(keys, options, choice, 0);
}

/* ---- rotate-key */

/* The other servers of a database sign with the old key until they are started again. */
enum { OVERLAP_DAYS = 7, DAY_S = 86400 };

/*
 * A key ends not before the latest match that it has signed, which a clock that was ahead then has
 * stamped later than it is now.
 */
static struct key_change change_at_once(int64_t now_s, int64_t latest_s)
{
    if (latest_s > now_s)
        printf("the store is ahead of the clock of this machine by %lld s, and the old key ends "
               "then\n",
               (long long)(latest_s - now_s));
    const int64_t end_s = latest_s < now_s ? now_s : latest_s + 1; /* with that second */
    return (struct key_change){.from_s = end_s, .until_s = end_s};
}

static struct key_change change_by_and_by(int64_t now_s, int64_t latest_s)
{
    const int64_t last_s = latest_s < now_s ? now_s : latest_s;
    return (struct key_change){.from_s = now_s, .until_s = last_s + OVERLAP_DAYS * DAY_S};
}

static int change_in_database(const struct opening *opening, struct key_change *change)
{
    struct postgres_said said;
    struct postgres_times times;
    const enum postgres_problem problem = postgres_times_get(opening->choice->where, &times, &said);
    if (problem != POSTGRES_FINE)
        return database_failed(&said, problem);
    *change = change_by_and_by(times.now_ms / 1000, times.latest_ms / 1000);
    return EX_OK;
}

/* Without a store in the folder its server has a database, whose URL was not given. */
static int change_in_folder(const struct opening *opening, struct key_change *change)
{
    char path[STORE_MESSAGE_MAX], message[STORE_MESSAGE_MAX];
    int64_t latest_ms;
    *change = change_by_and_by(opening->now_s, 0);
    if (!sqlite_store_path(opening->options->data, path, sizeof path) || access(path, F_OK) != 0)
        return EX_OK;
    if (sqlite_store_latest(path, &latest_ms, message) != STORE_OK) {
        fprintf(stderr, "taluvad: the old key ends now, whatever it has signed: %s\n", message);
        latest_ms = 0;
    }
    *change = change_at_once(opening->now_s, latest_ms / 1000);
    return EX_OK;
}

static void say_rotated(const struct record_signer *signer, const struct public_key *dropped)
{
    const struct public_key *keys = signer->keys.list;
    printf("new key: %s\nkept for checking: %zu\n", keys[0].id, signer->keys.count - 1);
    if (keys[1].until_s > keys[0].from_s)
        printf("servers that go on sign with the old one: start each of them again within %d days, "
               "when it ends\n",
               OVERLAP_DAYS);
    if (dropped->id[0])
        printf("no longer kept: %s\n", dropped->id);
}

static int rotate_file(const struct opening *opening)
{
    char message[STORE_MESSAGE_MAX];
    struct key_change change;
    struct public_key dropped;
    struct record_signer *signer = &opening->keys->signer;
    const int found = opening->choice->database ? change_in_database(opening, &change)
                                                : change_in_folder(opening, &change);
    if (found != EX_OK)
        return found;
    const enum store_result result =
        signing_rotate(opening->options->data, &change, signer, &dropped, message);
    if (result == STORE_OK) {
        say_rotated(signer, &dropped);
        return EX_OK;
    }
    const int status = key_failed(result, message);
    if (result == STORE_FENCED)
        fputs("taluvad: stop it first, and start it again afterwards\n", stderr);
    return status;
}

static int rotate_sealed(struct opening *opening)
{
    struct key_change change;
    struct public_key dropped;
    int status = read_document(opening);
    if (status == EX_OK && !opening->head.sealed) {
        fputs("taluvad: the keys of this site are not in its database: start a server that has "
              "them with this site-key first\n",
              stderr);
        status = EX_CONFIG;
    }
    if (status == EX_OK)
        status = unseal_keys(opening);
    if (status == EX_OK)
        status = change_in_database(opening, &change);
    if (status != EX_OK)
        return status;
    signing_next(&opening->keys->signer, &change, &dropped);
    status = seal_keys(opening);
    if (status == EX_OK)
        say_rotated(&opening->keys->signer, &dropped);
    else if (status == ANEW)
        fputs("taluvad: the keys of this site are being changed: try again\n", stderr);
    return status == ANEW ? EX_TEMPFAIL : status;
}

/* A file that was sealed is of no use any more. */
static int check_not_sealed(struct opening *opening)
{
    if (!opening->choice->database)
        return EX_OK;
    const int status = read_document(opening);
    return status == EX_OK && opening->head.sealed ? refuse_sealed(opening) : status;
}

static int rotate_keys(struct site_keys *keys, const struct options *options)
{
    char message[STORE_MESSAGE_MAX] = "";
    struct store_choice choice;
    struct sealing_key sealing;
    struct opening opening = {.keys = keys,
                              .options = options,
                              .choice = &choice,
                              .now_s = (int64_t)time(NULL),
                              .sealing = &sealing};
    int status = store_choose(&choice, options, message);
    if (status != EX_OK) {
        fprintf(stderr, "taluvad: %s\n", message);
        return status;
    }
    status = sealing_key_open(&sealing, options, &choice);
    if (status == EX_OK && !sealing.given)
        status = check_not_sealed(&opening);
    if (status == EX_OK)
        status = sealing.given ? rotate_sealed(&opening) : rotate_file(&opening);
    free(opening.document.text);
    sealing_key_wipe(&sealing);
    store_choice_release(&choice);
    return status;
}

int site_keys_rotate(const struct options *options)
{
    struct site_keys *keys = site_keys_create();
    const int status = keys ? rotate_keys(keys, options) : EX_OSERR;
    sodium_free(keys);
    return status;
}
