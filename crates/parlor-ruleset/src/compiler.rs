//! From text to program: names are resolved, types are checked, code is flattened. Everything that is wrong is found in
//! one go; a ruleset with an error has no program.
//!
//! | file | what |
//! |---|---|
//! | `sections` | the whole ruleset, section by section |
//! | `declare`, `config`, `vars_and_zones`, `steps` | what has a name: declared before any code is compiled |
//! | `cards`, `abilities`, `actions`, `checks`, `replaces` | cards, what they do, and the rules of the game |
//! | `operands` | operands as the table of operations names them |
//! | `exprs`, `lookups`, `team_exprs`, `selections` | expressions and selections |
//! | `statements` | statements |
//! | `scope`, `implicit_seat` | names that are bound, and who `you` is |
//! | `reach` | what everybody can tell of an action without knowing what is hidden |
//! | `constant_conditions`, `hoist` | what is known while a condition is compiled |
//! | `sheet`, `translations` | what is shown to people, and what is said in other languages |
//! | `lint` | passes over the whole ruleset, after it was compiled |

mod abilities;
mod actions;
mod cards;
mod checks;
mod config;
mod constant_conditions;
mod declare;
mod exprs;
mod hoist;
mod implicit_seat;
mod lint;
mod lookups;
mod operands;
mod reach;
mod replaces;
mod scope;
mod sections;
mod selections;
mod sheet;
mod statements;
mod steps;
mod team_exprs;
mod translations;
mod vars_and_zones;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::Arc;

use crate::coverage::Trace;
use crate::language::{Finding, Findings, Node, desugar, extends, pointer, schema, syntax};
use crate::limits::{CALLS_MAX, CODE_OPS_MAX, EXPRESSIONS_MAX, NUMBERED_MAX};
use crate::machine::ids::{EnumId, EventType, TextId};
use crate::machine::program::{Block, EDITION, Expr, ExprId, Op, Program, Sel, SelId, Ty};
pub(crate) use config::one_card;
pub(crate) use declare::{BUILT_IN_EVENTS, engine_events};
use scope::Scope;

/// A ruleset that can be played, and what is probably not meant in it.
#[derive(Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// Warnings.
    pub warnings: Vec<Finding>,
}

/// Reads, checks and compiles a ruleset.
///
/// # Errors
/// Everything that was found, with at least one error among it.
pub fn compile(text: &str) -> Result<Compiled, Vec<Finding>> {
    compile_beside(text, &|_| None)
}

/// The same for a ruleset that may be a variant of a file beside it: `beside` reads that file by the name that the
/// ruleset gives. A shipped ruleset is found by its id without it.
///
/// # Errors
/// Everything that was found, with at least one error among it.
pub fn compile_beside(text: &str, beside: &dyn Fn(&str) -> Option<String>) -> Result<Compiled, Vec<Finding>> {
    compile_whole(text, beside, false)
}

/// The same; `traced`: so that what runs is noted.
pub(crate) fn compile_whole(
    text: &str,
    beside: &dyn Fn(&str) -> Option<String>,
    traced: bool,
) -> Result<Compiled, Vec<Finding>> {
    let own = syntax::read(text).map_err(|finding| vec![finding])?;
    let (node, files, merged) = whole(own, text, beside);
    let located = |findings: Findings| {
        let mut list = findings.into_list();
        list.iter_mut().for_each(|finding| files.locate(finding));
        list
    };
    if let Err(findings) = merged {
        return Err(located(findings));
    }
    let edition = edition(&node);
    let hash = identity(&node, edition);
    let mut node = node.without_comments();
    let mut compiler = Compiler::new();
    declare::name_sections(&mut node, &mut compiler.findings);
    // The document's own form is rewritten: what is wrong in it is named by its place in the file.
    let document = node.get("actions").filter(|actions| !actions.items().is_empty()).cloned();
    let node = desugar::desugar(node, edition);
    (compiler.program.hash, compiler.program.edition) = (hash, edition);
    compiler.has_no_stack = !speaks(&node);
    compiler.traced = traced;
    compiler.ruleset(&node);
    let Compiler { mut findings, mut program, .. } = compiler;
    crate::compiler::lint::ruleset(&node, &program, &mut findings);
    let failed = findings.has_errors();
    if !failed {
        program.sheet = serde_json::to_value(sheet::of(&program, &node)).expect("a sheet is plain data");
        program.trace =
            traced.then(|| Arc::new(Trace::new(&program.pointers, &node, &|finding| files.locate(finding))));
    }
    let mut findings = located(findings);
    if let Some(actions) = document {
        for finding in findings.iter_mut().filter(|finding| finding.pointer.starts_with("/actions/")) {
            if let Some(place) = pointer::to(&actions, finding.at) {
                finding.pointer = format!("/actions{place}");
            }
        }
    }
    if failed { Err(findings) } else { Ok(Compiled { program, warnings: findings }) }
}

