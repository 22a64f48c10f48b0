//! The sections of a ruleset, and the parts they are made of: names, shapes, and what each is.

/// A row of a table: name, shape, and what an editor shows beside it.
pub(super) type Row = (&'static str, &'static str, &'static str);

/// Sections.
pub(super) const SECTIONS: &[Row] = &[
    ("$schema", "T", "where an editor finds this schema"),
    ("ir", "\"parlor-ir/1\"", "the version of the language"),
    ("edition", "I", "the edition of the machine; without it the present one"),
    ("id", "T", "the name in commands"),
    ("name", "T", "the name for people"),
    ("version", "T", "the version, as its author counts"),
    ("author", "T", "who wrote it"),
    ("description", "T", "what it is"),
    ("metadata", "true", "more about it"),
    ("players", "players", "how many play"),
    ("config", "{*:config}", "knobs that a table may set"),
    ("constants", "true", "values with names"),
    ("define", "{*:E}", "expressions with names: each is worked out wherever its name stands"),
    ("enums", "{*:[enumValue*]}", "named values"),
    ("attributes", "{*:attribute}", "what cards have"),
    ("counters", "{*:{modifies?:{*:I}}}", "counters that lie on cards"),
    ("keywords", "{*:keyword}|[T|keyword*]", "flags that cards have, or abilities that come with them"),
    ("vars", "{*:var}", "variables of the game or of each player"),
    ("resources", "{*:var}", "variables that are never below 0"),
    ("zones", "{*:zone}", "places where cards lie"),
    ("events", "{*:event}", "what may happen: fields and their types, and what it does"),
    ("cards", "{*:card}", "kinds of cards"),
    ("decks", "{*:{product:[enumName*],into:Z,copies?:E}}", "a card for each combination of enums"),
    ("procs", "{*:C}", "code with names"),
    ("setup", "C", "what is done before the first turn"),
    ("flow", "C", "the whole game, as code"),
    ("turnStructure", "turnStructure", "phases and steps"),
    ("actions", "{*:action}|[true*]", "what a player with priority may do"),
    ("rules", "[trigger*]", "triggers of the game itself"),
    ("replaces", "[replacement*]", "replacements of the game itself"),
    ("cannot", "[prohibition*]", "events that cannot happen"),
    ("stake", "true", "tokens that each seat puts on the table, and who is paid"),
    ("layers", "[T*]", "layers of statics, the first one first"),
    ("replaceOrder", "T", "who orders replacements"),
    ("extends", "T", "the ruleset that this one is a variant of"),
    ("checks", "[check*]", "what is looked at after every resolution"),
    ("end", "{rank?:{by:E,order?:\"asc\"|\"desc\",seats?:W}}", "how places are given"),
    ("on", "{leave?:C,disconnect?:C}", "what follows when somebody leaves; he is `subject`"),
    ("invariants", "[E*]", "what must always hold: a table where it does not stands still"),
    (
        "limits",
        "{ops?:I,stack?:I,reactions?:I,samePosition?:I,repetition?:true}",
        "bounds below those of the engine",
    ),
    ("triggerOrder", "\"active\"|\"apnap\"|\"controllerChooses\"", "how reactions are ordered"),
    ("respondToTriggers", "bool", "whether players may respond to triggers"),
    ("actionMs", "E", "time for an action, in milliseconds; 0: none"),
    ("discard", "zoneName", "where a card goes that came to nothing on the stack"),
    ("manipulations", "[{from:zoneName,to:zoneName,when?:E}*]", "what a player may drag"),
    ("ui", "true", "hints for screens"),
    ("words", "{*:{*:T}}", "what is shown, in other languages"),
    ("tests", "[scenario*]", "scenarios"),
];

/// Parts.
pub(super) const PARTS: &[Row] = &[
    (
        "players",
        "{min?:I,max?:I,teams?:I|{*:[I*]},turnOrder?:\"clockwise\"|\"counterclockwise\",seats?:true}",
        "1 to 15; teams by number, or by their seats",
    ),
    (
        "config",
        "{type:T,default?:true,min?:I,max?:I,label?:T,size?:I|{min?:I,max?:I},copies?:E,where?:E,text?:T}",
        "a knob; a list of cards may have a size, so many copies, and a condition",
    ),
    ("end", "\"top\"|\"bottom\"", "the end of a zone"),
    ("enumValue", "T|{id:T,label?:T}", "a value"),
    (
        "attribute",
        "{type:T,default?:E,value?:E,layer?:T,resetOn?:\"turnEnd\"|\"never\",visible?:see,kept?:bool,\
         label?:T,ui?:true}",
        "with a `default` it is kept and can be set; with a `value` it is computed; otherwise it is printed",
    ),
    (
        "var",
        "{owner?:owner|\"team\",per?:enumName,type?:T,default?:E,min?:E,max?:E,visible?:see,label?:T,ui?:true}",
        "a variable; `per`: one for each value of an enum, `[value, name]`",
    ),
    ("owner", "\"game\"|\"player\"", "whose"),
    ("see", "\"all\"|\"owner\"|\"none\"|\"public\"|\"private\"|\"hidden\"", "who sees it"),
    (
        "zone",
        "{owner?:owner,order?:zoneOrder,see?:see,visibility?:see,count?:see,capacity?:I,role?:T,name?:T,\
         places?:see,grid?:[I,I],text?:T,label?:T,ui?:true}",
        "a place where cards lie; it must say who sees them",
    ),
    (
        "zoneOrder",
        "\"ordered\"|\"set\"|\"unordered\"|\"stack\"|\"queue\"",
        "whether the order of its cards means something",
    ),
    (
        "event",
        "{*:true}",
        "fields with their types (`?`: it may be left out), `do`, `secretTo` (the field whose seat alone is told the others)",
    ),
    ("cardList", "[E*]|{config:configName}", "kinds of cards, or a knob that lists them"),
    ("keyed", "{from:S,of?:E,key?:E}", "a key over a selection; `it` is each"),
    ("span", "\"turn\"|\"round\"|\"game\"", "in what it is counted"),
    ("payload", "{*:E}", "fields of the event"),
    (
        "target",
        "{id?:T,from?:S,selector?:S,number?:{min?:E,max:E},min?:I,max?:I,count?:I,optional?:bool,prompt?:T,text?:T,price?:bool}",
        "what is chosen; `number`: a number, which costs and code may name; `price`: what the action is paid with (its `costs` name it)",
    ),
    (
        "ask",
        "{id?:T,who?:W,mode?:\"one\"|\"all\"|\"any\",prompt?:T,as?:T,pick?:pick,slots?:{n:I,from:S},order?:S,\
         number?:{min:E,max:E},confirm?:true,modes?:[T*],distribute?:{from:S,sum:E},timeout?:timeout,closes?:\"deadline\",\
         drafts?:true,alive?:bool,auto?:bool,shown?:bool,ui?:true}",
        "a question: one of pick, slots, order, number, confirm, modes, distribute",
    ),
    ("pick", "true", "a selection, with `min`, `max` or `count`"),
    (
        "timeout",
        "I|{ms:E,default?:\"first\"|\"random\"|\"pass\"|\"lastDraft\"|\"lastDraftOrEmpty\"|{value:E}}",
        "how long, and what then",
    ),
    ("flowStep", "{id:T,name?:T,phase?:T,mandatory?:bool,priority?:priority,do?:C}", "a step of a flow"),
    ("priority", "bool|{respond?:[window*]|window}", "whether players may act"),
    ("window", "\"empty\"|\"stackItem\"", "on an empty stack, or while an item waits"),
    (
        "modifier",
        "{to:S,modify?:{*:E},set?:{*:E},keyword?:keywords,keywords?:keywords,without?:keywords,\
         silence?:bool,until?:duration}",
        "a change that lies on cards for some time",
    ),
    (
        "duration",
        "\"turnEnd\"|\"stepEnd\"|\"untilYourNextTurn\"|\"whileSourceInPlay\"|\"permanently\"|{turns:I}|{rounds:I}",
        "how long",
    ),
    (
        "turnStructure",
        "{phases:[phase*],priorityWindows?:[{phase?:phaseName,step?:stepName}*],first?:E,maxTurns?:I}",
        "phases in their order; without `priorityWindows` players may act in every step",
    ),
    ("phase", "{id:T,name?:T,steps:[turnStep*]}", "a phase"),
    ("turnStep", "{id:T,name?:T,mandatory?:bool,priority?:priority,do?:C}", "a step"),
    (
        "action",
        "{id?:T,name?:T,description?:T,timing?:\"stack\"|\"instant\"|\"sorcery\",targets?:[target*],when?:E,costs?:[cost*],do?:C,\
         effects?:C,ui?:true,event?:T,spread?:\"card\"|\"ability\",hold?:zoneName,targetsRecheck?:\"any\"|\"all\"|\"never\",\
         moveSource?:true,bot?:true,zone?:zones,zones?:zones,text?:T}",
        "an action, or an activated ability",
    ),
    ("keywords", "keywordName|[keywordName*]", "keywords"),
    ("cost", "{pay:{var:V,amount:E}}|{payAbility:true}|C", "what is paid or done"),
    ("zones", "zoneName|[zoneName*]", "zones in which it works"),
    ("moment", "\"before\"|\"after\"", "before the event resolves, or after"),
    (
        "pattern",
        "{event?:T,eventType?:T,where?:E,filters?:{*:E},moment?:moment}",
        "on what; `ev` is the event and `self` the card",
    ),
    (
        "limit",
        "{oncePer?:limitScope,maxPer?:limitScope,n?:I,oncePerTurn?:bool,oncePerSource?:bool,maxPerEvent?:I}",
        "how often",
    ),
    ("limitScope", "\"event\"|\"turn\"|\"round\"|\"source\"|\"game\"", "in what it is counted"),
    (
        "trigger",
        "{id?:T,on?:pattern,when?:pattern,state?:E,if?:E,conditions?:[E*],do?:C,effects?:C,zone?:zones,zones?:zones,optional?:bool,\
         targets?:[target*],limit?:limit,recheck?:bool,respond?:bool,prompt?:T,oncePerTurn?:bool,oncePerSource?:bool,\
         maxPerEvent?:I,text?:T}",
        "what is done about an event",
    ),
    (
        "replacement",
        "{id?:T,event?:eventName,on?:pattern,when?:pattern,where?:E,limit?:limit,do?:C,instead?:C,optional?:bool,\
         chooser?:E,prompt?:T,zone?:zones,zones?:zones,text?:T,\
         oncePerTurn?:bool,oncePerSource?:bool,maxPerEvent?:I}",
        "changes or prevents an event before it happens",
    ),
    (
        "prohibition",
        "{id?:T,event?:eventName,on?:pattern,when?:pattern,where?:E,zone?:zones,zones?:zones,text?:T}",
        "an event that cannot happen",
    ),
    (
        "keyword",
        "{id?:T,name?:T,text?:T,description?:T,triggers?:[trigger*],replaces?:[replacement*],cannot?:[prohibition*],\
         statics?:[static*],activated?:[action*]}",
        "a flag, or abilities that every card with it has",
    ),
    (
        "static",
        "{id?:T,layer?:T,affects?:{zone?:zones,zones?:zones,of?:W,where?:E},modify?:{*:E},set?:{*:E},keywords?:[keywordName*],\
         zone?:zones,zones?:zones,text?:T}",
        "holds for as long as its source is where it works",
    ),
    (
        "check",
        "{id?:T,each?:S,seats?:W,where?:E,do:C,simultaneous?:bool,text?:T}",
        "a state check; `it` is each",
    ),
    ("mode", "{id:T,targets?:[target*],resolve?:C,text?:T}", "a mode of a card"),
    (
        "scenario",
        "{name?:T,about?:T,row?:T,cites?:[T*],settings?:true,seed?:T,seats?:I,chance?:[true*],given?:true,script?:[line*],then?:true,strict?:bool,fullControl?:bool}",
        "a table that is given, a script, and what must have come of it",
    ),
    (
        "line",
        "{seat?:I,act?:T,targets?:true,say?:true,elapse?:true,passUntil?:true,leave?:true,events?:[true*],refused?:T}",
        "one line of a script",
    ),
];

/// What a card may have beside its attributes.
pub(super) const CARD: &[Row] = &[
    ("title", "T", "its name for people"),
    ("text", "T", "what is printed on it"),
    ("keywords", "[keywordName*]", "keywords it has"),
    ("triggers", "[trigger*]", "abilities that trigger"),
    ("replaces", "[replacement*]", "abilities that replace or prevent"),
    ("cannot", "[prohibition*]", "events that cannot happen"),
    ("statics", "[static*]", "abilities that hold all the time"),
    ("activated", "[action*]", "abilities that are activated"),
    ("targets", "[target*]", "what it is played on"),
    ("modes", "[mode*]|{choose?:I,of:[mode*]}", "modes to choose from"),
    ("resolve", "C", "what it does when it resolves"),
    ("etb", "C", "what it does when it comes into play"),
    ("leaves", "C", "what it does when it leaves play"),
    ("ui", "true", "hints for screens"),
];

/// What a selection may have.
pub(super) const SELECTION: &[Row] = &[
    ("zones", "zones", "cards in these zones"),
    ("zone", "zones", "cards in this zone"),
    ("of", "W", "whose zones"),
    ("controller", "W", "whose zones, in the document's word"),
    ("seats", "W", "seats"),
    ("stackItems", "{controller?:W}|true", "items on the stack, the top first"),
    ("answer", "[T,E]", "what a seat answered"),
    ("range", "[E,E]", "numbers from the first to the second"),
    ("enum", "enumName", "the values of an enum"),
    ("cards", "cardList", "kinds of cards"),
    ("union", "[S*]", "one selection after another"),
    ("from", "S", "out of another selection"),
    ("config", "configName", "kinds of cards that a knob lists"),
    ("where", "E", "which; `it` is each"),
    ("why", "T", "what whoever asks is told about those that do not fit"),
    ("prefer", "[{when?:E,where:E,why?:T}*]", "the first of these that leaves anything is the selection"),
    ("exclude", "S", "all but these"),
    ("n", "E", "only so many"),
    ("order", "E", "sorted by this"),
    ("by", "E", "sorted by this"),
    ("desc", "bool", "the greatest first"),
    ("top", "bool", "from the top on"),
    ("sorted", "bool", "in the order of their names"),
    ("as", "T", "another name for `it`"),
    ("orSeats", "W", "and these seats"),
    ("distinctBy", "E", "only the first of those with the same key"),
    ("random", "E", "so many of them, by luck"),
    ("cells", "zoneName", "the cells of a grid"),
    ("free", "zoneName", "the free cells of a grid"),
    ("count", "E", "how many, in the document's word"),
    ("min", "E", "at least so many, where it is picked from"),
    ("max", "E", "at most so many, where it is picked from"),
];
