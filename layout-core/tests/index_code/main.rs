//! Index code: the text is compiled with the compilers of the machine, run, and every number compared with those of the
//! descriptor; what cannot be written is refused. WGSL is checked where naga is, in the tests of `layout-cli`.

mod cases;
mod compiled;
mod opencl;
mod program;
mod refused;
