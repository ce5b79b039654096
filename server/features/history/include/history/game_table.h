/*
 * Finished matches as they are kept: what those who sat there are shown later, whether the room can
 * still be read or not. A row for each of their sessions, which goes with the session, and with the
 * log of the room. They are asked for by pages, so none of them is in memory.
 */
#ifndef HISTORY_GAME_TABLE_H
#define HISTORY_GAME_TABLE_H

#include <hub/store_row.h>
#include <stdint.h>

enum { GAME_TEXT_MAX = 4096, GAMES_PAGE = 20 };

struct game_row {
    uint64_t session;
    int64_t at_ms; /* when it ended */
    char room[9];
    uint8_t seat; /* that the session had */
    uint16_t text_len;
    const char *text; /* borrowed: the line (room_write_ended) */
};

extern const struct store_table game_table;
/* Its only order, the newest first, and the column by which clients say where a page begins. */
enum { GAMES_NEWEST, GAME_ROOM = 2 };

#endif
