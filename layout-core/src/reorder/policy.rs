//! How a reorder runs where there is a choice: [`Stores`], and [`ReorderOptions`] that carries it to every way in. The
//! ways in themselves stand in `typed` and `described`; `run` asks what was chosen.

use super::{Reorder, ReorderError};
use crate::descriptor::Descriptor;
use core::fmt;

/// Whether a reorder writes its destination through the caches or past them.
///
/// Stores past the caches (streaming, also called non-temporal) save reading each line before it is written. That pays
/// where the destination does not stay in the caches anyway. Elsewhere it costs: the next reader finds nothing in the
/// caches. (On an Emerald Rapids, reorders that read and write 3 to 13 MB take 0.7 to 0.85 of the time with such stores, but a
/// reorder and the reader of its result together 1.2 to 2 times as long.) A plan knows the size of the destination alone;
/// whether a large tensor is read at once, or a small one not for long, the caller knows. Only whole lines of 64 bytes are
/// streamed, and only by processor families that have such stores (x86-64); elsewhere and for the rest of a line the choice
/// changes nothing. What is written is the same in any case.
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::reorder::{Reorder, Stores};
///
/// let src = Descriptor::new(DType::F32, &[64, 64], "ab")?;
/// let dst = Descriptor::new(DType::F32, &[64, 64], "ba")?;
/// let plan = Reorder::new(&src, &dst)?.with_stores(Stores::Streaming);
/// assert!(plan.to_string().contains("streaming stores"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Stores {
    /// Past the caches where the destination has 16 MiB or more; where its lines are not written one after the other, which is
    /// what most transposes do, from 16 MiB on, read and written together: each such line would be waited for.
    /// (Not where rows lie a multiple of 4 KiB apart; on Intel's processors f32 of such rows goes through the caches whatever its size.)
    #[default]
    Auto,
    /// Through the caches, whatever the size.
    Temporal,
    /// Past the caches, whatever the size.
    Streaming,
}

impl Stores {
    /// Whether to stream, where that is better or not for a destination that nothing is known of but its size.
    pub(super) const fn stream(self, better: bool) -> bool {
        match self {
            Stores::Auto => better,
            Stores::Temporal => false,
            Stores::Streaming => true,
        }
    }

    /// The name, as a plan prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Stores::Auto => "auto",
            Stores::Temporal => "temporal",
            Stores::Streaming => "streaming",
        }
    }
}

impl fmt::Display for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How reorders are to run, for every way in: plans, descriptors and bytes, views. The default suits most uses.
///
/// ```
/// use layout_core::layout::{Nchw16c, Nhwc};
/// use layout_core::reorder::{ReorderOptions, Stores};
/// use layout_core::view::Tensor;
///
/// let image = Tensor::<u8, Nhwc>::filled([1, 3, 4, 5], 7)?;
/// // The next kernel reads the activations at once: keep them in the caches, however large they are.
/// let options = ReorderOptions::new().with_stores(Stores::Temporal);
/// let mut act: Tensor<f32, Nchw16c> = options.convert(&image)?;
/// assert_eq!(act[[0, 2, 3, 4]], 7.0);
/// options.reorder(&image, &mut act)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
#[must_use]
pub struct ReorderOptions {
    stores: Stores,
    /// Microseconds in which a new plan looks for its fastest way; 0 where it does not. A number that hashes at once.
    tuning: u64,
}

impl ReorderOptions {
    /// The defaults.
    pub const fn new() -> ReorderOptions {
        ReorderOptions { stores: Stores::Auto, tuning: 0 }
    }

    /// The same options with `stores`.
    pub const fn with_stores(self, stores: Stores) -> ReorderOptions {
        ReorderOptions { stores, ..self }
    }

    /// Whether the destination is written through the caches or past them.
    #[must_use]
    pub const fn stores(&self) -> Stores {
        self.stores
    }

    /// The same options, with which a plan that is made looks for its [fastest way](Reorder::tune) for about `budget`, in whole
    /// microseconds (0 for none): the first call for two layouts takes so much longer, on memory of its own, and those that find its plan in the
    /// thread's [`PlanCache`](super::PlanCache) are as fast as they can be. Between operands whose extents are in their types, too, the
    /// plan is then made at run time. Where there is no memory to try on, the plan stays as it is.
    ///
    /// ```
    /// use layout_core::layout::{Nchw, Nchw8c};
    /// use layout_core::reorder::ReorderOptions;
    /// use layout_core::view::Tensor;
    /// use std::time::Duration;
    ///
    /// let plain = Tensor::<f32, Nchw>::filled([1, 35, 13, 17], 0.5)?;
    /// let mut blocked = Tensor::<f32, Nchw8c>::zeroed([1, 35, 13, 17])?;
    /// let tuned = ReorderOptions::new().with_tuning(Duration::from_millis(1));
    /// for _ in 0..1000 {
    ///     tuned.reorder(&plain, &mut blocked)?;
    /// }
    /// assert_eq!(blocked[[0, 34, 12, 16]], 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "std")]
    pub const fn with_tuning(self, budget: core::time::Duration) -> ReorderOptions {
        let micros = budget.as_micros();
        ReorderOptions { tuning: if micros > u64::MAX as u128 { u64::MAX } else { micros as u64 }, ..self }
    }

    /// Whether plans look for their fastest way.
    pub(super) const fn tunes(&self) -> bool {
        self.tuning > 0
    }

    /// The plan of [`Reorder::new`] that runs with these options. It can be made while compiling and does not look for its fastest way:
    /// that is [`Reorder::tune`].
    ///
    /// # Errors
    /// As for [`Reorder::new`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{ReorderOptions, Stores};
    /// let scalar = Descriptor::scalar(DType::F32);
    /// let plan = ReorderOptions::new().with_stores(Stores::Temporal).plan(&scalar, &scalar)?;
    /// assert_eq!(plan.stores(), Stores::Temporal);
    /// # Ok::<(), layout_core::reorder::ReorderError>(())
    /// ```
    pub const fn plan(&self, src: &Descriptor, dst: &Descriptor) -> Result<Reorder, ReorderError> {
        match Reorder::new(src, dst) {
            Ok(plan) => Ok(self.apply(plan)),
            Err(error) => Err(error),
        }
    }

    /// The same plan, which looks for its fastest way if it is to.
    pub(super) fn tuned_plan(&self, src: &Descriptor, dst: &Descriptor) -> Result<Reorder, ReorderError> {
        let plan = self.plan(src, dst)?;
        #[cfg(feature = "std")]
        if self.tunes()
            && let Ok(tuning) = plan.tune(core::time::Duration::from_micros(self.tuning))
        {
            return Ok(tuning.plan().clone());
        }
        Ok(plan)
    }

    /// The same plan with these options, but for the tuning.
    pub(super) const fn apply(&self, plan: Reorder) -> Reorder {
        plan.with_stores(self.stores)
    }
}
