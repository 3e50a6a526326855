//! stand-in
impl core::fmt::Display for super::Spec {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("?")
    }
}
