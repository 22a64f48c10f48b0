//! Where in a text a JSON pointer leads.

use super::diagnostics::{Finding, Level};
use super::syntax::{self, Node};

/// Line and column of what a pointer (RFC 6901) leads to, both from 1; of the last part of the way that is there.
#[must_use]
pub fn place(text: &str, pointer: &str) -> (usize, usize) {
    let at = syntax::read(text).map_or(0, |root| found(&root, pointer).at);
    let finding = Finding {
        level: Level::Error,
        code: "place",
        at,
        pointer: String::new(),
        message: String::new(),
        help: None,
        elsewhere: None,
    };
    finding.place(text)
}

/// Where in a text a pointer leads, in bytes from its start.
#[must_use]
pub(crate) fn at(root: &Node, pointer: &str) -> u32 {
    found(root, pointer).at
}

/// What a pointer leads to, if it leads anywhere.
#[must_use]
pub(crate) fn node<'n>(root: &'n Node, pointer: &str) -> Option<&'n Node> {
    let mut node = root;
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        node = node.get(&name).or_else(|| node.items().get(name.parse::<usize>().ok()?))?;
    }
    Some(node)
}

fn found<'n>(root: &'n Node, pointer: &str) -> &'n Node {
    let mut node = root;
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        let inner = node.get(&name).or_else(|| node.items().get(name.parse::<usize>().ok()?));
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// The pointer of the innermost value that begins at this byte.
#[must_use]
pub(crate) fn to(root: &Node, at: u32) -> Option<String> {
    let inner =
        root.fields().iter().map(|(key, node)| (key.name.replace('~', "~0").replace('/', "~1"), node));
    let items = root.items().iter().enumerate().map(|(n, node)| (n.to_string(), node));
    // What begins before it may hold it: the last of these does, if any.
    let (name, node) = inner.chain(items).rfind(|(_, node)| node.at <= at)?;
    let rest = to(node, at).or_else(|| (node.at == at).then(String::new))?;
    Some(format!("/{name}{rest}"))
}
