//! oneDNN's six names that do not say what they mean, and what they mean.
//! Called by the native parser, which refuses them while compiling, and by the printer, which avoids them.

use super::super::text::same;

/// Name and meaning. The first four break oneDNN's own grammar: `I` is upper case without a block. The last two
/// say the order g I O, but the enumeration has them as aliases of a tag of the order g O I.
/// Source: `dnnl_format_tag_t` in oneDNN's `dnnl_types.h`.
const MISNAMED: [(&str, &str); 6] = [
    ("OhwI24o", "Ohwi24o"),
    ("OhwI32o", "Ohwi32o"),
    ("gOhwI24o", "gOhwi24o"),
    ("gOhwI32o", "gOhwi32o"),
    ("gIOhw2i8o16i2o", "gOIhw2i8o16i2o"),
    ("gIOdhw2i8o16i2o", "gOIdhw2i8o16i2o"),
];

/// What oneDNN means by `start..end` of `text`, where it is one of the six.
pub(in super::super) const fn misnamed(text: &[u8], start: usize, end: usize) -> Option<&'static str> {
    let mut i = 0;
    while i < MISNAMED.len() {
        let (name, meaning) = MISNAMED[i];
        if same(text, start, end, name) {
            return Some(meaning);
        }
        i += 1;
    }
    None
}
