/*
 * The keeper of a node: which parts of the site (hub/part.h) this process has. It joins the
 * membership (postgres/membership.h), beats, looks, and opens, hands over, takes back and closes
 * parts, each a hub with a store of its own.
 *
 *     nobody's --open--> handed over (give) --take_back--> drained by who serves it
 *         ^                     |                                   |
 *         |                     '----------- keeper_ended ----------+
 *         '------------------------ closed --------------------------'
 *
 * One thread beats and decides, and waits for nothing but the database: opening a part takes as
 * long as its rooms take to load, and then others would believe that the node is silent. A few
 * threads beside it open and close; one of them is always left for closing, as others wait for what
 * is closed.
 *
 * A database that is away takes nothing from this node: what it has it keeps, until a store or a
 * look says that it has lost its part.
 */
#ifndef KEEPER_KEEPER_H
#define KEEPER_KEEPER_H

#include <hub/hub.h>
#include <hub/store_document.h>
#include <postgres/membership.h>

/* What is opened: borrowed by whoever it is given to until keeper_ended. */
struct keeper_part {
    unsigned part;
    uint64_t term;
    struct hub *hub;
    struct store *store;
    /* When it is opened: no node is expected to read what this one cannot, so rooms with events of
     * a later version are set aside. */
    bool sets_aside;
};

struct keeper_node {
    const char *name, *relay;
};

/* How fast, in milliseconds. */
struct keeper_pace {
    int64_t look_ms;   /* between looks at the others */
    int64_t beat_ms;   /* between signs of life */
    int64_t silent_ms; /* who has not been heard of for so long has lost its parts */
    /* A part is given up no sooner than settle_ms after a node has come or gone, and between_ms
     * after the one before: a node that comes and goes shall not have all parts moved about. */
    int64_t settle_ms, between_ms;
    int64_t retry_ms, retry_max_ms; /* after an opening that has failed: twice as long each time */
    int64_t damaged_ms;             /* the same if it cannot help to try again soon */
    int64_t forget_ms; /* nothing was heard of a node without parts for so long: its name is free */
};
extern const struct keeper_pace keeper_usual;

/* Each is given `ctx`. */
struct keeper_callbacks {
    void *ctx;
    /*
     * On a thread of the keeper: makes the hub and the store of the part `opened->part`, opened
     * with `silent` (postgres/store.h), and restores it. On failure nothing is left.
     */
    enum store_result (*open)(void *ctx, const struct postgres_owner *silent,
                              struct keeper_part *opened, char message[static STORE_MESSAGE_MAX]);
    /* The same: the store first, as others wait for it. */
    void (*close)(void *ctx, struct keeper_part *part);
    /* On a thread of the keeper: it is to be served; it is to be drained, then keeper_ended. A part
     * that is not served, or not yet, need not be known to take_back. */
    void (*give)(void *ctx, const struct keeper_part *part);
    void (*take_back)(void *ctx, unsigned part);
    /* Another node has opened it, with this term: whoever serves it with an older one, if anybody
     * does, ends that. Its store would say so as well, but may still be waiting for an answer. */
    void (*lost)(void *ctx, unsigned part, uint64_t term);
    /* The other nodes that live, whenever that changes; borrowed for the call. */
    void (*nodes)(void *ctx, const struct keeper_node nodes[], size_t count);
    /* The documents of the site that are to be told (hub/store_document.h), static, NULL at the
     * end; NULL: none. At most STORE_DOCUMENTS_MAX. */
    const char *const *documents;
    /* One of them: before anything is opened, and whenever it has changed. False: it was not taken,
     * and is told again with a later beat; until all were taken once nothing is opened. */
    bool (*document)(void *ctx, const char *name, const char *text, size_t len, int64_t revision);
    /* What became of keeper_change_document. STORE_OK: it holds here, and at all nodes that live
     * (keeper_document_holds). STORE_REFUSED: it is kept, but some node has not taken it in time.
     * STORE_FENCED: others have changed it meanwhile. */
    void (*document_kept)(void *ctx, const char *name, enum store_result result);
    /* By keeper_start, before anything else: the system's clock is so far ahead of the time of the
     * site, which is the database's; below 0: behind. */
    void (*clock)(void *ctx, int64_t ahead_ms);
    /* Whether clients are better off at other nodes, whenever that changes: this one is not reached
     * by them, or does not reach them, or its clock is wrong (membership_is_cut_off). At first they
     * are not. */
    void (*cut_off)(void *ctx, bool cut_off);
    /* Another process has the name of this node: nothing is taken any more. Once. */
    void (*replaced)(void *ctx, const char *message);
    /* As store.warn. */
    void (*say)(const char *event, const char *message, enum store_result result);
};

struct keeper;

/* Strings are borrowed for the life of the keeper, the rest is copied. NULL: out of memory. */
struct keeper *keeper_create(const char *url, unsigned parts, const struct membership_self *self,
                             const struct keeper_pace *pace,
                             const struct keeper_callbacks *callbacks);

/* Takes the name, which waits for up to the time of silence, and starts. STORE_FENCED: another
 * process has it. */
enum store_result keeper_start(struct keeper *keeper, char message[static STORE_MESSAGE_MAX]);

/*
 * From any thread, once for each part that was given: whoever served it does not use it any more.
 * STORE_OK: it was drained. If that was not asked for by take_back, this server is about to end,
 * and the keeper takes no part any more.
 */
void keeper_ended(struct keeper *keeper, unsigned part, enum store_result why);

/* From any thread: one of its documents is to become this text, which is copied, in place of that
 * revision. The callback document_kept says what became of it, after `document` with what was kept;
 * not after keeper_stop. False: another change is waiting, or there is no memory; nothing comes of
 * it. */
bool keeper_change_document(struct keeper *keeper, const char *name, const char *text, size_t len,
                            int64_t revision);

/* From any thread: what `document` has told holds here by now. Others wait for that. */
void keeper_document_holds(struct keeper *keeper, const char *name, int64_t revision);

/* From any thread: the names of the nodes that there is a link with, each with a space behind it;
 * to be told whenever that changes. The others hear of it with the next look. */
void keeper_links(struct keeper *keeper, const char *names);

/* From any thread: what this node tells of itself (membership_set_facts), with the next beat. */
void keeper_facts(struct keeper *keeper, const struct membership_facts *facts);

/* No callback but `close` and `say` is called any more when this returns. */
void keeper_stop(struct keeper *keeper);

/* After keeper_stop: nobody uses any of its parts any more. Closes what is left; others know it
 * when this returns. */
void keeper_leave(struct keeper *keeper);
void keeper_destroy(struct keeper *keeper); /* it has left, or was not started */

struct keeper_figures {
    unsigned parts, had;   /* of the site; handed over now */
    uint64_t opened;       /* ever since; ... */
    uint64_t taken_over;   /* ... of them from a node that had not given them up */
    uint64_t given_up;     /* so that others have as many */
    uint64_t lost;         /* as another node has opened them */
    uint64_t failed;       /* openings, and stores that were given up */
    int64_t since_beat_ms; /* since the last one that the database has acknowledged */
    int64_t ahead_ms;      /* the system's clock, of the database's */
};
/* From any thread. */
void keeper_figures(struct keeper *keeper, struct keeper_figures *figures);

#endif
