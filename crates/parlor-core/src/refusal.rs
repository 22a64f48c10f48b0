//! Refusals: everything that is wrong with an input, as codes with arguments and as text.
//!
//! The engine uses codes and arguments; the English text here is one rendering of them. Other languages are rendered
//! at the edge from the same code and arguments.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Json;
use crate::code::{Code, HouseCode};
use crate::seat::Seat;

/// One thing that is wrong with an input, or the reason why a choice is not available.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fault {
    /// What is wrong, for programs.
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub code: Code,
    /// What is wrong, for people; `{name}` stands for an argument.
    pub template: Cow<'static, str>,
    /// The values that fill the template.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<BTreeMap<Cow<'static, str>, Json>>", optional))]
    pub args: BTreeMap<Cow<'static, str>, Json>,
}

impl Fault {
    /// The part of the text that is the same for every cause: `Invalid action` of `Invalid action: {what}`. The whole text
    /// if it has no such part.
    #[must_use]
    pub fn headline(&self) -> String {
        let head = self.template.split(": {").next().unwrap_or_default();
        if head.is_empty() || head.contains('{') { self.to_string() } else { head.to_owned() }
    }

    /// A fault with its code and its English template. A text is a game's own code; a game that means the same as the house
    /// says it with a [`HouseCode`].
    #[must_use]
    pub fn new(code: impl Into<Code>, template: impl Into<Cow<'static, str>>) -> Self {
        Self { code: code.into(), template: template.into(), args: BTreeMap::new() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, name: &'static str, value: impl Into<Json>) -> Self {
        self.args.insert(Cow::Borrowed(name), value.into());
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest: &str = &self.template;
        while let Some((before, after)) = rest.split_once('{') {
            f.write_str(before)?;
            let Some((name, tail)) = after.split_once('}') else {
                return write!(f, "{{{after}");
            };
            match self.args.get(name) {
                Some(Json::String(text)) => f.write_str(text)?,
                Some(value) => write!(f, "{value}")?,
                None => write!(f, "{{{name}}}")?,
            }
            rest = tail;
        }
        f.write_str(rest)
    }
}

/// Why something was not accepted. A function that returns one has changed nothing.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Refusal {
    /// Every fault that was found, in the order of the checks.
    pub faults: Vec<Fault>,
    /// The seat whose data no honest client can have sent: it is expelled (003-19). Almost always none.
    #[serde(skip)]
    pub forged_by: Option<Seat>,
}

impl Refusal {
    /// A refusal for one reason that needs no arguments.
    #[must_use]
    pub fn of(code: impl Into<Code>, text: impl Into<Cow<'static, str>>) -> Self {
        Fault::new(code, text).into()
    }

    /// A refusal of data that no honest client can send: the seat that sent it is expelled. What a slow or a confused client
    /// can send is an ordinary refusal.
    #[must_use]
    pub fn forged(by: Seat, code: impl Into<Code>, text: impl Into<Cow<'static, str>>) -> Self {
        Self { forged_by: Some(by), ..Self::of(code, text) }
    }

    /// A refusal for these reasons; no refusal if there are none.
    #[must_use]
    pub fn with(faults: Vec<Fault>) -> Self {
        Self { faults, forged_by: None }
    }

    /// The code of the first fault.
    #[must_use]
    pub fn code(&self) -> &Code {
        const NONE: &Code = &Code::House(HouseCode::Refused);
        self.faults.first().map_or(NONE, |fault| &fault.code)
    }

    /// The code of the first fault, if it is the house's: what the house may decide by.
    #[must_use]
    pub fn house_code(&self) -> Option<HouseCode> {
        match self.code() {
            Code::House(code) => Some(*code),
            Code::Game(_) => None,
        }
    }

    /// Whether any fault has this code of the house.
    #[must_use]
    pub fn has(&self, code: HouseCode) -> bool {
        self.faults.iter().any(|fault| fault.code == Code::House(code))
    }

    /// `Err(self)` if there is any fault.
    ///
    /// # Errors
    /// The refusal itself, if it has a fault.
    pub fn into_result(self) -> Result<(), Self> {
        if self.faults.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::with(vec![fault])
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.faults.iter().enumerate() {
            if n > 0 {
                f.write_str("; ")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}
