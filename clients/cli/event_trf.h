/* The report file (pairing/trf.h) of a Swiss event, from its log. */
#ifndef CLI_EVENT_TRF_H
#define CLI_EVENT_TRF_H

#include <cli/file.h>

/*
 * An exit code:
 *     EXIT_OK        it is on the standard output
 *     EXIT_DIFFERS   an entry does not follow
 *     EXIT_DATA      it is no log, not of a Swiss event, or of one that has not ended
 */
int event_print_report(const struct file *file);

#endif
