/*
 * Documents as a store keeps them: texts of the whole site, each with a name and a revision. A
 * revision is a number that goes up by one when the text is changed; 0, and "": nobody has written
 * it yet. A document is changed in place of a revision, so that of two who change it at once one is
 * told. What a text says is its reader's business, and that it can tell a whole one from a damaged
 * one.
 *
 * Each is a described row. A server that is alone puts it with its batches and is handed it at the
 * opening; several follow it with their heartbeats (postgres/membership.h), in the same table.
 */
#ifndef HUB_STORE_DOCUMENT_H
#define HUB_STORE_DOCUMENT_H

#include <stdint.h>

enum {
    STORE_DOCUMENT_NAME_MAX = 31,       /* a-z */
    STORE_DOCUMENT_BYTES_MAX = 1048576, /* of a text: UTF-8 without a NUL */
    STORE_DOCUMENTS_MAX = 16,
};

struct store_document {
    char name[STORE_DOCUMENT_NAME_MAX + 1]; /* 0-terminated */
    int64_t revision;
    const char *text; /* borrowed, 0-terminated */
};

/* What has become of a text that was to be kept. */
enum document_kept {
    DOCUMENT_KEPT,
    DOCUMENT_OTHERS, /* somebody has changed it meanwhile */
    DOCUMENT_LATE,   /* it is kept, but some node has not taken it in time */
    DOCUMENT_FAILED,
};

#endif
