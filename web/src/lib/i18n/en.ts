// English. Every key of every language is here; a text that depends on a number has one form for each.

export const en = {
  you: 'You', yes: 'yes', no: 'no', table: 'Table', 'table.name': 'table {id}', close: 'Close', back: 'Back', next: 'Next',
  clear: 'Clear', confirm: 'Confirm', send: 'Send', copy: 'Copy', retry: 'Try again', resume: 'Resume', watch: 'Watch', watching: 'Watching',
  chosen: 'chosen', again: 'Play again', replay: 'Replay', over: 'The match is over', loading: 'Opening {id}', sound: 'Sound', settings: 'Settings',
  hand: 'Hand', 'hand.yours': 'Your hand', 'hand.of': 'Hand of {who}', link: 'Link to this table', 'link.copied': 'Link copied', fill: 'Fill with bots',
  lost: 'There is nothing here', 'lost.text': 'The address may be old, or mistyped.', 'title.turn': 'Your turn',
  conflict: 'Too late: the table had moved on.', 'clock.left': { one: '{n} second left', other: '{n} seconds left' }, 'clock.since': { one: 'waited for, {n} second so far', other: 'waited for, {n} seconds so far' },

  nav: 'Main', 'nav.lobby': 'Play', 'nav.watch': 'Watch', 'nav.replays': 'Replays', 'nav.me': 'Profile',
  'conn.on': 'Connected', 'conn.off': 'Not connected', 'seat.away': 'Away',
  seats: { one: '{n} seat', other: '{n} seats' }, 'seats.range': '{min} to {max} seats',

  'lobby.play': 'Play', 'lobby.playNow': 'Play now', 'lobby.playNowAria': 'Play now: {game}, with bots', 'lobby.invite': 'Invite', 'lobby.inviteAria': 'Invite friends: {game}',
  'lobby.more': 'More games', 'lobby.live': 'Live tables', 'lobby.back': 'Back to the lobby', 'lobby.held': 'Your seat is held', 'lobby.heldAt': 'Your seat is held: {game}',
  'lobby.heldMore': { one: 'and {n} more', other: 'and {n} more' }, 'lobby.tables': { one: '{n} table', other: '{n} tables' },
  'lobby.failed': 'The table could not be opened. Try again.', 'lobby.unreachable': 'The server does not answer', 'lobby.unreachableText': 'It may be restarting. Tables are safe and come back as they were.',
  'game.battle': 'three slots, 20 s', 'game.hearts': 'thirteen tricks, fewest points', 'game.draft': 'pick, pass, build a deck', 'game.oxo': 'three in a row', 'game.sharing': 'call, and share or not',
  'live.waiting': 'waiting, {n} of {of} seats', 'live.yours': 'your seat', 'live.running': 'running', 'live.paused': 'paused', 'live.over': 'over', 'live.none': 'No table runs right now. Open one: bots are always here.',
  'replays.none': 'No match has ended yet. Play one, then see it again here.',

  'me.name': 'Your name at tables', 'me.rule': '{min} to {max} letters, digits, spaces, - or _', 'me.save': 'Save the name', 'me.saved': 'Name saved', 'me.tables': 'Your tables',
  'me.noTables': 'You have not sat down anywhere yet.', 'me.forget': 'Forget table {id}',

  'me.account': 'Your account', 'me.tokens': 'Tokens', 'me.rating': 'Rating', 'me.league': 'League', 'league.wood': 'Wood', 'league.iron': 'Iron', 'league.bronze': 'Bronze', 'league.silver': 'Silver', 'league.gold': 'Gold', 'league.mythic': 'Mythic',
  queue: 'Queue', 'queue.join': 'Find players: {game}', 'queue.finding': 'Finding players: {game}', 'queue.position': 'place {n}', 'queue.bots': 'bots at 0:30', cancel: 'Cancel',

  'settings.theme': 'Colours', 'theme.system': 'System', 'theme.dark': 'Dark', 'theme.light': 'Light', 'settings.language': 'Language', 'settings.deck': 'Cards',
  'settings.colours': { one: '{n} colour', other: '{n} colours' }, 'settings.oneTap': 'Play with one press', 'settings.notify': 'Tell me when it is my turn',

  'waiting.all': 'Waiting for the others', 'waiting.one': 'To play: {who}', 'waiting.more': { one: 'Waiting for {n} more', other: 'Waiting for {n} more' }, 'waiting.start': 'Everybody is here',
  leave: 'Leave the table', 'leave.title': 'Leave for good?', 'leave.text': 'Your seat is given away, and a match that runs may be lost. To come back later, just close the page: the seat is held.', 'leave.yes': 'Leave and give up', 'leave.no': 'Stay',
  undo: 'Take back', 'undo.asked': '{who} asks to take a move back',
  chat: 'Chat', 'chat.say': 'Say something', 'chat.send': 'Send the message',

  'banner.lost': 'Connection lost.', 'banner.lostText': 'Trying again.', 'banner.held': { one: 'Trying again. Your seat is held for {n} s.', other: 'Trying again. Your seat is held for {n} s.' },
  'banner.restarting': 'The server is restarting.', 'banner.restartingText': 'All clocks are stopped; the table comes back as it was.',
  'banner.paused': 'The table stands still.', 'banner.readOnly': 'Nothing can be stored right now.', 'banner.readOnlyText': 'Clocks are stopped until the server can write again.',
  'closed.taken_over': 'Your seat is open in another tab', 'closed.taken_over.text': 'Only one tab plays at a time. The game goes on there.', 'closed.takeBack': 'Play here instead',
  'closed.left': 'You have left this table', 'closed.left.text': 'The seat is free for somebody else.', 'closed.game_not_found': 'This table is gone', 'closed.game_not_found.text': 'It has ended, or the link is wrong.',
  'closed.game_full': 'All seats are taken', 'closed.game_full.text': 'You can watch, or open a table of your own.', 'closed.game_started': 'This match has begun', 'closed.game_started.text': 'You can watch it.',
  'closed.name_taken': 'Somebody here has your name', 'closed.name_taken.text': 'Choose another one in your profile.', 'closed.gave_up': 'The server does not answer', 'closed.gave_up.text': 'The table is safe; try again in a while.', 'closed.other': 'This table cannot be opened',
  'over.agreed': 'agreed: {who}', 'over.won': 'You won', 'over.winner': '{who} won', 'over.draw': 'A draw', 'over.stopped': 'The match was stopped', 'over.place': 'Place {n} of {of}', 'over.seed': 'The deal can be checked: its seed is published.',

  'why.not': 'not possible: {why}', 'why.title': '{what}: not now', 'why.label': '{what}, not possible: {why}',
  'select.exactly': { one: 'Choose {n}', other: 'Choose {n}' }, 'select.atLeast': { one: 'Choose at least {n}', other: 'Choose at least {n}' }, 'select.atMost': { one: 'Choose at most {n}', other: 'Choose at most {n}' },
  'select.inside': 'Choose inside {of}', 'select.range': 'Choose {min} to {max}', 'select.ready': 'Ready to send', 'select.alone': 'alone', 'select.extra': 'beside the others',
  'generic.action': 'Your answer, as JSON', 'generic.notJson': 'This is not JSON yet', 'generic.none': 'empty',

  'card.of': '{rank} of {suit}', 'card.down': 'face-down card', 'suit.c': 'clubs', 'suit.d': 'diamonds', 'suit.s': 'spades', 'suit.h': 'hearts',
  'rank.2': '2', 'rank.3': '3', 'rank.4': '4', 'rank.5': '5', 'rank.6': '6', 'rank.7': '7', 'rank.8': '8', 'rank.9': '9', 'rank.10': '10', 'rank.J': 'jack', 'rank.Q': 'queen', 'rank.K': 'king', 'rank.A': 'ace',

  'hearts.pass': 'Pass three cards to {who}', 'hearts.passNote': 'You get three from {who}. All four passes are shown at once.', 'hearts.passN': { one: 'Pass {n} card', other: 'Pass {n} cards' }, 'hearts.passing': 'Cards are passed', 'hearts.waitPass': 'Waiting for the others to pass',
  'hearts.chosen': '{n} of {of} chosen', 'hearts.takeBack': 'chosen, press to take back', 'hearts.enough': 'Three are chosen. Take one back first.', 'hearts.follow': 'Follow: {suit}', 'hearts.led': '{who} led {card}.',
  'hearts.broken': 'Hearts are broken.', 'hearts.notBroken': 'Hearts are not broken.', 'hearts.play': 'Play {card}', 'hearts.choose': 'Play', 'hearts.chooseFirst': 'Choose a card first.', 'hearts.highest': 'highest', 'hearts.trick': 'Trick',
  'hearts.sub': { one: '+{n} point', other: '+{n} points' }, 'hearts.scores': 'Scores, lowest wins', 'hearts.total': 'Total', 'hearts.thisDeal': 'this deal', 'hearts.deal': 'Deal', 'hearts.earlier': 'before', 'hearts.moon': '{who} took all 26',
  'hearts.why.follow': 'You must follow the suit that was led, {suit}: {cards}', 'hearts.why.first': 'No points in the first trick.', 'hearts.why.broken': 'Hearts cannot be led before one was played.',

  'draft.waiting': 'Waiting for the next pack', 'draft.done': 'The decks are open', 'draft.hint': { one: '{n} card in the pack; the rest goes on', other: '{n} cards in the pack; the rest goes on' }, 'draft.has': { one: '{n} card', other: '{n} cards' },
  'draft.pack': 'The pack', 'draft.pool': 'Your picks', 'draft.openOf': '{who}: pack, then picks in grey', 'draft.nothingYet': 'Nothing yet', 'draft.noPack': 'No pack in front of you', 'draft.take': 'Take {card}', 'draft.choose': 'Take', 'draft.build': { one: 'Build with {n} card', other: 'Build with {n} cards' }, 'draft.enough': 'The deck has {n} cards. Take one out first.',

  board: 'Board', 'board.cell': '{cell}, {what}', 'board.free': 'free', 'board.cross': 'Cross', 'board.ring': 'Ring', 'board.hint': 'Press a cell',

  'battle.attack': 'Attack', 'battle.defense': 'Defense', 'battle.heal': 'Heal', 'battle.counter': 'Counter', 'battle.none': 'nothing',
  'battle.does.attack': '2 damage', 'battle.does.defense': 'blocks an attack', 'battle.does.heal': '+1 HP', 'battle.does.counter': 'returns an attack',
  'battle.beats.attack': '2 damage to heal, to attack and to an empty slot', 'battle.beats.defense': 'stops an attack', 'battle.beats.heal': '+1 HP first, stops nothing', 'battle.beats.counter': 'sends an attack back',
  'battle.rules': 'What beats what', 'battle.hp': 'HP', 'battle.hpOf': '{n} of {of} HP', 'battle.slots': 'Your slots', 'battle.sealed': 'sealed until the reveal', 'battle.sealedNote': 'Both sides stay sealed until the reveal', 'battle.suddenDeath': 'Sudden death: the first difference decides',
  'battle.putHere': 'Put a card here', 'battle.empty': 'empty', 'battle.noCard': 'no card', 'battle.inSlot': 'in slot {n}, press to take back', 'battle.placed': 'placed in a slot',
  'battle.fill': 'Fill slot {n}', 'battle.fillOr': { one: 'Fill slot {n}, or confirm', other: 'Fill slot {n}, or confirm' }, 'battle.confirmAll': 'Three cards lie. Confirm?', 'battle.saved': 'Your draft is saved. An empty slot plays nothing.', 'battle.nothing': 'Two rounds without a card or a press lose the match.', 'battle.nothingLaid': 'Nothing is laid yet.',
  'battle.confirmed': 'Confirmed', 'battle.waiting': 'Confirmed. Waiting for {who}', 'battle.revealing': 'The reveal begins', 'battle.beat': 'Beat {n}', 'battle.beatOf': 'Beat {n} of {of}. The round goes on by itself.', 'battle.notYet': 'Not shown yet', 'battle.noChange': 'No change', 'battle.thisRound': '{n} this round',
  'battle.effect.both': 'Both attacks land', 'battle.effect.counter': 'The counter sends the attack back', 'battle.effect.defense': 'The defense stops the attack', 'battle.effect.healHit': 'Heal first, then the attack lands', 'battle.effect.hit': 'The attack lands', 'battle.effect.heal': 'Healing, up to 10', 'battle.effect.nothing': 'Nothing happens',

  'rules.active': 'active', 'rules.lost': 'out', 'rules.stack': 'Stack', 'rules.stackTop': 'Stack, top resolves first', 'rules.stackEmpty': 'Nothing waits.',
  'rules.stackMore': { one: 'and {n} more', other: 'and {n} more' }, 'rules.mayRespond': 'You may respond',
  'rules.mayRespondText': 'before this resolves. What you add goes on top.', 'rules.by': 'by {who}', 'rules.cause': 'because of {what}',
  'rules.steps': 'Steps of the turn', 'rules.turn': 'Turn {n}', 'rules.passUntil': 'Pass by itself until', 'rules.stopAt': 'Stop and ask me at', 'rules.places': 'Your places', 'rules.shares': 'Shares',
  'rules.less': '{what}: less', 'rules.more': '{what}: more', 'rules.left': { one: '{n} left to give', other: '{n} left to give' },
  'rules.which': '{what}: what do you do?', 'rules.respond': 'Respond to {what}?', 'rules.act': 'Act or pass',
  'rules.canDo': { one: '{n} thing can be used', other: '{n} things can be used' }, 'rules.order': 'Press them in the order you want',
  'rules.pickTarget': 'What glows can be chosen', 'rules.choose': 'Choose {what}', 'rules.zoneOf': '{who}: {zone}', 'rules.zoneYours': 'Your {zone}',
  'rules.noHand': 'No cards in hand', 'rules.pass': 'Pass', 'rules.aCard': 'a card', 'rules.cards': { one: '{n} card', other: '{n} cards' }, 'log.turn': 'Turn {n}, {who}',
  'log.moved': '{what} to {to}', 'log.drew': 'drew {what}', 'log.prevented': 'Prevented: {what}', 'log.preventedBy': 'Prevented: {what}, by {by} ({who})', 'log.verdict': 'Stopped by a limit: {what}', 'log.revealed': 'Shown: {what}',
  'log.answered': '{who} has answered', 'replay.playOn': 'Play on from here', 'replay.playOnAs': 'Play on from here as {who}, against bots',
  'replay.playOnEnd': 'The match is over here. Go back to a moment before the end.', 'replay.playOnSeat': 'Choose a player first: whose place do you take?',
  'table.continued': 'played on from {id}, move {n}',

  log: 'Log', 'log.open': 'Log and chat', 'log.empty': 'What happens is written here.', 'log.deal': 'Deal {n}', 'log.round': 'Round {n}', 'log.suddenDeath': 'Round {n}, sudden death', 'log.passed': 'Passed to {who}: {cards}', 'log.leads': 'Leads: {who}', 'log.played': '{who}: {what}', 'log.trick': { one: 'Trick to {who}, {n} point', other: 'Trick to {who}, {n} points' },
  'log.moon': '{who} took all 26 points: they count for the others', 'log.scores': 'Scores: {scores}', 'log.youTook': 'You took {what}', 'log.took': '{who}: a card', 'log.drafted': 'Draft saved', 'log.confirmed': 'Layout confirmed', 'log.pair': '{a} against {b}.', 'log.undone': 'Taken back',

  'replay.none': 'There is no replay', 'replay.seat': 'Through whose eyes', 'replay.gallery': 'Gallery', 'replay.shown': 'What is shown', 'replay.asSeen': 'As they saw it', 'replay.allHands': 'All hands', 'replay.steps': 'Steps', 'replay.of': 'of {n}',
  'replay.start': 'Start', 'replay.end': 'End', 'replay.prev': 'Previous action', 'replay.next': 'Next action', 'replay.prevRound': 'Previous round', 'replay.nextRound': 'Next round', 'replay.play': 'Play', 'replay.pause': 'Pause', 'replay.first': 'This is the first beat',
  'replay.position': 'Position in the match', 'replay.valueText': 'Step {n} of {of}. {what}', 'replay.link': 'Copy a link to this moment', 'replay.copied': 'Link to this moment copied', 'replay.export': 'Download the log', 'replay.verified': 'Verified', 'replay.verifiedLong': 'Verified: same result when played again', 'replay.markEnd': 'end', 'replay.markThink': 'long think',
  'hearts.at': 'Deal {n} · trick {trick}', 'hearts.toLeft': 'to {who}, on your left', 'hearts.toRight': 'to {who}, on your right', 'hearts.toAcross': 'to {who}, across the table',
  'hearts.got': '{who} passed you {cards}', 'hearts.new': 'new in your hand', 'hearts.takes': 'takes it', 'hearts.takesN': 'takes it, +{n}',
  'over.asked': 'Waiting for {who}', 'over.show': 'Result', bot: 'Bot', share: 'Share the link', 'waiting.owner': 'Send the link to friends, or let bots take the empty seats.',
  'waiting.guest': 'The match begins when every seat is taken.', 'waiting.seat': 'free seat', 'lobby.choose': 'Choose a game', 'lobby.find': 'Find players', 'lobby.hello': 'Welcome',
  'lobby.helloText': 'Choose a game and you sit at a table with bots at once, without an account. A link invites friends.',
  'draft.gallery': 'Packs stay hidden from the gallery until the decks are open.', 'colour.White': 'White', 'colour.Blue': 'Blue', 'colour.Black': 'Black', 'colour.Red': 'Red',
  'colour.Green': 'Green',
  'rules.cost': 'costs {n}', 'closed.not_invited': 'This table is private',
  'closed.not_invited.text': 'Only people who were invited can sit down here. Ask for a link, or open a table of your own.',
  help: 'How to play', keys: 'Keys', 'help.glow': 'What you can press has an amber frame. Anything grey says why when you point at it, or hold a finger on it.',
  'keys.walk': 'Walk from one to the next', 'keys.send': 'Play or send what is chosen', 'keys.clear': 'Take the choice back', 'keys.lay': 'Lay a card into the next slot',
  'keys.takeBack': 'Take the last card back', 'keys.beats': 'Look at another beat', 'keys.choose': 'Choose by number', 'keys.press': 'Press it', 'keys.hand': 'Choose a card of your hand',
  'keys.pass': 'Pass', 'keys.tab': 'Go to the next group',
  'how.hearts': 'Pass three cards, then play thirteen tricks. Follow the suit that was led if you can; the highest card of it takes the trick. Every heart is one point, the queen of spades thirteen. Fewest points win; whoever takes all 26 gives them to the others.',
  'how.battle': 'Lay up to three of your four cards face down. Both layouts are shown at once, beat by beat: an attack takes 2 HP, a defense stops it, a counter sends it back, a heal gives 1 HP. Without HP you have lost; after three rounds more HP wins.',
  'how.draft': 'Take one card of the pack and pass the rest on, until the packs are empty. Then build a deck of your picks. The number on a card is its strength, and every pair of one colour adds 1: the strongest deck wins.',
  'how.oxo': 'Take cells in turn. Three in a row win, in any direction.',
  'how.sharing': 'On your turn draw a card, lay one open, or call. A call scores a card of your hand; everybody who shows at least as many symbols as you scores one too, and then you draw. Most points win.',
  'draft.strength': 'strength {n}',
  'rules.nothing': 'Nothing can be used right now',
} as const;

/** Words of the engine that are codes, not sentences. */
export const phrases: Record<string, string> = {
  'until somebody else acts': 'Somebody else acts', 'until the turn is over': 'The turn is over', 'until my turn': 'My turn', 'Act or pass': 'Act or pass',
  normal: 'decided by HP', 'fewest points': 'fewest points win', 'most points': 'most points win', 'strongest deck': 'the strongest deck wins', timeout: 'nobody was there in time', disconnect: 'the other player left', forfeit: 'given up', enough: 'enough moves were made', killed: 'stopped',
};

/** Where the engine's own words speak of names that nobody at a table knows. */
export const faults: Record<string, string> = { no_target: 'There is nothing it could be aimed at.', needs: 'Only where {what}.' };
