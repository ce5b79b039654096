/*
 * Which store a server uses, by its options: the embedded one in a folder, or a PostgreSQL
 * database. A URL may hold a password, so it is kept here alone and never said.
 */
#ifndef SERVER_CHOOSE_STORE_H
#define SERVER_CHOOSE_STORE_H

#include "options.h"
#include <hub/store.h>
#include <postgres/store.h>

struct store_choice {
    char where[OPTIONS_PATH_MAX]; /* the URL, or the folder */
    bool database;
    unsigned parts;          /* of a database, of which the first one is opened; 0: it has one */
    int64_t sign_of_life_ms; /* how often others want to see a commit of ours; 0: nobody does */
    int64_t lease_ms;        /* how long after one nothing is said any more; 0: it may be */
    int lock_fd; /* of the data folder, where the store has none of its own; -1: not taken */
};

/* An exit status; `message` says what is wrong. */
int store_choose(struct store_choice *choice, const struct options *options,
                 char message[static STORE_MESSAGE_MAX]);
void store_choice_release(struct store_choice *choice);

/* The keys are in the data folder, which a server has for itself: until it is
 * released. An exit status; what is wrong has been said. */
int store_choice_take_folder(struct store_choice *choice, const struct options *options);

/* For commands that read or write the files of the embedded store: an exit status. */
int store_choose_folder(struct store_choice *choice, const struct options *options);

/* Opens it and hands over what it holds; with `options` NULL for a command, which needs no keys. An
 * exit status; what is wrong has been said. *store is for its `close` even then, unless it is NULL.
 */
int store_choice_open(struct store_choice *choice, const struct options *options,
                      const struct store_sink *sink,
                      void (*warn)(const char *event, const char *message,
                                   enum store_result result),
                      struct store **store);

/* When the place of a server was taken with it (net_part.proven_ms); 0: nobody else can take it. */
int64_t store_choice_taken_ms(const struct store_choice *choice, const struct store *store);

int exit_status_of(enum store_result result);

/* Says why a database cannot be used; an exit status. */
int store_database_failed(const char *name, enum postgres_problem problem, const char *message);

#endif
