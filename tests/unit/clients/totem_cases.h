/*
 * States of Totem as the server writes them, by hand (tests/unit/clients/totem): `state`, `seat`,
 * and where it is that seat's move `legal`, the answer to `moves`.
 */
#ifndef TESTS_UNIT_CLIENTS_TOTEM_CASES_H
#define TESTS_UNIT_CLIENTS_TOTEM_CASES_H

#include <cli/game.h>

json_t *read_case(const char *name);
struct game_room room_of(const json_t *of); /* borrows */

#endif
