/*
 * Documents as a store keeps them: texts of the whole site, each with a name and a revision. A
 * revision is a number that goes up by one when the text is changed; 0, and "": nobody has written
 * it yet. A document is changed in place of a revision, so that of two who change it at once one is
 * told. What a text says is its reader's business, and that it can tell a whole one from a damaged
 * one.
 */
#ifndef HUB_STORE_DOCUMENT_H
#define HUB_STORE_DOCUMENT_H

enum {
    STORE_DOCUMENT_NAME_MAX = 31,       /* a-z */
    STORE_DOCUMENT_BYTES_MAX = 1048576, /* of a text: UTF-8 without a NUL */
    STORE_DOCUMENTS_MAX = 16,
};

/* What has become of a text that was to be kept. */
enum document_kept {
    DOCUMENT_KEPT,
    DOCUMENT_OTHERS, /* somebody has changed it meanwhile */
    DOCUMENT_LATE,   /* it is kept, but some node has not taken it in time */
    DOCUMENT_FAILED,
};

#endif
