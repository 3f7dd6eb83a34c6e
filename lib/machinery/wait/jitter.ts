/** Draws a number from 0 to below 1. */
export type Random = () => number;

/**
 * Lengthens a duration at random by up to `maxFactor` times itself, so that peers do not act at the same moment (upstream: wait.Jitter).
 */
export const jitter = (duration: number, maxFactor: number, random: Random): number =>
  duration + random() * maxFactor * duration;
