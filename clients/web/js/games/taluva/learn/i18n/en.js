// The tutorial and the rules in English, and what every other language falls back to.

/** @type {{[key: string]: string}} */
export default {
  you: 'You',
  opponent: 'Opponent',
  not_there: 'A hut goes on a field of level 1 that is free: not on a volcano, not on the water.',

  title_extend: 'The island grows',
  first_extend: 'Each turn begins with a tile: a volcano and two fields. It goes beside the island and touches it along at least one side. The fields need not match.',
  second_extend: 'A white dot is a place for the tile’s volcano. Tap one; tap the tile to turn it; then press Place.',
  task_extend: 'Put the tile beside the island, wherever you like.',
  then_extend: 'The island has grown. A turn ends with exactly one building: found a settlement with a hut on any free field.',
  done_extend: 'That is a turn: first a tile, then one building. You had to build, and nothing more than once.',

  title_erupt: 'Volcanoes erupt',
  first_erupt: 'A tile may also go on top of the island. It must cover at least two tiles that lie on one level, and its volcano must lie on a volcano. The new land is one level higher.',
  second_erupt: 'Huts beneath are crushed. But an eruption never covers a whole settlement, a tower or a temple.',
  task_erupt: 'Let a volcano erupt: choose a dot on a volcano of the island.',
  wrong_erupt: 'That is allowed as well, but it is new land. Pick the tile up, and choose a dot that lies on a volcano.',
  done_erupt: 'The land is on level 2 now: the number on a hex is its level. What lies high is worth more, as you will see.',

  title_facing: 'The lava must flow elsewhere',
  first_facing: 'Each volcano faces a corner between its two fields: the lava shows it. In an eruption the new volcano must face another way than the one beneath.',
  second_facing: 'Here the tile lies exactly on one other tile, so both volcanoes face the same way. That is forbidden.',
  task_facing: 'Turn the tile until the eruption is allowed, and place it. Tap it, use the arrows beside it, or press R.',
  wrong_facing: 'That is allowed as well, but it is new land. Put the tile’s volcano on a volcano of the island, turned another way.',
  done_facing: 'Another direction means that the tile covers parts of two tiles or more. That is all there is to remember.',

  title_expand: 'Settlements expand',
  first_expand: 'Instead of founding a settlement you may expand one. Choose one kind of terrain: every free field of it that touches the settlement gets huts.',
  second_expand: 'A field takes as many huts as its level: one on level 1, two on level 2. You must be able to pay for all of them.',
  task_expand: 'Expand the settlement over the clearing on two fields: three huts.',
  wrong_expand: 'That is allowed as well, but smaller. Look for the expansion over clearings that takes three huts.',
  done_expand: 'Three huts in one turn. Expanding is the fast way to place your twenty huts, and it makes settlements large enough for a temple.',

  title_temple: 'A temple',
  first_temple: 'A temple goes beside one of your settlements that has at least three hexes and no temple yet. Any level will do.',
  second_temple: 'Your settlement has four hexes now. You have three temples.',
  task_temple: 'Build a temple beside your large settlement.',
  wrong_temple: 'That is allowed as well, but choose the temple this time.',
  done_temple: 'Nobody can ever cover a temple, so it protects the field beneath it.',

  title_tower: 'A tower',
  first_tower: 'A tower goes on level 3 or higher, beside one of your settlements that has no tower yet.',
  second_tower: 'You have just let a volcano erupt up to level 3, beside your settlement. You have two towers.',
  task_tower: 'Build a tower on the field of level 3.',
  wrong_tower: 'That is allowed as well, but such a chance is rare: choose the tower.',
  done_tower: 'Few fields are that high. Build there before somebody else does.',

  title_out: 'Beware of being out',
  first_out: 'Whoever can build nothing after placing the tile is out of the game. This is a game near its end: all your huts are placed, so only a temple or a tower is left to you.',
  second_out: 'A triangle warns: with the tile there you could build nothing.',
  task_out: 'Find a place for the tile that leaves you something to build.',
  wrong_out: 'After that you could build nothing: you would be out, and the other would win at once. Look for a dot without a warning.',
  done_out: 'Well seen. Keep a few huts in reserve: then there is nearly always something to build.',

  title_win: 'How to win',
  first_win: 'Whoever has placed all pieces of two kinds wins at once: twenty huts, three temples, two towers. Crushed huts count as placed.',
  second_win: 'If the tiles run out before, most temples win; if equal, most towers; then most huts.',
  task_win: 'All your huts are placed, and one of your two towers. Win the game.',
  wrong_win: 'A temple does not win yet: you have three of them left. One tower would be the last piece of its kind.',
  done_win: 'You have won: all huts and all towers are placed, two kinds.',
};
