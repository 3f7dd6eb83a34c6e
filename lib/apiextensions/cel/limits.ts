/** What rules of definitions may be estimated to cost at most, as upstream. */

/** One rule, wherever it applies. */
export const ESTIMATED_RULE_LIMIT = 10_000_000;
/** All rules of one version. */
export const ESTIMATED_TOTAL_LIMIT = 100_000_000;
