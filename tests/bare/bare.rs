//! A program that has no standard library: its own entry point, allocator and panic handler. Had anything that it depends on
//! brought the standard library in, there would be two panic handlers and no program. It does by itself what users do
//! everywhere, and ends with 0, or with the number of the step that went wrong. Built for WebAssembly it is a module whose
//! `main` gives that number.
#![no_std]
#![no_main]

extern crate alloc;

use alloc::format;
use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ffi::c_int;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicUsize, Ordering};
use half::bf16;
use layout_core::connect::Rows;
use layout_core::descriptor::{DType, Descriptor};
use layout_core::layout::{Nchw16c, Nhwc};
use layout_core::reorder::Reorder;
use layout_core::view::{Tensor, TensorView};

/// memcpy and the start of the program; no library of Rust's. WebAssembly needs none.
#[cfg(not(target_family = "wasm"))]
mod c {
    #[link(name = "c")]
    unsafe extern "C" {
        pub(crate) safe fn abort() -> !;
    }

    // What the compiled core names for unwinding, which nobody does: panics abort.
    #[unsafe(no_mangle)]
    extern "C" fn rust_eh_personality() {}
    #[unsafe(no_mangle)]
    extern "C" fn _Unwind_Resume() {}
}
#[cfg(target_family = "wasm")]
mod c {
    pub(crate) fn abort() -> ! {
        core::arch::wasm32::unreachable()
    }
}

/// Hands out one stretch of memory from its start to its end and takes nothing back.
struct Bump {
    memory: UnsafeCell<[u8; 1 << 20]>,
    used: AtomicUsize,
}

// SAFETY: each byte is handed out once, by the atomic counter.
unsafe impl Sync for Bump {}

// SAFETY: what is handed out lies within `memory`, is aligned, and belongs to one caller.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.memory.get().cast::<u8>();
        // Room to align in: the stretch itself is aligned to nothing.
        let Some(bytes) = layout.size().checked_add(layout.align()) else { return core::ptr::null_mut() };
        let at = self.used.fetch_add(bytes, Ordering::Relaxed);
        if at.checked_add(bytes).is_none_or(|end| end > 1 << 20) {
            return core::ptr::null_mut();
        }
        let past = start.addr().wrapping_add(at) % layout.align();
        start.wrapping_add(at + (layout.align() - past) % layout.align())
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static MEMORY: Bump = Bump { memory: UnsafeCell::new([0; 1 << 20]), used: AtomicUsize::new(0) };

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    c::abort()
}

/// The step that went wrong.
type Step<T> = Result<T, c_int>;

fn typed() -> Step<()> {
    let image = Tensor::<u8, Nhwc>::from_fn([1, 3, 4, 5], |[_, c, h, w]| (60 * c + 10 * h + w) as u8)
        .map_err(|_| 1)?;
    let act: Tensor<f32, Nchw16c> = image.try_convert().map_err(|_| 2)?;
    if act[[0, 2, 3, 4]] != 154.0 || !act.padding_is_zero() {
        return Err(3);
    }
    let half: Tensor<bf16, Nhwc> = act.try_convert().map_err(|_| 4)?;
    if half[[0, 1, 2, 3]] != bf16::from_f32(83.0) {
        return Err(5);
    }
    let rows = Rows::of(&act).map_err(|_| 6)?;
    let view = TensorView::<f32, layout_core::layout::Nchw>::from_bytes([1, 3, 4, 5], rows.bytes());
    // A vector of bytes may be aligned to less than an element.
    match view {
        Ok(view) if view[[0, 2, 3, 4]] == 154.0 => Ok(()),
        Ok(_) => Err(7),
        Err(error) => format!("{error}").contains("align").then_some(()).ok_or(8),
    }
}

fn described() -> Step<()> {
    let src = Descriptor::new(DType::U8, &[1, 3, 2, 2], "nhwc").map_err(|_| 20)?;
    let dst: Descriptor = "s8:nChw4c:1x3x2x2".parse().map_err(|_| 21)?;
    let plan = Reorder::new(&src, &dst).map_err(|_| 22)?;
    let mut out = [0xFF; 16];
    plan.run(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 200], &mut out).map_err(|_| 23)?;
    if out != [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 127, 0] {
        return Err(24);
    }
    let wrong = Descriptor::new(DType::U8, &[1, 3, 2, 2], "nchw4c").err().ok_or(25)?;
    format!("{wrong}").contains("lower case").then_some(()).ok_or(26)
}

/// The start of the program, as C has it.
#[unsafe(no_mangle)]
extern "C" fn main(_: c_int, _: *const *const u8) -> c_int {
    match typed().and_then(|()| described()) {
        Ok(()) => 0,
        Err(step) => step,
    }
}
