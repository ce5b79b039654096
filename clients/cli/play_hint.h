/* `hint` at the table: the turns that the server thinks best, with what each player can hope for.
 */
#ifndef CLI_PLAY_HINT_H
#define CLI_PLAY_HINT_H

#include <cli/game.h>
#include <jansson.h>
#include <stdio.h>

/* `turns` of the answer to `hint`, as a page. */
void hint_print(const struct game *game, const struct game_room *room, const json_t *turns,
                FILE *out);

#endif
