//! Tensors of frameworks.

#[cfg(feature = "burn")]
mod burn;
#[cfg(feature = "candle")]
mod candle;
#[cfg(feature = "dlpack")]
mod dlpack;
