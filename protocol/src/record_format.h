/*
 * How a record is written, and why it cannot be: shared by record_write and record_parse. The
 * writer is the one judge of what a record may say; the parser takes lines apart, has what it found
 * written again and compares.
 */
#ifndef PROTOCOL_RECORD_FORMAT_H
#define PROTOCOL_RECORD_FORMAT_H

#include <protocol/record.h>

/* At most so many lines come before the turns, the empty one included. */
enum { RECORD_HEADERS = 3 * RECORD_PAIRS + 4 * PROTOCOL_SEATS + 16 };

/*
 * Appends the record line by line. NULL if all is well, else why the line after the last whole one
 * cannot be written (static); that memory ran out is seen in `out->failed` alone.
 */
const char *record_format(struct buffer *out, const struct record *record);

#endif
