/* What the files of the guest book share: the words, and its pages of HTTP. */
#ifndef SUPPORT_GUEST_BOOK_PRIVATE_H
#define SUPPORT_GUEST_BOOK_PRIVATE_H

#include "guest_book.h"
#include <features/feature.h>
#include <stdbool.h>
#include <stdint.h>

enum { WORD_BYTES = 64 };

struct word {
    uint64_t session; /* 0: the server's own */
    int64_t at_ms;
    char text[WORD_BYTES];
};

struct book {
    struct word words[GUEST_BOOK_WORDS];
    unsigned count, begun;
    int players; /* of a room that is opened */
    bool hurries, draws;
    uint64_t whom; /* is greeted next */
    char greeting[WORD_BYTES], farewell[WORD_BYTES];
    uint32_t kept;       /* words, in this part */
    uint64_t pages;      /* of the desk's */
    char *cover;         /* only to see that what begins is ended */
    const char *welcome; /* NULL: no document holds yet */
};

struct book *guest_book_of(const struct hub *hub);
bool guest_book_has_place(const struct book *book);
void guest_book_add_word(struct hub *hub, uint64_t session, const char *text);
/* Puts a row of it into the batch that fills, in which there is place for it. */
void guest_book_keep_word(struct hub *hub, uint64_t session, const char *text);

/* Whoever wants to change the document, and is shown it (guest_welcome.c). */
void guest_welcome_change(struct call *call);
void guest_welcome_write_hello(const struct hub *hub, const struct session *session,
                               struct writer *writer);

enum { GUEST_PAGES = 8 };
extern const struct feature_page guest_pages[GUEST_PAGES];

#endif
