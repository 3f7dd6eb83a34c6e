/**
 * How many fields and items a request's body may hold. Upstream bounds its bytes alone; here one request must not keep the
 * others waiting, and each value costs some microseconds until it is stored. The largest known definition holds 18,000.
 */
export const MAX_VALUES = 50_000;
