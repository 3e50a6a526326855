//! serde (feature `serde`): a descriptor is its text form. Input is checked as [`str::parse`] checks it.

use super::super::Descriptor;
use core::fmt;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// A string such as `f32:nChw16c:2x17x5x4`.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Descriptor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// From a string such as `f32:nChw16c:2x17x5x4`; anything else is an error that says at which byte.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for Descriptor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Descriptor, D::Error> {
        deserializer.deserialize_str(Text)
    }
}

struct Text;

impl Visitor<'_> for Text {
    type Value = Descriptor;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a descriptor such as `f32:nChw16c:2x17x5x4`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Descriptor, E> {
        text.parse().map_err(E::custom)
    }
}
