/** What expressions may cost at run time, as upstream bounds them wherever they stand; a unit is about 100 ns of upstream's time. */

/** One evaluation of one expression. */
export const PER_CALL_LIMIT = 1_000_000;
/** All evaluations of one policy, or of an object's rules. */
export const RUNTIME_BUDGET = 10_000_000;
/** All match conditions of one webhook or policy. */
export const MATCH_CONDITIONS_BUDGET = 2_500_000;
/** What a messageExpression may make, in bytes. */
export const MAX_MESSAGE_SIZE = 5 * 1024;
/** What a request may hold, in bytes; sizes that nothing bounds are reckoned from it. */
export const MAX_REQUEST_SIZE = 3 * 1024 * 1024;
