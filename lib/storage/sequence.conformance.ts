import { describe } from 'vitest';
import { appends } from './conformance/append.ts';
import { type Bench, OpenSequence } from './conformance/bench.ts';
import { keepsLargeBodies } from './conformance/bodies.ts';
import { compacts } from './conformance/compaction.ts';
import { raisesEpochs } from './conformance/epochs.ts';
import { tellsItsExtent } from './conformance/extent.ts';
import { lives } from './conformance/life.ts';
import { readsItsLog } from './conformance/log.ts';
import { mayShowOutlines } from './conformance/outlines.ts';
import { showsItsState } from './conformance/state.ts';

/** Tests the contract of Sequence on a backend. `empty` creates a bench for each test. */
export function sequenceConformance(backend: string, empty: () => Promise<Bench> | Bench): void {
  describe(`${backend} as a Sequence`, () => {
    const on = new OpenSequence(empty);
    appends(on);
    readsItsLog(on);
    showsItsState(on);
    compacts(on);
    keepsLargeBodies(on);
    mayShowOutlines(on);
    tellsItsExtent(on);
    raisesEpochs(on);
    lives(on);
  });
}
