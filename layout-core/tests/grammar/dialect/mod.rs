//! Every dialect: cases written by hand, tables, names that two systems read differently, and names back from specs.

mod ambiguous;
mod cases;
mod known;
mod tables;
