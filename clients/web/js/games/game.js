// What a game is to the page. A game is a folder beside this file whose module exports a `Game` by default, and one line in
// registry.js. The page (connection, rooms, lobby, clocks, chat, replay, menu) knows games through these types alone; a game
// uses of the page what ../dom.js, ../fields.js, ../frames.js, ../icons.js, ../learning.js and ../words.js offer, and nothing else.

/** @typedef {import('../wire.js').Message} Message a state, options or an answer of the server: protocol/README.md */
/** @typedef {import('../room.js').Moment} Moment */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box pixels */
/**
 * @typedef {object} Game
 * @property {string} id as in a room's `game`
 * @property {string} title
 * @property {string[]} styles addresses of its style sheets, loaded before anything of it is shown
 * @property {() => string} tagline one sentence, for the first page
 * @property {() => Element} picture for the first page; it may move, unless the visitor wants no motion
 * @property {() => FirstTurn} [firstTurn] a turn for somebody new, on the first page
 * @property {{names: string[], fetch: () => Promise<{default: Tips}>}} [tips] what is said in a first game when it matters for the first time
 * @property {() => Node[]} help how to play
 * @property {(state: Message) => Promise<SVGSVGElement>} [portrait] a drawing of the table to save as a picture; it has a viewBox
 * @property {() => Promise<{default: () => Lesson[]}>} [lessons] fetches the tutorial, if there is one
 * @property {() => Promise<{default: () => Element}>} [rules] fetches all the rules with pictures, if there is more than the help
 * @property {() => string[]} [learnt] addresses of what both are made of in the language that is spoken, to be kept for when there is no network
 * @property {boolean} analysis the page can show how good each turn of a match was that is over, if the server looks back at it
 * @property {boolean} hidden players hide something from each other: a match that is over can be looked at with the eyes of each
 *
 * @property {boolean} hints the server can say which turns are the best
 *
 * @property {string[]} colours the words for the colours of seats, in the order in which they are offered
 * @property {(colour: string) => string} colourName
 * @property {(colour: string) => Element} mark a small sign, so that colours can be told apart without seeing them
 * @property {(colour: string) => string} paint a class of its style sheets that sets `--paint` to the colour
 * @property {(colour: string) => Element[]} pieces pictures of what a player of this colour plays with, for the lobby
 *
 * @property {(options: Message) => number} seats how many
 * @property {(options: Message) => number[][] | null} teams the seats of each team; null if everybody plays alone
 * @property {(options: Message) => string[]} summary of the rules that were chosen, in a few words each
 * @property {(preset?: Message) => OptionsForm} optionsForm for a new table, as a preset has it
 * @property {() => Preset[]} presets tables as people like them; none if there is little to choose
 * @property {string[]} levels of computer players, weakest first: words of the page, `level_simple` for `simple`
 * @property {number} level the usual one, from 1
 * @property {(word: string) => string} levelLine what a level is like, in one short sentence
 * @property {{most: number, first?: number, options: (opponents: number) => Message}} solo a game against the computer; `first`: the opponents in
 *   the first one, after the lessons, if not one
 *
 * @property {(state: Message, seat: number) => string} turnLine whose turn it is for what, said to `seat` (-1: a watcher)
 * @property {(state: Message) => string} infoLine what else everybody should see at all times
 * @property {(state: Message, seat: number) => Card} card what a player's card shows
 * @property {(moment: Moment, before: Message, name: string) => string} eventSentence what happened, done by `name`, in one
 *   sentence; "" for events that the page can describe itself. `before`: the state before it
 * @property {(moment: Moment, before: Message) => string} [caption] the same in a few words, without a name: for the list of moves
 * @property {(state: Message) => string} [chapter] the part of the match in which the next move is made, for that list and the log; without
 *   it the moves are listed by turns
 * @property {(moment: Moment, before: Message) => {name: string, after: number}[]} [sounds] what a move sounds like: names of `voices`,
 *   each after so many ms; without it all moves sound alike
 * @property {() => Promise<{default: Voices}>} [voices] fetches its sounds
 * @property {(event: Message, name: string) => string} [outSentence] how somebody went out by a move of theirs; "" if it did not lead to that
 * @property {(moves: string[], state: Message) => string} [turnWords] a turn that may be played, or a part of it, in a few words; without it
 *   the moves themselves are shown
 * @property {(state: Message) => number[]} winners seats, when the match is over
 * @property {(why: string, state: Message) => string} reason why it is over, and what decided it, in a sentence or two; "" if the page
 *   knows the reason
 * @property {(state: Message) => Element | null} resultTable
 * @property {(code: string) => string} refusal why a request was refused, in the visitor's language; "" if the game does not know
 * @property {(field: string) => string} fieldName what an option of its is called, in the visitor's language; "" if it has none of that name
 *
 * @property {() => Promise<{TableView: ViewClass}>} view fetches what shows a room's table
 */
