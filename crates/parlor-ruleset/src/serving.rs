//! Rulesets for a server: compiled when they are published, and made into games when they are played.

use std::sync::Arc;

use parlor_wire::ruleset::{CompiledRuleset, FindingLevel, RulesetCompiler, RulesetFinding};

use crate::compiler::{Compiled, compile_beside, merged};
use crate::game::game_def;
use crate::language::diagnostics::{Finding, Level};

/// Compiles rulesets for a server.
pub struct ServerCompiler;

impl RulesetCompiler for ServerCompiler {
    fn compile(
        &self,
        text: &str,
        base: &dyn Fn(&str) -> Option<String>,
    ) -> Result<CompiledRuleset, Vec<RulesetFinding>> {
        compile_for_server(text, base)
    }
}

/// Compiles a ruleset for a server; `base` gives the text of another one that it extends.
///
/// # Errors
/// Everything that was found, with at least one error among it.
pub fn compile_for_server(
    text: &str,
    base: &dyn Fn(&str) -> Option<String>,
) -> Result<CompiledRuleset, Vec<RulesetFinding>> {
    let told = |findings: Vec<Finding>| findings.iter().map(|each| finding(each, text)).collect::<Vec<_>>();
    let Compiled { program, warnings } = compile_beside(text, base).map_err(told)?;
    let merged = merged(text, base).map_err(told)?;
    let program = Arc::new(program);
    let name = program.id.clone();
    Ok(CompiledRuleset {
        name: name.clone(),
        title: program.name.clone(),
        identity: program.hash,
        text: merged,
        staked: program.stake.is_some(),
        warnings: told(warnings),
        register: Box::new(move || game_def(program, &name)),
    })
}

fn finding(finding: &Finding, text: &str) -> RulesetFinding {
    let (line, column) = finding.place(text);
    RulesetFinding {
        level: match finding.level {
            Level::Error => FindingLevel::Error,
            Level::Warning => FindingLevel::Warning,
        },
        code: finding.code.to_owned(),
        file: finding.elsewhere.as_ref().map(|elsewhere| elsewhere.file.clone()),
        line,
        column,
        pointer: finding.pointer.clone(),
        message: finding.message.clone(),
        help: finding.help.clone(),
    }
}
