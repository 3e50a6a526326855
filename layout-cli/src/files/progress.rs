//! The progress bar of `convert`: bytes on standard error, where that is a terminal; nothing is left of it at the end.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that counts bytes on standard error; nothing where that is no terminal or nobody wants it.
pub(crate) fn progress(bytes: u64, is_hidden: bool) -> ProgressBar {
    match is_hidden {
        true => ProgressBar::hidden(),
        false => on(ProgressDrawTarget::stderr(), bytes),
    }
}

fn on(target: ProgressDrawTarget, bytes: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(bytes), target);
    let template = "{bar:40} {bytes}/{total_bytes}, {binary_bytes_per_sec}, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::{on, progress};
    use crate::files::moving::{Source, reorder};
    use indicatif::{InMemoryTerm, ProgressDrawTarget};
    use layout_core::descriptor::Descriptor;

    #[test]
    fn what_a_terminal_shows() {
        let terminal = InMemoryTerm::new(5, 120);
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let (src, dst): (Descriptor, Descriptor) =
            ("u8:nhwc:4x3x32x32".parse().unwrap(), "f32:nChw16c:4x3x32x32".parse().unwrap());
        let bytes = vec![1; src.size_bytes()];
        let mut room = vec![0; dst.size_bytes()];
        let bar = on(target, 2 * dst.size_bytes() as u64);
        let source = Source { tensor: &src, bytes: &bytes, is_swapped: false };
        reorder(&source, (&dst, &mut room), 1 << 16, &bar).unwrap();
        bar.force_draw();
        let shown = terminal.contents();
        // 4 images of 16 channels of 1024 pixels of 4 bytes are half of what is to be done.
        assert!(shown.contains("256.00 KiB/512.00 KiB") && shown.contains("left"), "{shown}");
        assert_eq!(shown.matches('█').count(), 20, "half of the bar: {shown}");
        reorder(&source, (&dst, &mut room), 1 << 16, &bar).unwrap();
        assert_eq!(bar.position(), bar.length().unwrap());
        bar.finish_and_clear();
        assert_eq!(terminal.contents(), "", "nothing is left");
    }

    #[test]
    fn hidden_is_nothing() {
        let bar = progress(100, true);
        assert!(bar.is_hidden());
        bar.inc(50);
        bar.finish_and_clear();
    }
}
