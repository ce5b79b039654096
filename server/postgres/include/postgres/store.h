/*
 * A store in a PostgreSQL database, behind the interface of hub/store.h: everything is in its
 * schema `taluva`.
 *
 * One server at a time. It holds an advisory lock of the database for as long as it is connected,
 * without which nobody commits, and has a term, a number that goes up at each opening: every commit
 * checks it, so a server that has lost its lock without noticing can write nothing. When it ends it
 * says so in the database; of who has not said so others wait for the silence (POSTGRES_SILENT_MS).
 *
 * A site may be divided into parts, each of which has such a store for itself: its own lock, term
 * and batches, and its own sessions and live rooms, which alone are handed out at the opening and
 * can be changed (hub/part.h). What is read later (archived rooms, finished matches) is read of
 * the whole site. No two terms are the same, whichever parts they are of.
 *
 * A commit is one transaction, sent at once. If the connection is lost in the middle of it, nobody
 * knows whether it was carried out: so each has a number, which it stores, and is sent again with
 * the same number once there is a connection again.
 *
 * Knows libpq and the shapes of rows. Waits for a socket with the system's clock, and has a thread
 * of its own for what is read while others commit. Never writes a password anywhere.
 */
#ifndef POSTGRES_STORE_H
#define POSTGRES_STORE_H

#include <hub/store.h>
#include <stdbool.h>

/* Is it the URL of a database, and not the name of a folder? */
bool postgres_is_url(const char *text);

/* How long is waited for what, in milliseconds. */
struct postgres_timeouts {
    int64_t connect_ms; /* for a connection: whole seconds, at least 2 */
    int64_t answer_ms;  /* for the next bytes of an answer */
    int64_t settle_ms; /* for a connection, when it is not known whether a commit was carried out */
    int64_t lock_ms;   /* for the lock, which the server before may be about to lose */
    /*
     * A standby waits until the server before has said that it has ended, or has committed nothing
     * for so long, whether that is connected or not; it is to see POSTGRES_SIGN_MS several times in
     * it. 0: no standby.
     */
    int64_t silent_ms;
};
extern const struct postgres_timeouts postgres_timeouts_alone;
extern const struct postgres_timeouts postgres_timeouts_standby;

/*
 * Who may say what it holds, and who may take it. A server with nothing to store commits an empty
 * batch each POSTGRES_SIGN_MS (hub_env.sign_of_life_ms). Its lease is lost when POSTGRES_LEASE_MS
 * have gone by since it sent the last commit that was acknowledged. Others take what it has when
 * they have seen no commit of it for POSTGRES_SILENT_MS: a commit is sent before it can be seen, so
 * then it has had no lease for the difference, and no clocks need to agree for that. A lock that is
 * free proves nothing: with a restart of the database all are, and their servers live.
 */
enum { POSTGRES_SIGN_MS = 500, POSTGRES_LEASE_MS = 2500, POSTGRES_SILENT_MS = 2750 };

enum { POSTGRES_NODE_MAX = 63, POSTGRES_RELAY_MAX = 255 };

/* Whoever has a part: its term, and the number of its last commit. */
struct postgres_owner {
    int64_t term, batch;
};

/* Instead of that number, when it has said that it says nothing any more. */
enum { POSTGRES_GIVEN_UP = -1 };

static inline bool postgres_is_given_up(int64_t term, int64_t batch)
{
    return term == 0 || batch == POSTGRES_GIVEN_UP; /* nobody has had it yet */
}

struct postgres_options {
    const struct postgres_timeouts *timeouts; /* NULL: the usual */
    /*
     * Who had the part when it had given it up, or nothing had been heard of it for
     * POSTGRES_SILENT_MS. The part is opened only if that is still so, and whoever is silent is
     * ended if it still has the lock. NULL: the lock is enough, for where there is no other server.
     */
    const struct postgres_owner *silent;
    /* Of how many parts; if the site has another number, it is not opened. 0: as 1, of 1. */
    unsigned part, parts;
    /* Rooms with events of a later version are handed out as damaged; else the part is not opened,
     * as somebody may be there who can read them. */
    bool sets_aside;
    const char *node, *relay; /* whose it is, and where that is asked; NULL: nobody needs to know */
};

/* A store at `url`, not opened yet; NULL: out of memory. `options` NULL: the usual. */
struct store *postgres_store_create(const char *url, const struct postgres_options *options);

/* Under which it was opened; when that was asked for, by a clock that goes on while the machine
 * sleeps. */
int64_t postgres_store_term(const struct store *store);
int64_t postgres_store_taken_ms(const struct store *store);

/* The time of its database, as that said it at the opening, and what has gone by since. */
int64_t postgres_store_now_ms(const struct store *store);

/* For messages: USER@HOST:PORT/DATABASE, as far as the URL says so. */
const char *postgres_store_name(const struct store *store);

/* Why the opening has failed. */
enum postgres_problem {
    POSTGRES_FINE,
    POSTGRES_BAD_URL,
    POSTGRES_UNREACHABLE, /* nobody answers there, or not now */
    POSTGRES_DENIED,      /* the database answers and refuses: password, role, name, rights */
    POSTGRES_POOLED,      /* a pooler in transaction mode stands before it */
    POSTGRES_TAKEN,       /* another server has it */
    POSTGRES_NEWER,       /* made by a newer version */
    POSTGRES_FOREIGN,     /* not a database of ours, or not one that can be used */
    POSTGRES_PARTS,       /* the site is divided into another number of parts */
    POSTGRES_FAILED,      /* anything else */
};
enum postgres_problem postgres_store_problem(const struct store *store);

/*
 * For copying another store into one that is open: how much there is, and whether it is all there.
 * What is not whole is not opened again.
 */
struct postgres_counts {
    int64_t sessions, described, rooms, archived, events, guests; /* rows as described */
};
enum store_result postgres_store_count(const struct store *store, struct postgres_counts *counts,
                                       char message[static STORE_MESSAGE_MAX]);
enum store_result postgres_store_set_whole(const struct store *store, bool whole,
                                           char message[static STORE_MESSAGE_MAX]);

#endif