/// The edition of the machine that a ruleset names; anything that is none is told when its header is read.
fn edition(node: &Node) -> u8 {
    let named = node.get("edition").and_then(Node::as_int);
    named.and_then(|n| u8::try_from(n).ok()).filter(|n| (1..=EDITION).contains(n)).unwrap_or(EDITION)
}

/// What makes a ruleset the one it is: everything but what it says in other languages, and the edition that plays it. The
/// first edition adds nothing: matches that began before there were editions name the content alone.
fn identity(node: &Node, edition: u8) -> [u8; 32] {
    let mut content = node.plain();
    if let parlor_core::Json::Object(map) = &mut content {
        map.retain(|section, _| section != "words" && section != "edition");
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(content.to_string().as_bytes());
    if edition > 1 {
        hasher.update(format!(" edition {edition}").as_bytes());
    }
    *hasher.finalize().as_bytes()
}

/// A ruleset with all that it extends, as one text: what to keep where a base may change.
///
/// # Errors
/// A base that is not there, and what is wrong with how it is changed.
pub fn merged(text: &str, beside: &dyn Fn(&str) -> Option<String>) -> Result<String, Vec<Finding>> {
    let own = syntax::read(text).map_err(|finding| vec![finding])?;
    match whole(own, text, beside) {
        (node, _, Ok(())) => Ok(node.plain().to_string()),
        (_, files, Err(findings)) => {
            let mut list = findings.into_list();
            list.iter_mut().for_each(|finding| files.locate(finding));
            Err(list)
        }
    }
}

fn whole(
    own: Node,
    text: &str,
    beside: &dyn Fn(&str) -> Option<String>,
) -> (Node, extends::Files, Result<(), Findings>) {
    extends::merged(own, text, &|name| beside(name).or_else(|| crate::shipped::text(name).map(str::to_owned)))
}

/// Whether a ruleset has anything that waits on the stack, reacts, or is checked.
fn speaks(node: &Node) -> bool {
    const STACK_WORDS: [&str; 13] = [
        "rules",
        "checks",
        "actions",
        "triggers",
        "etb",
        "leaves",
        "push",
        "lose",
        "later",
        "activate",
        "copyItem",
        "turnStructure",
        "step",
    ];
    node.fields().iter().any(|(key, inner)| STACK_WORDS.contains(&key.name.as_str()) || speaks(inner))
        || node.items().iter().any(speaks)
}

/// A trigger, replacement or other piece of code that is compiled when all names are known.
pub(crate) struct Compiler<'n> {
    findings: Findings,
    program: Program,
    scope: Scope,
    procs: BTreeMap<String, &'n Node>,
    calling: Vec<String>,
    /// How many calls were replaced by their procedures.
    calls: usize,
    /// Whether the code that is compiled must run to its end at once.
    sync: bool,
    /// The event that `ev` speaks of.
    event: Option<EventType>,
    /// Jumps to the end of the loops around here.
    breaks: Vec<Vec<usize>>,
    called: BTreeSet<String>,
    /// Values with a name.
    constants: Vec<(String, i64, Ty)>,
    /// Whether nothing ever waits on the stack, reacts or is checked: then there is nothing to drain.
    has_no_stack: bool,
    /// Names of triggers of cards.
    trigger_names: Vec<String>,
    /// Whether the code that is compiled may draw luck before what it is compiled for.
    lucky: bool,
    /// Layers of statics, the first applied first.
    layers: Vec<String>,
    /// For whom the code is that is compiled.
    implicit_seat: implicit_seat::ImplicitSeat,
    /// The batch or atomic group around what is compiled.
    group: Option<&'static str>,
    /// How the cards of products are written.
    patterns: Vec<String>,
    /// Where events happen, and whom they speak of.
    emissions: implicit_seat::Emissions,
    /// Fields of events that may be left out where these happen.
    optional: BTreeSet<(EventType, String)>,
    /// Places of code, by their pointers.
    pointers: BTreeMap<String, u32>,
    /// Expressions with a name, and those that are being put in place of theirs.
    defined: BTreeMap<String, &'n Node>,
    defining: Vec<String>,
    used: BTreeSet<String>,
    /// Enums of the names that a question offers.
    modes: BTreeSet<EnumId>,
    /// Whether the next selection is one that is picked from, with a condition on all that is picked.
    picking: bool,
    /// Whether every statement begins with an operation that notes that it runs.
    traced: bool,
}

