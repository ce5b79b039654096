/* Totem for rooms: the rules of rules/ behind the functions of games/game.h. */
#ifndef TOTEM_GAME_H
#define TOTEM_GAME_H

struct game_type;

extern const struct game_type game_type_totem;

#endif
