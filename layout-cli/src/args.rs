//! The command line: commands, arguments and their help, for clap. `main` reads it; nothing here does any work.

use clap::{Args, Parser, Subcommand, ValueEnum};
use layout_core::index_code::Language;
use std::path::PathBuf;

/// Look at tensor memory layouts: explain, draw, check and convert them.
///
/// Formats are written as in oneDNN (nhwc, nChw16c, OIhw4i16o4i) or as in OpenVINO, cuDNN, PyTorch, TensorRT, TVM, XLA and
/// others (b_fs_yx_fsv16, channels_last, tvm:NCHW16c). A data type may stand before it: u8:nhwc. The default is f32.
/// Extents are given in the logical order of the axes, which is n, c, h, w for nchw and nhwc alike.
#[derive(Parser, Debug)]
#[command(name = "layout", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  layout explain nChw8c 2x17x5x4                what it means: formula, strides, padding, names
  layout draw nChw8c 1x17x2x3                   the picture, in the terminal
  layout plan u8:nhwc f32:nChw16c 1x3x300x451   what a reorder would do
  layout convert in.npy out.npy --from nchw --to nhwc
  layout code nChw8c ?x64x?x? --language wgsl   the offset as code for a shader

Exit codes: 0 done, 1 failed, 2 wrong command line.")]
pub(crate) struct Cli {
    /// Print JSON for scripts; errors go to standard error, as JSON too.
    #[arg(long, global = true, display_order = 100)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Explain(Tensor),
    Draw(Draw),
    Plan(Plan),
    Convert(Convert),
    Bench(Bench),
    List(List),
    Check(Check),
    Code(Code),
    Completions(Completions),
}

/// Say what a layout is: the offset formula, strides, blocks, padding, and its names in other systems.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  layout explain nChw8c 2x17x5x4
  layout explain u8:channels_last 1,3,224,224
  layout explain f32:nChw16c:2x32x5x4:strides=1280x320x64x16")]
pub(crate) struct Tensor {
    /// The format, or a whole tensor such as f32:nhwc:1x3x5x4.
    pub(crate) format: String,
    /// The extents, as in 2x17x5x4; left out where FORMAT is a whole tensor.
    pub(crate) dims: Option<String>,
}

/// Draw a layout: the logical grid beside the memory order, in the terminal or to an SVG or PNG file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  layout draw nChw8c 1x17x2x3                    in the terminal
  layout draw OIhw4i16o4i 16x16x1x1 -o weights.png
  layout draw nhwc 2x3x3x4 -o nhwc.svg           a file that exists is replaced")]