impl<'n> Compiler<'n> {
    fn new() -> Self {
        Self {
            findings: Findings::default(),
            program: Program::default(),
            scope: Scope::default(),
            procs: BTreeMap::new(),
            calling: Vec::new(),
            calls: 0,
            sync: false,
            event: None,
            breaks: Vec::new(),
            called: BTreeSet::new(),
            constants: Vec::new(),
            has_no_stack: false,
            trigger_names: Vec::new(),
            lucky: false,
            layers: Vec::new(),
            implicit_seat: implicit_seat::ImplicitSeat::default(),
            group: None,
            patterns: Vec::new(),
            emissions: implicit_seat::Emissions::default(),
            optional: BTreeSet::new(),
            pointers: BTreeMap::new(),
            defined: BTreeMap::new(),
            defining: Vec::new(),
            used: BTreeSet::new(),
            modes: BTreeSet::new(),
            picking: false,
            traced: false,
        }
    }

    /// Does something inside a field or an item.
    fn at<R>(&mut self, step: impl Display, f: impl FnOnce(&mut Self) -> R) -> R {
        self.findings.enter(step);
        let result = f(self);
        self.findings.leave();
        result
    }

    /// Does something with each field of an object.
    fn each_field(&mut self, node: &'n Node, mut f: impl FnMut(&mut Self, &'n str, &'n Node)) {
        for (key, inner) in node.fields() {
            self.at(&key.name, |this| f(this, &key.name, inner));
        }
    }

