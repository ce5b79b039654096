// Why a move is illegal, in English: elsewhere the server says it. The game's texts have it in the other languages.

/** @type {{[code: string]: string}} */
export default {
  not_adjacent_to_island: 'The tile must share at least one side with the island.',
  overlaps_island_edge: 'The tile lies partly on the island and partly on the table: it must be all one or all the other.',
  levels_differ: 'The hexes under the tile are not all on the same level.',
  not_on_volcano: 'An eruption needs the tile’s volcano on a volcano.',
  volcano_faces_same_way: 'The volcano below faces the same way: turn the tile, so that it covers two tiles.',
  covers_tower: 'A tower can never be covered.',
  covers_temple: 'A temple can never be covered.',
  covers_whole_settlement: 'The tile would cover a whole settlement; something of it must stay.',
  eliminates_you: 'After this tile you could build nothing and would be out of the game.',
  not_on_island: 'This hex is not part of the island.',
  on_volcano: 'Nothing can be built on a volcano.',
  hex_occupied: 'There is a building on this hex already.',
  not_enough_huts: 'You have not enough huts left for this.',
  no_tower_left: 'You have no tower left.',
  no_temple_left: 'You have no temple left.',
  hut_above_level_1: 'A new settlement is founded on level 1 only.',
  next_to_own_building: 'A single hut may not touch your own buildings: expand that settlement instead.',
  tower_below_level_3: 'A tower needs level 3 or higher.',
  no_settlement_adjacent: 'None of your settlements touches this hex.',
  settlement_has_tower: 'This settlement has its tower already.',
  settlement_has_temple: 'This settlement has its temple already.',
  settlement_too_small: 'A temple needs a settlement of at least three hexes beside it.',
};
