//! The session protocol and its codecs.
