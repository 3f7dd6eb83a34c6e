import { tallOutline } from '../proposal.conformance.ts';
import { sequenceConformance } from '../sequence.conformance.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryDisk, MemoryStore } from './store.ts';

sequenceConformance('memory', () => {
  const clock = new ManualClock();
  const retention = 3_600_000;
  const disk = new MemoryDisk();
  return {
    open: () => new MemoryStore({ clock, retention, disk, outline: tallOutline }),
    outlines: true,
    now: () => clock.now(),
    advance: (milliseconds) => clock.advance(milliseconds),
    jump: (milliseconds) => clock.jump(milliseconds),
    retention,
    dispose: () => undefined,
  };
});
