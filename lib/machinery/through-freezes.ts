import type { Clock } from './clock.ts';

/** Milliseconds by which the wall clock may fall back before it counts as set: it tells whole milliseconds. */
const SET_BACK = 100;

/**
 * The clock of a process that is frozen between requests: its own monotonic clock may stand still then, and the wall clock goes on. What the
 * wall clock gains on the monotonic one counts as time, so a wall clock that is set forward does too. One that is set back counts for nothing.
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
