import type { Clock } from './clock.ts';

/** The wall clock may fall back by this time in ms before it counts as set back. Its resolution is a millisecond. */
const SET_BACK = 100;

/**
 * The clock of a process that is frozen between requests. The monotonic clock may stop during a freeze, but the wall clock continues. Any
 * time that the wall clock gains on the monotonic clock counts as elapsed. Therefore setting the wall clock forward also counts as elapsed
 * time. Setting it back does not.
 */
export function throughFreezes(clock: Clock): Clock {
  const lead = (): number => clock.now() - clock.monotonic();
  let known = lead();
  let frozen = 0;
  return {
    now: () => clock.now(),
    sleep: (...asked) => clock.sleep(...asked),
    monotonic() {
      const gained = lead() - known;
      if (gained > 0) frozen += gained;
      if (gained > 0 || gained < -SET_BACK) known += gained;
      return clock.monotonic() + frozen;
    },
  };
}
