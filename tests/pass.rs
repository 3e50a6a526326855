//! The programs that must compile (`ui-tests/pass`), each a module of this one, because eleven programs take a minute to build:
//! nothing in them says where it stands.

/// What a program may return.
trait Outcome {
    fn check(self);
}
impl Outcome for () {
    fn check(self) {}
}
impl<E: std::fmt::Debug> Outcome for Result<(), E> {
    fn check(self) {
        self.expect("the program ends well");
    }
}

/// Declares the programs and runs each as a test; the last test finds those that are not listed.
macro_rules! programs {
    ($($name:ident = $path:literal),* $(,)?) => {
        $(
            #[path = $path]
            mod $name;
        )*

        mod compiles_and_runs {
            $(
                #[test]
                fn $name() {
                    super::Outcome::check(super::$name::main());
                }
            )*
        }

        const LISTED: &[&str] = &[$(concat!(stringify!($name), ".rs")),*];
    };
}

programs! {
    choosing = "../ui-tests/pass/choosing.rs",
    dialects = "../ui-tests/pass/dialects.rs",
    expression = "../ui-tests/pass/expression.rs",
    generics = "../ui-tests/pass/generics.rs",
    hygiene = "../ui-tests/pass/hygiene.rs",
    no_implicit_prelude = "../ui-tests/pass/no_implicit_prelude.rs",
    raw_string = "../ui-tests/pass/raw_string.rs",
    reexported = "../ui-tests/pass/reexported.rs",
    renamed = "../ui-tests/pass/renamed.rs",
    static_extents = "../ui-tests/pass/static_extents.rs",
    views = "../ui-tests/pass/views.rs",
}

#[test]
fn none_is_left_out() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ui-tests/pass");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is readable")
        .map(|entry| entry.expect("an entry is readable").file_name().into_string().expect("names are text"))
        .collect();
    files.sort();
    assert_eq!(files, LISTED, "tests/pass.rs lists the programs in ui-tests/pass");
}
