//! Which loop does the steps of an affine map: one made for them, that for all steps, or two by way of f32 in a buffer. Made for
//! every family by `convert_kernel`.

/// Defines `convert`.
macro_rules! steps_kernel {
    ($features:literal, $value:ty) => {
        /// Converts the elements of `job`, with an affine map between load and store if there is one.
        ///
        /// # Safety
        /// That of [`ConvertRows`].
        #[target_feature(enable = $features)]
        unsafe fn convert<S: Load<$value>, D: Store<$value>>(job: &Rows, map: Option<&Affine>) {
            let Some(map) = map else {
                // SAFETY: the caller's promise.
                return unsafe { plain::<S, D>(job, None) };
            };
            let (steps, map) = map.steps();
            let (short, block) = (is_short(job), is_block(job));
            match steps {
                // SAFETY of all: the caller's promise; where there is a buffer, one of the two types is f32.
                // SAFETY: see above.
                FACTOR if const { !is_frequent::<S, D>() } || !short && !block => unsafe {
                    rows::<S, D, FACTOR>(job, &map)
                },
                // SAFETY: see above.
                _ if const { !is_frequent::<S, D>() } => unsafe { scaled_apart::<S, D>(job, &map) },
                // SAFETY: see above.
                FACTOR if short => unsafe { short_rows::<S, D, FACTOR>(job, &map) },
                // SAFETY: see above.
                FACTOR => unsafe { blocks::<S, D, FACTOR>(job, &map) },
                // SAFETY: see above.
                SHIFT_FACTOR if S::SHIFTED && block => unsafe { blocks::<S, D, SHIFT_FACTOR>(job, &map) },
                // SAFETY: see above.
                FACTOR_SHIFT if D::SHIFTED && block => unsafe { blocks::<S, D, FACTOR_SHIFT>(job, &map) },
                // SAFETY: see above.
                SHIFT_FACTOR if S::SHIFTED && !short => unsafe { rows::<S, D, SHIFT_FACTOR>(job, &map) },
                // SAFETY: see above.
                FACTOR_SHIFT if D::SHIFTED && !short => unsafe { rows::<S, D, FACTOR_SHIFT>(job, &map) },
                // SAFETY: see above.
                _ if !short && !block => unsafe { rows::<S, D, ALL>(job, &map) },
                // SAFETY: see above.
                _ if const { seldom::<S, D>() } => unsafe { scaled_apart::<S, D>(job, &map) },
                // SAFETY: see above.
                _ if short => unsafe { short_rows::<S, D, ALL>(job, &map) },
                // SAFETY: see above.
                _ => unsafe { blocks::<S, D, ALL>(job, &map) },
            }
        }

        /// Whether short rows of these types have more steps than a factor so seldom that those of f32 serve.
        const fn seldom<S: Load<$value>, D: Store<$value>>() -> bool {
            !S::SHIFTED && !D::SHIFTED && (size_of::<S>() != 4 || size_of::<D>() != 4)
        }

        /// Converts from or to f32 with an affine map, which is applied to f32 in a buffer: for what few ask for.
        ///
        /// # Safety
        /// That of [`ConvertRows`]; one of the two types is f32.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn scaled_apart<S: Load<$value>, D: Store<$value>>(job: &Rows, map: &Affine) {
            let bytes = [size_of::<S>(), size_of::<D>()];
            // SAFETY of both: the caller's promise; these are the two steps.
            if bytes[0] == size_of::<f32>() {
                let loops: [ConvertRows; 2] = [convert::<f32, f32>, plain::<f32, D>];
                // SAFETY: see above.
                unsafe { by_buffer(job, [Some(map), None], loops, bytes) };
            } else {
                let loops: [ConvertRows; 2] = [plain::<S, f32>, convert::<f32, f32>];
                // SAFETY: see above.
                unsafe { by_buffer(job, [None, Some(map)], loops, bytes) };
            }
        }
    };
}
pub(in super::super::super) use steps_kernel;
