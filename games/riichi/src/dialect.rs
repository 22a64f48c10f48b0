//! The document's messages.
