//! A layout in words and as a picture.

mod words;
