/** The decoded forms of values that have no JSON type. */

/** An int64: a `bigint` beyond 2^53. */
export type Int64 = number | bigint;

/** Bytes in canonical base64. */
export type Base64 = string;

/** `resource.Quantity` in its canonical form: `100m`, `1Gi`. */
export type Quantity = string;

/** `metav1.Time`: RFC 3339 in UTC, to the second. */
export type Time = string;

/** `metav1.MicroTime`: RFC 3339 in UTC, to the microsecond. */
export type MicroTime = string;

/** `metav1.Duration` as Go writes it: `1h0m0s`. */
export type Duration = string;

/** `intstr.IntOrString`: a number, or a text such as `25%` or a port's name. */
export type IntOrString = number | string;
