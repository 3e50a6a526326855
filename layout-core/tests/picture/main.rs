//! A layout in words and as a picture.

mod documented;
mod drawn;
mod words;
