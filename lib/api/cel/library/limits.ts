/** Upstream's run-time limits of expressions. A unit of cost is about 100 ns of upstream's time. */

/** The cost limit of one evaluation of one expression. */
export const PER_CALL_LIMIT = 1_000_000;
/** The cost limit of all evaluations of one policy, or of an object's rules. */
export const RUNTIME_BUDGET = 10_000_000;
/** The cost limit of all match conditions of one webhook or policy. */
export const MATCH_CONDITIONS_BUDGET = 2_500_000;
/** The maximum size in bytes of the result of a messageExpression. */
export const MAX_MESSAGE_SIZE = 5 * 1024;
/** The maximum size of a request in bytes. Estimates use it for values of unlimited size. */
export const MAX_REQUEST_SIZE = 3 * 1024 * 1024;
