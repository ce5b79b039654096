// The tutorial and the rules in English, and what every other language falls back to. {T}, {L} and so on are the names of spells.

/** @type {{[key: string]: string}} */
export default {
  you: 'You',

  title_settle: 'Your family moves in',
  first_settle: 'You lead the red family. Its people live in three huts, at most six in each. In a hut with a man, each woman has a child every round.',
  second_settle: 'Elders have no children. Drag people between the huts, or tap a person and then a hut: above the button you read who it is.',
  task_settle: 'Settle everybody, so that each of your three women shares a hut with a man.',
  wrong_settle: 'That is allowed as well, but in hut {hut} a woman lives without a man: she would have no child.',
  done_settle: 'Three women who live with a man: three children will be born. A spell strikes a whole hut, so it is good to use several.',

  title_choose: 'Choose spells in secret',
  first_choose: 'Each round you may use as many spells as your totem has pieces, two here. Each one more costs a bird.',
  second_choose: 'You lay them aside face down. Everybody sees how many, and nobody which ones.',
  task_choose: 'Lay aside {T} and {L}.',
  wrong_choose: 'That is allowed as well, but choose both {T} and {L} this time: they are free.',
  wrong_choose_most: 'That is allowed as well, but the third spell would cost your only bird. Keep to {T} and {L}.',
  done_choose: 'You do not see what the others have chosen either, only how many it is.',

  title_cast: 'Cast a spell',
  first_cast: 'In turn, each family places a spell face down on any hut: on its own to help, on those of others to harm.',
  second_cast: 'Your spell is {T}: each woman of the hut has two children instead of one, if a man lives there. Your other spell lies on hut 3 already; a small picture shows you what it is.',
  task_cast: 'Place {T} on your hut where it brings most children: choose the spell, then the hut.',
  wrong_cast: 'That is allowed as well, but the hut is not yours: the children would make another family larger.',
  wrong_cast_R1: 'That is allowed as well, but there is no man in hut 1: nobody has children there, with {T} or without.',
  wrong_cast_R2: 'That is allowed as well, but only one woman lives in hut 2. In another hut there are two, and a man.',
  done_cast: 'The others see two red spells on hut 3, but not which ones. And somebody has placed a yellow one there!',

  title_reveal: 'Uncover it in time',
  first_reveal: 'A spell works only when its owner uncovers it, at the beginning of its own phase: {T} at the births.',
  second_reveal: 'Everybody with a spell face down is asked, so being asked tells nothing. What stays face down does nothing in this round.',
  task_reveal: 'The births come now. Choose {T} and uncover it.',
  wrong_reveal: 'That is allowed as well, but face down {T} does nothing, and this is its only phase in the round. Choose it, and uncover it.',
  done_reveal: 'Two women, four children! If {I} were uncovered on the same hut, the two would cancel each other.',

  title_starve: 'Birds and hunger',
  first_starve: 'After the births, boys and men hunt: a family catches a bird for every five of them, and for the rest another. Then a bird feeds five people.',
  second_starve: 'For each bird that is missing one person goes, but never an elder. A family without a woman or without a man dies out; children do not count.',
  task_starve: 'Two birds are missing. Choose two people who go, so that your family lives on.',
  wrong_starve: 'That is allowed as well, but then no woman or no man would be left, and the family would die out. Choose others.',
  done_starve: 'Your family lives on. Women bring children, hunters bring birds: it needs both.',

  title_elders: 'Keep an elder',
  first_elders: 'At the end of a round everybody grows older: children become young, the young mature, mature people elders. Elders go.',
  second_elders: 'Without an elder a family loses a piece of its totem. Your only elder is about to go, and nobody of yours is mature. {L} lies on hut 1: it keeps the elders of the hut.',
  task_elders: 'Uncover {L}, so that your elder stays.',
  wrong_elders: 'That is allowed as well, but the elder would go, and a piece of your totem with it.',
  done_elders: 'The elder stayed. And your family is one of the two largest: your totem has grown to four pieces.',

  title_write: 'All at the same time',
  first_write: 'At some tables spells are not placed in turn. All write theirs at the same time, in secret; when the last has written, the spells are laid.',
  second_write: 'Your totem has one piece, and you have no bird: you may write one spell. Green is the largest family. With {I} no children are born in the hut.',
  task_write: 'You are the last to write. Lay {I} on the hut of Green where most children would be born.',
  wrong_write: 'That is allowed as well, but you would use no spell. Choose {I}, then a hut of Green.',
  wrong_write_spell: 'That is allowed as well, but choose {I} this time.',
  wrong_write_hut: 'That is allowed as well, but it is not where Green has most children: look for many women, and a man.',
  done_write: 'Now all spells lie there at once. Until the last has written, you can take back what you wrote.',

  title_win: 'How to win',
  first_win: 'At the end of each round the two largest families add a piece to their totems. Whoever has six pieces first wins.',
  second_win: 'You have five. But Blue has {blue} people, Green {green} and you {red}. Your {P} lies on Green hut 1: half of each kind of grown-ups in the hut would die.',
  task_win: 'Become one of the two largest families: uncover {P}.',
  wrong_win: 'That is allowed as well, but then Blue and Green are the two largest, and your totem does not grow.',
  done_win: 'Green is smaller than you now. Your totem has its sixth piece: you have won!',
};
