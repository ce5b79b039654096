/* The log of an event (event/audit.h), for people and for programs: whether it follows, and how
 * everybody stands by it. */
#ifndef CLI_EVENT_VERIFY_H
#define CLI_EVENT_VERIFY_H

#include <cli/file.h>
#include <stdbool.h>

/*
 * An exit code:
 *     EXIT_OK        all of it follows; of an event that has not ended as far as can be known by
 * then EXIT_DIFFERS   an entry does not EXIT_DATA      it is no log of an event
 */
int event_verify_log(const struct file *file, bool json);

#endif
