/** Draws a number from 0 to below 1. */
export type Random = () => number;

/** Lengthens a duration by up to `maxFactor` times itself at random, so that peers do not act together (upstream: wait.Jitter). */
export const jitter = (duration: number, maxFactor: number, random: Random): number =>
  duration + random() * maxFactor * duration;
