//! The data contract of the report viewer (`web/src/data.ts` is generated from it): plain values, units in the names.
//!
//! The record of a section is in the section's own file, which imports the parts of `estimate` and `verdict`. The
//! record of the whole report, in `report`, imports them all.

mod estimate;
mod report;
mod verdict;

pub(crate) use estimate::EstimateData;
pub use report::ReportData;
pub(crate) use report::{
    BetterData, BlockData, ComparisonData, CurveData, CurvePointData, FORMAT, LadderData, LeftOutData, LoopData,
    MaximumData, MetricData, MetricName, OnlyTrialData, PartData, RoleData, RunData, RungData, StateData,
    ToldSeriesData, TrialData,
};
pub(crate) use verdict::VerdictData;
