//! Figures derived from the times: shares, ratios, geometric means. All are ratios of medians within one case.

use super::{Report, Row};
use crate::entrants::Role;

impl Row {
    /// Median seconds of an entrant.
    pub(super) fn seconds(&self, name: &str) -> Option<f64> {
        self.results.iter().find(|result| result.0 == name).map(|result| result.2.median())
    }

    /// Least seconds of an entrant.
    pub(super) fn fastest(&self, name: &str) -> Option<f64> {
        self.results.iter().find(|result| result.0 == name).map(|result| result.2.fastest())
    }

    /// The kernel of an entrant; empty where it has no name.
    pub(super) fn kernel(&self, name: &str) -> &str {
        self.results.iter().find(|result| result.0 == name).map_or("", |result| result.1.as_str())
    }

    /// Bytes read and written in a second, in units of 10^9.
    pub(super) fn throughput(&self, seconds: f64) -> f64 {
        (self.read + self.written) as f64 / seconds / 1e9
    }

    /// How fast `name` is against one memcpy that moves as many bytes.
    pub(super) fn share(&self, name: &str) -> Option<f64> {
        Some(self.seconds("memcpy")? / self.seconds(name)?)
    }

    /// How fast `name` is against one memcpy of the lines that the case touches; of as many bytes, where these are about as many.
    pub(super) fn share_of_lines(&self, name: &str) -> Option<f64> {
        let copy = self.seconds("memcpy of lines").or_else(|| self.seconds("memcpy"))?;
        Some(copy / self.seconds(name)?)
    }

    /// How many times as fast as `name` ours is.
    pub(super) fn ratio(&self, name: &str) -> Option<f64> {
        Some(self.seconds(name)? / self.seconds("ours")?)
    }
}

impl Report {
    /// The fastest entrant of those that `take` picks.
    pub(super) fn best<'a>(&'a self, row: &Row, take: impl Fn(Role) -> bool) -> Option<&'a str> {
        self.names
            .iter()
            .filter(|(_, role)| take(*role))
            .filter_map(|(name, _)| Some((name.as_str(), row.seconds(name)?)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|best| best.0)
    }

    /// The fastest version of oneDNN.
    pub(super) fn best_onednn(&self, row: &Row) -> Option<&str> {
        self.best(row, |role| role == Role::OneDnn)
    }

    /// The fastest of all other systems.
    pub(super) fn best_peer(&self, row: &Row) -> Option<&str> {
        self.best(row, |role| matches!(role, Role::OneDnn | Role::Peer))
    }

    /// The classes in the order of the cases.
    pub(super) fn classes(&self) -> Vec<&'static str> {
        let mut classes = Vec::new();
        for row in &self.rows {
            if !classes.contains(&row.class) {
                classes.push(row.class);
            }
        }
        classes
    }
}

/// Geometric mean, least value and number of what is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mean {
    pub(super) mean: f64,
    pub(super) least: f64,
    pub(super) count: usize,
}

/// The geometric mean; `None` of nothing.
pub(super) fn geomean(values: impl IntoIterator<Item = Option<f64>>) -> Option<Mean> {
    let (mut sum, mut least, mut count) = (0.0, f64::INFINITY, 0);
    for value in values.into_iter().flatten().filter(|value| value.is_finite() && *value > 0.0) {
        sum += value.ln();
        least = f64::min(least, value);
        count += 1;
    }
    (count > 0).then(|| Mean { mean: (sum / count as f64).exp(), least, count })
}
