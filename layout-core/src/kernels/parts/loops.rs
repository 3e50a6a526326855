//! Which pairs of types a family has a loop for, written once for all of them.

/// Defines `loop_between` by `format: type` for every type with a loader and a storer: its loops are those from and to f32,
/// and for pictures those from u8 to the 16-bit floats. `$unless`: of which pairs the family has none where it runs now.
macro_rules! loops {
    ($($format:ident: $number:ty),*; $(unless |$src:ident, $dst:ident| $unless:expr)?) => {
        /// The loop from `src` to `dst`, where there is one: for the pairs with f32, and for pictures.
        #[inline]
        pub(super) const fn loop_between(src: Format, dst: Format) -> Option<ConvertRows> {
            $(
                let ($src, $dst) = (src, dst);
                if $unless {
                    return None;
                }
            )?
            Some(match (src, dst) {
                (Format::F32, Format::F32) => convert::<f32, f32>,
                $(
                    (Format::F32, Format::$format) => convert::<f32, $number>,
                    (Format::$format, Format::F32) => convert::<$number, f32>,
                )*
                (Format::U8, Format::F16) => convert::<u8, F16>,
                (Format::U8, Format::Bf16) => convert::<u8, Bf16>,
                _ => return None,
            })
        }
    };
}
pub(in super::super) use loops;
