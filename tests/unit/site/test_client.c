/* What a client said and what it is told, one behind the other. */
#include "clients/client.h"
#include "suites.h"
#include <stdlib.h>

static struct messages queue;

static struct message *message(size_t len)
{
    struct message *made = message_new(len);
    ck_assert_ptr_nonnull(made);
    return made;
}

static void pops(size_t len, size_t bytes_left)
{
    struct message *popped = messages_pop(&queue);
    ck_assert_ptr_nonnull(popped);
    ck_assert_uint_eq(popped->len, len);
    ck_assert_uint_eq(queue.bytes, bytes_left);
    free(popped);
}

/* Their bytes are counted, as they are bounded, whichever end a message comes to. */
START_TEST(test_both_ends)
{
    messages_add_first(&queue, message(1));
    messages_add(&queue, message(20));
    messages_add_first(&queue, message(300));
    messages_add(&queue, message(4000));
    ck_assert_uint_eq(queue.bytes, 4321);
    pops(300, 4021);
    pops(1, 4020);
    pops(20, 4000);
    messages_add_first(&queue, message(50000));
    pops(50000, 4000);
    pops(4000, 0);
    ck_assert_ptr_null(messages_pop(&queue));
    messages_add(&queue, message(6));
    messages_clear(&queue);
    ck_assert_uint_eq(queue.bytes, 0);
    ck_assert_ptr_null(queue.first);
}
END_TEST

Suite *client_suite(void)
{
    Suite *suite = suite_create("a client of a site");
    TCase *tcase = tcase_create("messages");
    tcase_add_test(tcase, test_both_ends);
    suite_add_tcase(suite, tcase);
    return suite;
}
