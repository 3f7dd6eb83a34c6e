import { dependentsConformance } from '../dependents.conformance.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryStore } from './store.ts';

dependentsConformance(() => new MemoryStore({ clock: new ManualClock(), retention: 3_600_000 }));
