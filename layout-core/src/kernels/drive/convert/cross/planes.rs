//! Pixels of a few bytes that become planes of wider elements, of which a family picks each plane's out of registers of pixels. Called
//! by the module around it, which does the others by a buffer.

use super::super::super::super::convert::Format;
#[cfg(target_arch = "x86_64")]
use super::super::super::super::cpu::Token;
use super::super::super::super::epilogue::{Affine, Epilogue};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::Tile;
#[cfg(target_arch = "x86_64")]
use super::super::super::super::x86_64;
use super::super::super::LINE;
use super::super::Conversion;
use super::super::rows::Place;
use super::super::table::{Line, Table};
use super::registers::Crossed;

/// Pixels at least.
const LEAST: usize = 32;

/// Bytes of planes that a first-level cache holds beside their pixels.
const FIRST_LEVEL: usize = 32 * 1024;

/// Converts the bytes of pixels, as many as [`LEAST`] or more and 2, 3 or 4 bytes from one another, to `ny` planes, no more than a
/// pixel has bytes; with the parameters that row y of the map says, of all elements of a plane.
///
/// # Safety
/// Each element can be read and written, and the two sides do not overlap. There are as many values of each parameter as the widest
/// register has. The processor has the family's instructions.
pub(in super::super::super::super) type PlanesWay = unsafe fn(job: &Crossed, map: Option<&Affine>);

impl Conversion<'_> {
    /// How the family does `tile` to `dst`, of which `valid_y` planes hold data, if it has a way.
    fn planes_way(&self, dst: *const u8, tile: &Tile, valid_y: usize) -> Option<PlanesWay> {
        let (pixels, pixel) = (tile.x.len, tile.x.src);
        let fits = self.src == 1 && matches!(pixel, 2..=4) && valid_y <= pixel as usize;
        let whole = tile.valid_x == pixels && pixels >= LEAST;
        // Whole lines that go across two each are better stored for one plane at a time, where no first-level cache holds all of these;
        // with AVX2 a plane is gone on with anyway.
        let aligned = (dst.addr() | tile.y.dst as usize).is_multiple_of(LINE);
        let across = self.dst == size_of::<f32>() && pixels * valid_y * self.dst > FIRST_LEVEL && !aligned;
        let along_x = |epilogue: &Epilogue| epilogue.places().any(|place| place.x > 0);
        if !fits || !whole || self.epilogue.is_some_and(along_x) {
            return None;
        }
        match self.token {
            _ if self.steps.accumulates() || self.steps.rounds() => None,
            #[cfg(target_arch = "x86_64")]
            Token::Avx512(_) if across => None,
            #[cfg(target_arch = "x86_64")]
            Token::Avx512(avx512) => x86_64::avx512::planes_way(avx512, self.formats.0, self.formats.1),
            // Without masks for bytes, those between the data would be read too.
            #[cfg(target_arch = "x86_64")]
            Token::Avx2(_) if valid_y < pixel as usize => None,
            #[cfg(target_arch = "x86_64")]
            Token::Avx2(avx2) => x86_64::avx2::planes_way(avx2, self.formats.0, self.formats.1),
            _ => {
                let _: ((Format, Format), bool) = (self.formats, across);
                None
            }
        }
    }

    /// Converts the data of `tile`; `false` where the family has no way, and then nothing was done.
    ///
    /// # Safety
    /// As [`Conversion::crossed`].
    pub(super) unsafe fn planes(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) -> bool {
        let Some(way) = self.planes_way(dst, tile, valid_y) else { return false };
        let job = Crossed {
            src,
            src_x: tile.x.src,
            dst,
            dst_y: tile.y.dst,
            nx: tile.x.len,
            ny: valid_y,
            stream: tile.stream,
            claims: tile.claims,
        };
        match self.epilogue.filter(|_| self.common.is_none()) {
            // SAFETY: the caller's promise.
            Some(epilogue) => unsafe { self.planes_by_table(way, &job, tile, epilogue) },
            None => {
                for z in 0..tile.z.len {
                    // SAFETY: the caller's promise: the repetition lies in the tile.
                    unsafe { way(&job.repetition(tile, z), self.common) };
                }
            }
        }
        true
    }

    /// The same for planes with parameters of their own. Apart from it, so that others need no stack for the table.
    ///
    /// # Safety
    /// As [`Conversion::planes`].
    #[inline(never)]
    unsafe fn planes_by_table(&self, way: PlanesWay, job: &Crossed, tile: &Tile, epilogue: &Epilogue) {
        let (table, mut affine) = (Table::new(), Affine::neutral());
        let differ = epilogue.places().any(|place| place.z > 0);
        for z in 0..tile.z.len {
            for (k, parameter) in epilogue.parameters.iter().enumerate().filter(|_| z == 0 || differ) {
                let line = Line::new(parameter.as_ref(), &Place::rows([0, 0, z], job.nx), job.nx);
                // SAFETY: the caller's promise: 6. of the kernel's contract, and these planes are moved.
                unsafe { table.fill_ones(k, &line, [0, job.ny], &mut affine) };
            }
            // SAFETY: the caller's promise: the repetition lies in the tile.
            unsafe { way(&job.repetition(tile, z), Some(&affine)) };
        }
    }
}

impl Crossed {
    /// Repetition `z` of `tile`, whose first one this is.
    fn repetition(&self, tile: &Tile, z: usize) -> Crossed {
        Crossed { src: step(self.src, z, tile.z.src), dst: step_mut(self.dst, z, tile.z.dst), ..*self }
    }
}
