import type { Clock } from './clock.ts';

/** The time in ms by which the wall clock may fall back before it counts as set back, because it has a resolution of a millisecond. */
const SET_BACK = 100;

/**
 * The clock of a process that is frozen between requests. Its own monotonic clock may stop then, while the wall clock continues. Whatever
 * the wall clock gains on the monotonic one counts as elapsed time, so setting the wall clock forward does too. Setting it back does not.
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
