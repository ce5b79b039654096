/* What the operator is shown of the database of a site, beside its nodes (membership.h). */
#ifndef POSTGRES_FIGURES_H
#define POSTGRES_FIGURES_H

#include <hub/part.h>
#include <postgres/membership.h>

enum { POSTGRES_STANDBYS_MAX = 16, POSTGRES_WORD_MAX = 63, POSTGRES_STANDBY_NAMES_MAX = 255 };

struct postgres_standby_seen {
    char name[POSTGRES_WORD_MAX + 1];
    char state[POSTGRES_WORD_MAX + 1]; /* "streaming" and so on */
    char sync[POSTGRES_WORD_MAX + 1];  /* "sync", "quorum", "potential" or "async" */
};

struct postgres_figures {
    char version[POSTGRES_WORD_MAX + 1]; /* of PostgreSQL */
    int64_t schema;
    int64_t bans_revision; /* 0: never changed */
    /* Which standbys commits wait for, as PostgreSQL's setting says; "": for none. */
    char waits_for[POSTGRES_STANDBY_NAMES_MAX + 1];
    bool sees_standbys; /* the role may; else there are none here */
    size_t standbys;
    struct postgres_standby_seen standby[POSTGRES_STANDBYS_MAX];
    int64_t rooms[PARTS_MAX], sessions[PARTS_MAX]; /* rooms that are not archived; all sessions */
};

/* After membership_open. Reads all sessions. STORE_FAILED: not now. */
enum store_result membership_figures(struct membership *membership, unsigned parts,
                                     struct postgres_figures *figures,
                                     char message[static STORE_MESSAGE_MAX]);

#endif
