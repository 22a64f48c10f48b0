//! Phases and steps.

use super::Compiler;
use crate::language::Node;
use crate::machine::ids::PhaseId;
use crate::machine::program::{PHASES, STEPS, StepDef};

impl<'n> Compiler<'n> {
    /// Phases and steps: of the turn structure, or named where the flow has them.
    pub(super) fn steps(&mut self, root: &'n Node) {
        self.program.turned = root.get("turnStructure").is_some();
        if let Some(structure) = root.get("turnStructure") {
            let windows = structure.get("priorityWindows");
            self.at("turnStructure", |this| {
                this.only_part(structure, "turnStructure");
                let phases = structure.get("phases").map_or(&[][..], Node::items);
                if phases.is_empty() {
                    this.findings.error("phases", structure.at, "Ruleset must have at least one phase");
                }
                for (n, phase) in phases.iter().enumerate() {
                    this.at("phases", |this| this.at(n, |this| this.phase(phase, windows)));
                }
            });
        }
        for section in ["flow", "procs", "setup"] {
            if let Some(node) = root.get(section) {
                self.at(section, |this| this.flow_steps(node));
            }
        }
    }

    pub(super) fn phase(&mut self, phase: &'n Node, windows: Option<&'n Node>) {
        self.only_part(phase, "phase");
        let Some(id) = phase.get("id").and_then(Node::as_text) else {
            return self.findings.error("shape", phase.at, "`id` is missing");
        };
        if self.program.enums[PHASES].values.iter().any(|other| other == id) {
            self.findings.error("twice", phase.at, format!("Duplicate phase IDs found: {id}"));
        }
        self.program.enums[PHASES].values.push(id.to_owned());
        let n = PhaseId::at(self.program.enums[PHASES].values.len() - 1);
        let steps = phase.get("steps").map_or(&[][..], Node::items);
        if steps.is_empty() {
            self.findings.error("steps", phase.at, format!("Phase '{id}' must have at least one step"));
        }
        for (k, step) in steps.iter().enumerate() {
            self.at("steps", |this| {
                this.at(k, |this| {
                    this.only_part(step, "turnStep");
                    let Some(name) = step.get("id").and_then(Node::as_text) else {
                        return this.findings.error("shape", step.at, "`id` is missing");
                    };
                    let listed = windows.is_none_or(|windows| {
                        windows.items().iter().any(|window| {
                            let is = |field: &str, name: &str| {
                                window.get(field).and_then(Node::as_text).is_none_or(|text| text == name)
                            };
                            is("phase", id) && is("step", name)
                        })
                    });
                    let mandatory = step.get("mandatory").and_then(Node::as_bool).unwrap_or(false);
                    this.new_step(step, name, n, listed, mandatory);
                });
            });
        }
    }

    pub(super) fn new_step(
        &mut self,
        node: &Node,
        name: &str,
        phase: PhaseId,
        listed: bool,
        mandatory: bool,
    ) {
        if self.program.enums[STEPS].values.iter().any(|other| other == name) {
            return {
                let help =
                    "steps are known by their ids alone, whatever their phase: give one of them another";
                self.findings.error_help("twice", node.at, format!("Duplicate step IDs found: {name}"), help)
            };
        }
        let (mut empty, mut stack) = (listed, true);
        if let Some(priority) = node.get("priority") {
            let listed: &[Node] = match priority.get("respond") {
                Some(one) if one.as_text().is_some() => std::slice::from_ref(one),
                Some(list) => list.items(),
                None => &[],
            };
            for word in listed.iter().filter(|word| !matches!(word.as_text(), Some("empty" | "stackItem"))) {
                let said = word.as_text().unwrap_or("?");
                self.at("priority", |this| {
                    this.findings.unknown(word.at, "window", said, ["empty", "stackItem"])
                });
            }
            let respond: Vec<&str> = match priority.get("respond") {
                Some(respond) if respond.as_text().is_some() => respond.as_text().into_iter().collect(),
                Some(respond) => respond.items().iter().filter_map(Node::as_text).collect(),
                None => vec!["empty", "stackItem"],
            };
            empty = respond.contains(&"empty");
            stack = respond.contains(&"stackItem");
            if priority.as_bool() == Some(false) {
                (empty, stack) = (false, false);
            }
        }
        self.program.enums[STEPS].values.push(name.to_owned());
        self.program.steps.push(StepDef { phase, empty, stack, mandatory });
    }

    /// Steps that a flow has: each is a phase of its own unless it names one.
    pub(super) fn flow_steps(&mut self, node: &'n Node) {
        if let Some(step) = node.get("step")
            && let Some(name) = step.get("id").and_then(Node::as_text)
        {
            let phase = step.get("phase").and_then(Node::as_text).unwrap_or(name);
            let phases = &mut self.program.enums[PHASES].values;
            let n = phases.iter().position(|other| other == phase).unwrap_or_else(|| {
                phases.push(phase.to_owned());
                phases.len() - 1
            });
            self.at("step", |this| {
                this.new_step(step, name, PhaseId::at(n), step.get("priority").is_some(), false)
            });
        }
        for (key, inner) in node.fields() {
            self.at(&key.name, |this| this.flow_steps(inner));
        }
        for (n, inner) in node.items().iter().enumerate() {
            self.at(n, |this| this.flow_steps(inner));
        }
    }
}
