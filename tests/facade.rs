//! The facade from outside: `layout!` names the types that the predeclared names name, wherever and however it is
//! written, and what it re-exports can go to threads.

use layout_core::layout::ALIASES;
use static_assertions::{
    assert_eq_size, assert_impl_all, assert_not_impl_any, assert_type_eq_all, assert_type_ne_all,
};
use tensor_layout::*;

/// The type of each predeclared name is the type of its string, here, in a submodule, and through another crate.
macro_rules! aliases {
    ($($name:ident $text:literal,)*) => {
        $(assert_type_eq_all!(
            $name,
            layout!($text),
            elsewhere::$name,
            elsewhere::deeper::$name,
            tensor_layout::layout!($text),
            layout_core::layout::$name
        );)*
        $(assert_impl_all!($name: Layout, Copy, Default, Send, Sync, Unpin);)*
        $(assert_eq_size!($name, ());)*

        mod elsewhere {
            $(pub(super) type $name = reexport::layout!($text);)*

            pub(super) mod deeper {
                use reexport::nested::deeper::layout as spelled;
                $(pub(in super::super) type $name = spelled!($text);)*
            }
        }

        /// Each name with its string, as this file has them.
        const NAMED: &[(&str, &str)] = &[$((stringify!($name), $text)),*];
    };
}
aliases! {
    Nc "nc",
    Ncw "ncw",
    Nwc "nwc",
    Nchw "nchw",
    Nhwc "nhwc",
    Chwn "chwn",
    Ncdhw "ncdhw",
    Ndhwc "ndhwc",
    Chw "chw => chw",
    Hwc "chw => hwc",
    Cdhwn "cdhwn",
    Nchw4c "nChw4c",
    Nchw8c "nChw8c",
    Nchw16c "nChw16c",
    Nchw32c "nChw32c",
    Ncdhw8c "nCdhw8c",
    Ncdhw16c "nCdhw16c",
    Ncdhw32c "nCdhw32c",
    Oi "oi",
    Io "io",
    Oihw "oihw",
    Ohwi "ohwi",
    Hwio "hwio",
    Oidhw "oidhw",
    Goihw "goihw",
    Hwigo "hwigo",
    OIhw8i8o "OIhw8i8o",
    OIhw16i16o "OIhw16i16o",
    OIhw16o16i "OIhw16o16i",
    OIhw8i16o2i "OIhw8i16o2i",
    OIhw4i16o4i "OIhw4i16o4i",
    Ohwi16o "Ohwi16o",
    Goihw8g "Goihw8g",
    Goihw16g "Goihw16g",
    GOIhw16i16o "gOIhw16i16o",
    Tnc "tnc",
    Ntc "ntc",
    Vector "a",
    RowMajor "ab",
    ColumnMajor "ba",
}

#[test]
fn every_alias_is_its_string() {
    let listed: Vec<_> = ALIASES.iter().map(|&(name, text, _)| (name, text)).collect();
    assert_eq!(NAMED, listed, "this file and the aliases of `layout-core` differ");
    for (name, text, spec) in ALIASES {
        assert_eq!(Spec::parse(text).as_ref(), Ok(spec), "{name}");
        assert_eq!(spec.to_string(), *text, "{name}");
    }
}

// The template's order written out, and another spelling of the same digits, are the same type.
assert_type_eq_all!(layout!("nchw => nhwc"), Nhwc);
assert_type_eq_all!(layout!("nchw => nchw"), Nchw);
assert_type_eq_all!(layout!("nchw => nChw16c"), layout!("nChw16c"), Nchw16c);
assert_type_eq_all!(layout!("ncdhw => ndhwc"), Ndhwc);
assert_type_eq_all!(layout!("oihw => hwio"), Hwio);
assert_type_eq_all!(layout!("goihw => gOIhw16i16o"), GOIhw16i16o);
assert_type_eq_all!(layout!("tnc => ntc"), Ntc);
assert_type_eq_all!(layout!("ab => ba"), ColumnMajor);
assert_type_eq_all!(reexport::Act, reexport::named_layout!("nChw16c"), Nchw16c);
assert_type_eq_all!(reexport::Named, Nhwc);
// Another logical order, other names, other digits: another type.
assert_type_ne_all!(
    layout!("nhwc => nhwc"),
    layout!("nhwc => nchw"),
    Nhwc,
    Nchw,
    Oihw,
    layout!("abcd"),
    layout!("nChw16c"),
    layout!("aBcd16b"),
    layout!("nChw8c")
);

