//! Trying the ways of a plan: what is tried, what is taken, and that no byte changes by it.

use crate::oracle::{SENTINEL, dense, fill, reorder};
use crate::ways::weights;
use layout_core::descriptor::DType;
use layout_core::layout::{ColumnMajor, RowMajor};
use layout_core::reorder::{
    Attributes, PlanCache, Reorder, ReorderError, ReorderOptions, Stores, Values, Way,
};
use layout_core::shape::Fixed;
use layout_core::view::Tensor;
use std::time::Duration;

#[test]
fn trying_them() {
    let (src, dst, plan) = weights();
    let tuning = plan.tune(Duration::from_millis(2)).unwrap();
    let times: Vec<Duration> = tuning.ways().map(|(_, time)| time).collect();
    assert!(times.is_sorted() && times.iter().all(|time| !time.is_zero() && *time < Duration::MAX));
    // Those that differ in what is moved, and the two of the fastest that ask for lines or not.
    assert_eq!(times.len(), plan.ways().count() + 2);
    assert!(tuning.ways().any(|(way, _)| way == plan.way()));
    // The way that is taken takes no longer than the plan's own.
    let time_of = |wanted: Way| tuning.ways().find(|(way, _)| *way == wanted).unwrap().1;
    assert!(time_of(tuning.plan().way()) <= time_of(plan.way()), "{tuning}");
    assert_eq!(tuning.to_string().lines().count(), times.len());
    assert_eq!(tuning.to_string().matches("<- as planned").count(), 1);

    let mut from = vec![0; src.size_bytes()];
    fill(src.dtype(), &mut from, 9);
    let mut expected = vec![SENTINEL; dst.size_bytes()];
    reorder(&src, &dst, &from, &mut expected);
    let mut found = vec![SENTINEL; dst.size_bytes()];
    let tuning = plan.tune_on(&from, &mut found, &Attributes::new(), Duration::ZERO).unwrap();
    assert!(found == expected, "the last run has written all of it");
    found.fill(SENTINEL);
    tuning.plan().run(&from, &mut found).unwrap();
    assert!(found == expected);
}

#[test]
fn trying_what_cannot_run() {
    let (src, dst, _) = weights();
    let scale = Attributes::new().src_scale(Values::common(2.0));
    let plan = Reorder::with_attributes(&src, &dst, &scale).unwrap();
    assert!(matches!(plan.tune(Duration::ZERO), Err(ReorderError::AttributeMissing { .. })));
    let from = vec![0; src.size_bytes()];
    let mut short = vec![SENTINEL; dst.size_bytes() - 1];
    let error = plan.tune_on(&from, &mut short, &scale, Duration::ZERO).unwrap_err();
    assert_eq!(error, ReorderError::DestinationTooSmall { expected: short.len() + 1, found: short.len() });
    assert!(short.iter().all(|&byte| byte == SENTINEL), "nothing was written");
    // Nothing to move.
    let empty = dense(DType::F32, &[0, 3], "ab");
    let plan = Reorder::new(&empty, &dense(DType::F32, &[0, 3], "ba")).unwrap();
    assert_eq!(plan.tune(Duration::ZERO).unwrap().plan().way(), plan.way());
}

#[test]
fn options_that_try_them() {
    const BUDGET: Duration = Duration::from_micros(300);
    let (src, dst, plan) = weights();
    let options = ReorderOptions::new().with_stores(Stores::Temporal).with_tuning(BUDGET);
    let mut cache = PlanCache::new();
    let tuned = cache.plan_with(&src, &dst, options).unwrap();
    assert_eq!(tuned.stores(), Stores::Temporal);
    assert!(plan.with_stores(Stores::Temporal).ways().any(|way| {
        let way = way.to_string();
        tuned.way().to_string().starts_with(way.strip_suffix("+temporal").unwrap())
    }));
    assert!(cache.plan_with(&dense(DType::U8, &[2], "a"), &dense(DType::U8, &[3], "a"), options).is_err());

    // Of descriptors, and of views whose extents their types know: tried once, found again.
    let mut from = vec![0; src.size_bytes()];
    fill(src.dtype(), &mut from, 3);
    let mut expected = vec![SENTINEL; dst.size_bytes()];
    reorder(&src, &dst, &from, &mut expected);
    let counts = || PlanCache::of_thread(|cache| (cache.misses(), cache.hits()));
    let before = counts();
    for _ in 0..3 {
        let mut found = vec![SENTINEL; dst.size_bytes()];
        options.reorder_bytes(&src, &from, &dst, &mut found).unwrap();
        assert!(found == expected);
    }
    assert_eq!(counts(), (before.0 + 1, before.1 + 2));
    let shape = (Fixed::<3>, Fixed::<40>);
    let rows = Tensor::<u8, RowMajor, _>::from_fn(shape, |[a, b]| (a * 40 + b) as u8).unwrap();
    for _ in 0..2 {
        let columns: Tensor<u8, ColumnMajor, _> = options.convert(&rows).unwrap();
        assert_eq!((columns[[1, 0]], columns[[2, 39]]), (40, 119));
    }
    assert_eq!(counts(), (before.0 + 2, before.1 + 3));
}