    /// Does something with a field, if it is there.
    fn field<R>(
        &mut self,
        node: &'n Node,
        name: &str,
        f: impl FnOnce(&mut Self, &'n Node) -> R,
    ) -> Option<R> {
        let inner = node.get(name)?;
        Some(self.at(name, |this| f(this, inner)))
    }

    /// Fields that mean nothing here are mistakes.
    fn only(&mut self, node: &Node, known: &[&str]) {
        for (key, _) in node.fields() {
            if !known.contains(&key.name.as_str()) && !key.name.starts_with("//") {
                self.at(&key.name, |this| {
                    this.findings.unknown(key.at, "field", &key.name, known.iter().copied())
                });
            }
        }
    }

    /// The same for a part that the tables of the schema name.
    fn only_part(&mut self, node: &Node, part: &'static str) {
        let shape = schema::shape_of(part);
        let fields = shape.fields().unwrap_or(&[]);
        self.only(node, &fields.iter().map(|field| field.name).collect::<Vec<_>>());
    }

    /// A field that is one of a few words; nothing where it is not there, or is told to be none of them.
    fn word(&mut self, node: &'n Node, name: &str, known: &[&'static str]) -> Option<&'static str> {
        let inner = node.get(name)?;
        let found = inner.as_text().and_then(|text| known.iter().find(|word| **word == text));
        if found.is_none() {
            self.at(name, |this| match inner.as_text() {
                Some(text) => this.findings.unknown(inner.at, name, text, known.iter().copied()),
                None => {
                    let help = format!("one of {}", known.join(", "));
                    let message = format!("a word is expected here, not {}", inner.kind());
                    this.findings.error_help("shape", inner.at, message, help);
                }
            });
        }
        found.copied()
    }

    fn expect(&mut self, node: &Node, what: &str) {
        self.findings.error("shape", node.at, format!("{what} is expected here, not {}", node.kind()));
    }

    fn add(&mut self, expr: Expr) -> ExprId {
        if self.program.exprs.len() >= EXPRESSIONS_MAX {
            if self.program.exprs.len() == EXPRESSIONS_MAX {
                self.findings.error(
                    "limit",
                    0,
                    format!("more expressions than expressions_max, {EXPRESSIONS_MAX}"),
                );
                self.program.exprs.push(Expr::Const(0));
            }
            return ExprId::at(EXPRESSIONS_MAX);
        }
        self.program.exprs.push(expr);
        ExprId::at(self.program.exprs.len() - 1)
    }

    fn add_sel(&mut self, sel: Sel) -> SelId {
        self.program.sels.push(sel);
        SelId::at(self.program.sels.len() - 1)
    }

    fn op(&mut self, op: Op) -> usize {
        if self.has_no_stack && op == Op::Drain {
            return self.program.code.len();
        }
        if self.program.code.len() >= CODE_OPS_MAX {
            if self.program.code.len() == CODE_OPS_MAX {
                self.findings.error(
                    "limit",
                    0,
                    format!("more code than code_ops_max, {CODE_OPS_MAX}, allows"),
                );
                self.program.code.push(Op::End);
            }
            return CODE_OPS_MAX;
        }
        self.note_place();
        self.program.code.push(op);
        self.program.code.len() - 1
    }

    /// Notes which statement the next operation is a part of.
    fn note_place(&mut self) {
        let pointer = self.findings.pointer();
        let n = match self.pointers.get(&pointer) {
            Some(n) => *n,
            None => {
                let n = self.program.pointers.len() as u32;
                self.program.pointers.push(pointer.clone());
                self.pointers.insert(pointer, n);
                n
            }
        };
        if self.program.places.last().is_none_or(|(_, last)| *last != n) {
            self.program.places.push((self.here(), n));
            if self.traced {
                self.program.code.push(Op::Note(n));
            }
        }
    }

    fn here(&self) -> u32 {
        self.program.code.len() as u32
    }

    /// Whether there is no more room for code: past a limit nothing is compiled any more.
    fn full(&self) -> bool {
        self.program.code.len() >= CODE_OPS_MAX
            || self.program.exprs.len() >= EXPRESSIONS_MAX
            || self.calls > CALLS_MAX
    }

    /// A block of code: what `body` compiles, with the locals that `bind` names.
    fn block(
        &mut self,
        sync: bool,
        event: Option<EventType>,
        bind: &[(&str, Ty)],
        body: impl FnOnce(&mut Self),
    ) -> Block {
        let outer = std::mem::take(&mut self.scope);
        let (old_sync, old_event) = (self.sync, self.event);
        let breaks = std::mem::take(&mut self.breaks);
        let group = self.group.take();
        (self.sync, self.event) = (sync, event);
        let lucky = std::mem::replace(&mut self.lucky, true);
        for (name, ty) in bind {
            self.scope.bind(name, *ty);
        }
        let pc = self.here();
        if self.traced {
            // A block of its own, also where the place is that of the one before.
            self.program.places.push((pc, u32::MAX));
            self.note_place();
        }
        body(self);
        self.op(Op::End);
        self.numbered(self.scope.most_locals.max(self.scope.most_lists).into(), "names in one piece of code");
        let block = Block { pc, locals: self.scope.most_locals, lists: self.scope.most_lists };
        (self.sync, self.event, self.breaks, self.lucky) = (old_sync, old_event, breaks, lucky);
        self.group = group;
        self.scope = outer;
        block
    }

    /// Things that have a number: too many of them would share one.
    fn numbered(&mut self, have: usize, what: &str) {
        if have > NUMBERED_MAX {
            self.findings.error("limit", 0, format!("more {what} than numbered_max, {NUMBERED_MAX}"));
        }
    }

    /// The number of a text that is told at the end.
    fn text(&mut self, text: &str) -> TextId {
        if let Some(n) = self.program.texts.iter().position(|other| other == text) {
            return TextId::at(n);
        }
        self.program.texts.push(text.to_owned());
        TextId::at(self.program.texts.len() - 1)
    }
}