/**
 * A part of a sound: a body that is struck.
 * @typedef {object} Strike
 * @property {number} at seconds after the sound begins
 * @property {string} of what: wood, bar (of wood, with a clear tone), stone, or rumble
 * @property {number} pitch in hertz
 * @property {number} force from 0 to 1
 * @property {number} last seconds until it has faded; a sound ends within one
 */
/**
 * A turn that is played by one press after the other.
 * @typedef {object} FirstTurn
 * @property {SVGSVGElement} picture @property {number} ratio how many times wider than high it is
 * @property {{words: string, x: number, y: number, act: () => void}[]} steps what to do, where in the picture (0 to 1), and what it does
 * @property {string} done what to say at the end
 */
/**
 * @typedef {object} Tips
 * @property {(state: Message, moves: Message, seat: number) => string[]} now names of what matters, first what is met most seldom; `moves`: the
 *   server's answer
 * @property {(name: string) => string} words in a sentence or two
 */
/** @typedef {new (host: Host) => GameView} ViewClass */
/** Sounds by their names. @typedef {{[name: string]: Strike[]}} Voices */
/**
 * @typedef {object} OptionsForm the fields of the form for a new table
 * @property {Element[]} fields the most common options
 * @property {Element[]} ticks
 * @property {Element[]} moreFields the others
 * @property {Element[]} moreTicks
 * @property {() => Message} options what was chosen, as `create` wants it
 */
/**
 * @typedef {object} Card
 * @property {string} standing a word or two beside the name
 * @property {string} short the same in one or two letters, for small screens
 * @property {string} hint what `standing` means
 * @property {boolean} out the player is out of the match
 * @property {Element | null} stock what the player has
 */
/**
 * What a view can ask of the table that it is part of.
 * @typedef {object} Host
 * @property {(move: string, confirm?: boolean) => void} play sends a move; `confirm`: even if it ends the match for the player
 * @property {() => void} undo
 * @property {(move: string) => Promise<string>} explain why the server would refuse a move; "" if it would not
 * @property {() => void} hint asks for the best turns, if that can be done now
 * @property {() => void} reworded places are called otherwise now, as the view was turned: what is on the screen is to be said anew
 * @property {Map<string, any>} kept what a view leaves for the next one of the same player at the same table
 * @property {(text: string, passing?: boolean) => void} say to a screen reader; `passing`: not if something else follows at once
 */
/**
 * A turn to point out in the picture, from the state that is shown.
 * @typedef {object} Advice
 * @property {number} seat whose turn it is
 * @property {string[]} moves the best that is known, one after the other
 * @property {string[]} instead what was played instead; empty if nothing was yet
 * @property {string} mark a sign for what was played, "?" for a mistake; "" without one
 */
/**
 * A lesson of the tutorial.
 * @typedef {object} Lesson
 * @property {string} id
 * @property {string} title
 * @property {string[]} text what is taught, a paragraph each
 * @property {string} task what to do now
 * @property {string} done what to say when it has been done
 * @property {() => Trial} begin
 */
/**
 * A lesson as it is tried: it stands for the server. Its `play` changes the other values.
 * @typedef {object} Trial
 * @property {number} seat the learner's
 * @property {Message} state
 * @property {Moment[]} past
 * @property {Message | null} moves all that are legal; null when the lesson is done
 * @property {boolean} canUndo
 * @property {(move: string) => Outcome} play a legal move
 * @property {(move: string) => string} explain why a move is illegal
 * @property {() => void} undo begins again
 * @property {(view: GameView) => void} prepare called once the view shows the beginning
 */
/** What came of a legal move: whether it is what the lesson is about, and what to say to it. @typedef {{right: boolean, words: string}} Outcome */
/**
 * A table as people like it.
 * @typedef {object} Preset
 * @property {string} title
 * @property {string} line what it is like
 * @property {Message} options for `optionsForm`
 * @property {string} clock one of the clocks of ../create.js
 */
/**
 * One moment of a match, as one visitor sees it.
 * @typedef {object} Shown
 * @property {Message} state
 * @property {Moment[]} past the moments up to the one shown, which is the last
 * @property {number} seat the visitor's, -1 for a watcher, and for whoever looks back with the eyes of others
 * @property {boolean} live it is the latest moment; else the match is replayed
 * @property {boolean} mayAct the visitor may move now
 * @property {Message | null} moves the server's answer to `moves`; null if the visitor may not move, or it is not there yet
 * @property {boolean} busy a move has been sent and is not answered yet
 * @property {string} trouble why the last move was refused
 * @property {Advice | null} advice
 */
/**
 * The game's part of a table.
 * @typedef {object} GameView
 * @property {HTMLElement} picture fills the middle of the screen; it has the class `board` and can have the focus
 * @property {HTMLElement} prompt what the visitor can do, and the choices
 * @property {Element[]} tools buttons for the picture
 * @property {() => void} [opened] takes the focus, when the table is opened; without it the picture does
 * @property {() => void} [closed] the table is left
 * @property {(shown: Shown) => void} show
 * @property {(panels: Box[]) => void} cover says which parts of the picture lie under panels, in pixels of it
 */

export {};
