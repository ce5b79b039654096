/* Taluva for rooms: the rules of rules/ behind the functions of games/game.h. */
#ifndef TALUVA_GAME_H
#define TALUVA_GAME_H

struct game_type;

extern const struct game_type game_type_taluva;

#endif
