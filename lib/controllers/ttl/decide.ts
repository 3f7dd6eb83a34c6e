/**
 * Cluster sizes, and the time in seconds that nodes may cache secrets. The steps overlap, so that small changes of the size do not change
 * the TTL.
 */
const STEPS = [
  { from: 0, to: 100, seconds: 0 },
  { from: 90, to: 500, seconds: 15 },
  { from: 450, to: 1000, seconds: 30 },
  { from: 900, to: 2000, seconds: 60 },
  { from: 1800, to: Infinity, seconds: 300 },
] as const;

/** The TTL in seconds for a cluster of this many nodes, most of which have `current` now. */
export function secondsFor(nodes: number, current: number | undefined): number {
  const held = STEPS.find(({ seconds }) => seconds === current);
  if (held !== undefined && nodes >= held.from && nodes <= held.to) return held.seconds;
  return STEPS.find(({ to }) => nodes <= to)?.seconds ?? 300;
}
