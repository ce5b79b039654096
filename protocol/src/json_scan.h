/*
 * Is this one JSON text (RFC 8259), and does it nest no deeper than allowed? Looks at bytes,
 * allocates nothing.
 *
 * It stands before jansson, which cannot tell bad text from no memory, recurses as deep as a peer
 * likes (up to 2048) and allocates while it finds out. Stricter than the RFC in one thing, as
 * jansson is: no U+0000 in strings.
 */
#ifndef PROTOCOL_JSON_SCAN_H
#define PROTOCOL_JSON_SCAN_H

#include <stddef.h>

enum json_scan { JSON_SCAN_FINE, JSON_SCAN_BAD, JSON_SCAN_TOO_DEEP };

enum json_scan json_scan(const char *bytes, size_t len, unsigned depth_max);

#endif
