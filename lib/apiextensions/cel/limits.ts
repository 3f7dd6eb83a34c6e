/** Upstream's bounds of what rules may cost; a unit is about 100 ns of upstream's time. */

/** One evaluation of one expression. */
export const perCallLimit = 1_000_000;
/** All evaluations of one request. */
export const runtimeBudget = 10_000_000;
/** The estimate of one rule of a definition, wherever it applies. */
export const estimatedRuleLimit = 10_000_000;
/** The estimates of all rules of one version. */
export const estimatedTotalLimit = 100_000_000;
/** What a messageExpression may make, in bytes. */
export const maxMessageSize = 5 * 1024;