pub(crate) struct Draw {
    /// The format, or a whole tensor such as f32:nhwc:1x3x5x4.
    pub(crate) format: String,
    /// The extents, as in 1x17x2x3. Small ones say most; of large ones a part is shown.
    pub(crate) dims: Option<String>,
    /// The file to write, .svg or .png.
    #[arg(long, short)]
    pub(crate) output: Option<PathBuf>,
    /// Colours in the terminal; `auto` leaves them out where the output is no terminal or NO_COLOR is set.
    #[arg(long, value_enum, default_value = "auto", alias = "color")]
    pub(crate) colour: Colour,
    /// Columns of the terminal.
    #[arg(long)]
    pub(crate) width: Option<usize>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

/// Convert the tensors of a .npy or .safetensors file to another layout or data type.
///
/// An array in a file has the axes that the format has in memory, from the outermost to the innermost: nhwc is an array of 4
/// axes (n, h, w, c), nChw8c one of 5 (n, c / 8, h, w, c % 8). Both files are mapped, so that they may be larger than the
/// memory; the new file appears when it is whole. Nobody should change INPUT meanwhile.
///
/// Of a safetensors file every tensor is converted that can be of the layout; the others, as a bias of one axis beside weights
/// of four, are copied as they are, and the output says why. With --tensor those named are converted, and one that cannot be
/// is an error.
///
/// Numbers are rounded to nearest even and saturated; NaN becomes 0 in integers. Elements of either byte order are read.
/// NumPy's types are f64, f32, f16, s32, s8, u8 and boolean; safetensors has bf16, f8_e5m2, f8_e4m3, e8m0 and f4_e2m1 as
/// well. Other types, as 64-bit integers, are to be saved as one of these first.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  layout convert nchw.npy nhwc.npy --from nchw --to nhwc
  layout convert image.npy act.npy --from u8:nhwc --to f32:nChw16c
  layout convert act.npy nchw.npy --from nChw16c --to nchw --dims 1x3x224x224    without its padding
  layout convert model.safetensors packed.safetensors --tensor conv1.weight --to OIhw16i16o

A safetensors file notes the layout of what was converted, so that the way back needs no --from and no --dims:
  layout convert packed.safetensors back.safetensors --tensor conv1.weight --to oihw
")]
pub(crate) struct Convert {
    /// The file to read, .npy or .safetensors.
    pub(crate) input: PathBuf,
    /// The file to write, .npy or .safetensors.
    pub(crate) output: PathBuf,
    /// The format of INPUT; without it, the one that the file notes, or else row-major in the logical order of TO.
    #[arg(long, short)]
    pub(crate) from: Option<String>,
    /// The format of OUTPUT; its data type is that of INPUT unless stated.
    #[arg(long, short)]
    pub(crate) to: String,
    /// The extents without padding, as in 1x3x224x224; without it, those with the padding.
    #[arg(long)]
    pub(crate) dims: Option<String>,
    /// Which tensor of a safetensors file, as often as wanted; from .npy, the name that it gets.
    #[arg(long)]
    pub(crate) tensor: Vec<String>,
    /// Replace OUTPUT if it exists.
    #[arg(long)]
    pub(crate) force: bool,
    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Measure reorders on this machine, beside a memcpy that moves as many bytes.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  layout bench                                 a table of what people move most
  layout bench u8:nhwc f32:nChw16c 1x3x224x224 --seconds 1")]
pub(crate) struct Bench {
    /// The format of the source.
    #[arg(requires = "dims")]
    pub(crate) from: Option<String>,
    /// The format of the destination.
    pub(crate) to: Option<String>,
    /// The extents.
    pub(crate) dims: Option<String>,
    /// How long each is measured.
    #[arg(long, default_value = "0.2", allow_negative_numbers = true)]
    pub(crate) seconds: f64,
    /// Use all threads.
    #[arg(long)]
    pub(crate) parallel: bool,
}

/// Say what a reorder between two layouts will do, and why it is no plain copy.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  layout plan nchw nChw16c 1x64x56x56
  layout plan u8:nhwc f32:nChw16c 1x3x300x451
  layout plan oihw OIhw8o8i 64x35x3x3 --tune     what each way of moving it takes on this machine")]
pub(crate) struct Plan {
    /// The format of the source.
    pub(crate) from: String,
    /// The format of the destination; its data type is that of the source unless stated.
    pub(crate) to: String,
    /// The extents, as in 1x3x224x224.
    pub(crate) dims: String,
    /// Run the plan in each way in which it can be moved, and say what they take; the fastest one first.
    #[arg(long)]
    pub(crate) tune: bool,
}

/// Check a format; a mistake is shown with a caret and what to write instead. Exit code 1 if there is one.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  layout check nChw16c
  layout check nchw16c            error: axis `c` has a block but its outer letter is lower case
  layout check n..c --rank 4")]
pub(crate) struct Check {
    /// The format.
    pub(crate) format: String,
    /// The number of axes, for formats of several ranks.
    #[arg(long)]
    pub(crate) rank: Option<usize>,
}

/// Write the offset function of a layout, and its inverse, in another language.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  layout code nChw8c 2x17x5x4                       C, every extent a constant
  layout code nChw16c ?x64x?x? --language wgsl      n, h and w are parameters
  layout code OIhw4i16o4i --language opencl --bits 32 --macro --name weights")]
pub(crate) struct Code {
    /// The format, or a whole tensor such as f32:nhwc:1x3x5x4.
    pub(crate) format: String,
    /// The extents; `?` is a parameter of the functions. Without it all are.
    pub(crate) dims: Option<String>,
    /// The language.
    #[arg(long, short, value_enum, default_value = "c")]
    pub(crate) language: LanguageArg,
    /// What the functions are called: NAME_offset and NAME_index.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Bits of an index; WGSL always has 32.
    #[arg(long, default_value = "64", value_parser = ["32", "64"])]
    pub(crate) bits: String,
    /// Write the offset as a macro.
    #[arg(long = "macro")]
    pub(crate) as_macro: bool,
    /// Which part to write.
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) part: Part,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum LanguageArg {
    C,
    Cpp,
    Cuda,
    Opencl,
    Wgsl,
}

impl LanguageArg {
    pub(crate) fn language(self) -> Language {
        match self {
            LanguageArg::C => Language::C,
            LanguageArg::Cpp => Language::Cpp,
            LanguageArg::Cuda => Language::Cuda,
            LanguageArg::Opencl => Language::OpenCl,
            LanguageArg::Wgsl => Language::Wgsl,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Part {
    /// A whole file.
    All,
    /// The offset alone.
    Offset,
    /// The inverse alone.
    Inverse,
}

/// List the names that systems give to layouts, and what each means.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  layout list fsv16                  every name, meaning or system with `fsv16` in it
  layout list nChw16c --exact        all names of this one layout
  layout list --system cudnn")]
pub(crate) struct List {
    /// Words that all must occur in a name, in its meaning or in the name of its system.
    pub(crate) words: Vec<String>,
    /// Names of one system alone, by its prefix: onednn, ov, cudnn, torch, trt, tvm, …
    #[arg(long)]
    pub(crate) system: Option<String>,
    /// The word is a format, in any spelling: list the names that mean the same.
    #[arg(long, requires = "words")]
    pub(crate) exact: bool,
}

/// Print the completion script of a shell.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  layout completions bash > ~/.local/share/bash-completion/completions/layout
  layout completions zsh > ~/.zfunc/_layout")]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}
