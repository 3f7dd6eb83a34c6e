/** Upstream's limits on the estimated cost of rules. */

/** The limit of one rule, over all values to which it applies. */
export const ESTIMATED_RULE_LIMIT = 10_000_000;
/** The limit of all rules of one version. */
export const ESTIMATED_TOTAL_LIMIT = 100_000_000;