#[test]
fn constants_of_layouts() {
    type Weights = layout!("OIhw4i16o4i");
    assert_eq!((Weights::RANK, Weights::AXES), (4, &['o', 'i', 'h', 'w'][..]));
    assert_eq!(Weights::OUTER_ORDER, [0, 1, 2, 3]);
    assert_eq!(Weights::INNER_BLOCKS, [(1, 4), (0, 16), (1, 4)]);
    assert_eq!((Weights::PADDING, Weights::BLOCK_LEN), (&[16, 16, 1, 1][..], 256));
    assert_type_eq_all!(<Weights as Layout>::Block<f32>, [[[f32; 4]; 16]; 4]);
    assert_type_eq_all!(<Weights as Layout>::Index, [usize; 4]);

    type Cache = layout!("bshd => bhSd16s");
    assert_eq!((Cache::RANK, Cache::AXES), (4, &['b', 's', 'h', 'd'][..]));
    assert_eq!((Cache::OUTER_ORDER, Cache::INNER_BLOCKS), (&[0, 2, 1, 3][..], &[(1, 16)][..]));
    assert_eq!((Cache::PADDING, Cache::BLOCK_LEN), (&[1, 16, 1, 1][..], 16));

    assert_eq!((Nhwc::OUTER_ORDER, Nhwc::PADDING, Nhwc::BLOCK_LEN), (&[0, 2, 3, 1][..], &[1; 4][..], 1));
    assert!(Nhwc::INNER_BLOCKS.is_empty());
    assert_type_eq_all!(<Nhwc as Layout>::Block<u8>, u8);
    assert_eq!((Scalar::RANK, Scalar::AXES.len(), Scalar::BLOCK_LEN), (0, 0, 1));

    // Usable where a constant is needed.
    const OFFSETS: [usize; <Weights as Layout>::BLOCK_LEN] = [0; 256];
    assert_eq!(OFFSETS.len(), 256);
}

// What goes to threads, under the names that users have.
assert_impl_all!(Tensor<f32, Nchw16c>: Send, Sync, Clone);
assert_impl_all!(TensorView<'static, f32, Nchw16c>: Send, Sync, Copy);
assert_impl_all!(TensorViewMut<'static, f32, Nchw16c>: Send, Sync);
assert_impl_all!(StridedView<'static, f32, Nchw16c>: Send, Sync, Copy);
assert_impl_all!(StridedViewMut<'static, f32, Nchw16c>: Send, Sync);
assert_impl_all!(ChunksMut<'static, f32, Nchw16c>: Send, Sync);
assert_impl_all!(Descriptor: Send, Sync, Copy);
assert_impl_all!(Reorder: Send, Sync, Clone);
assert_impl_all!(ReorderOptions: Send, Sync, Copy, Default);
assert_impl_all!(PlanCache: Send, Sync, Default);
assert_impl_all!(Spec: Send, Sync, Copy);
assert_impl_all!(ViewError: std::error::Error, Send, Sync);
assert_impl_all!(ReorderError: std::error::Error, Send, Sync);
assert_impl_all!(DescriptorError: std::error::Error, Send, Sync);
assert_impl_all!(ParseError: std::error::Error, Send, Sync);
assert_not_impl_any!(TensorView<'static, std::cell::Cell<u8>, Nchw>: Send, Sync);
assert_not_impl_any!(TensorViewMut<'static, *const u8, Nchw>: Send, Sync);
assert_not_impl_any!(TensorViewMut<'static, f32, Nchw>: Clone);

#[test]
fn plans_and_views_go_to_threads() {
    let source = Descriptor::new(DType::U8, &[4, 3, 5, 7], "nhwc").expect("a descriptor");
    let target = Descriptor::new(DType::F32, &[4, 3, 5, 7], "nChw8c").expect("a descriptor");
    let plan = Reorder::new(&source, &target).expect("a plan");
    let pixels: Vec<u8> = (0..source.size_bytes()).map(|i| i as u8).collect();
    let mut expected = vec![1; target.size_bytes()];
    plan.run(&pixels, &mut expected).expect("buffers of the right size");

    // One plan, shared by threads that each have memory of their own.
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut found = vec![1; target.size_bytes()];
                plan.run(&pixels, &mut found).expect("buffers of the right size");
                assert_eq!(found, expected);
                found.fill(1);
                reorder_bytes(&source, &pixels, &target, &mut found).expect("buffers of the right size");
                assert_eq!(found, expected);
            });
        }
    });

    // One tensor, whose parts are written by threads.
    let view = TensorView::<u8, Nhwc>::from_descriptor(&source, &pixels).expect("a view");
    let mut act = Tensor::<f32, Nchw8c>::filled([4, 3, 5, 7], -1.0).expect("memory");
    std::thread::scope(|scope| {
        let parts = act.chunks_mut::<'n'>(1).expect("a chunk size").enumerate();
        for (n, part) in parts {
            scope.spawn(move || {
                let image = view.slice::<'n'>(n..n + 1).expect("a part");
                reorder(image, part).expect("the same extents");
            });
        }
    });
    assert_eq!(act.view().convert::<f32, Nchw8c>().as_slice(), act.as_slice());
    assert!(act.indexed_iter().all(|(index, &x)| x == f32::from(view[index])));
    assert!(act.padding_is_zero());
}
