/** A claim on seats, with `lower` ≤ `target` and `lower` ≤ `upper`. */
export interface Claim {
  readonly lower: number;
  readonly upper: number;
  readonly target: number;
}

/** Replaces a target of 0, so that it can be multiplied. */
const LEAST_TARGET = 0.001;

/**
 * Divides `total` among the claims in proportion to their targets and within their bounds. Each claim gets the same multiple of its target,
 * limited to its bounds. Undefined if the bounds do not allow `total`. Upstream's computeConcurrencyAllocation. This version interpolates
 * the multiple between the points at which a share reaches a bound.
 */
export function allocate(total: number, claims: readonly Claim[]): number[] | undefined {
  const [least, most] = [sum(claims, ({ lower }) => lower), sum(claims, ({ upper }) => upper)];
  if (total < least - 1e-7 || total > most + 1e-7) return undefined;
  const share = (claim: Claim, multiple: number): number =>
    Math.max(claim.lower, Math.min(claim.upper, multiple * target(claim)));
  const given = (multiple: number): number => sum(claims, (claim) => share(claim, multiple));
  const turns = claims
    .flatMap((claim) => [claim.lower / target(claim), claim.upper / target(claim)])
    .sort((a, b) => a - b);
  const above = turns.findIndex((turn) => given(turn) >= total);
  const [from, to] = [above <= 0 ? 0 : (turns[above - 1] as number), turns[above] ?? turns.at(-1) ?? 0];
  const [low, high] = [given(from), given(to)];
  const multiple = high === low ? to : from + ((total - low) / (high - low)) * (to - from);
  return claims.map((claim) => share(claim, multiple));
}

const target = (claim: Claim): number => Math.max(LEAST_TARGET, claim.target);

function sum(claims: readonly Claim[], value: (claim: Claim) => number): number {
  return claims.reduce((total, claim) => total + value(claim), 0);
}
