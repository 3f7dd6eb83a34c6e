import { ControllerTokens } from '#functions/reconcilers/wiring.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import type { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { RunningControllers } from '#local/controllers.ts';
import type { Simulation } from '#local/simulation.ts';
import { settled } from '#test/support/settled.ts';
import { serverInProcess } from '../server-in-process.ts';

/** The number of event-loop turns that complete the work of half a second. */
const TURNS = 30;

/** The local server and its controllers on a clock that only `pass` advances. */
export function inStep(store: SequenceStore, clock: ManualClock, simulation?: Simulation) {
  const tokens = new ControllerTokens();
  const { server, faults } = serverInProcess({
    store,
    clock,
    tokens: new Map([...tokens.users(), ...(simulation?.users ?? [])]),
  });
  const invoked: string[] = [];
  const reportFault = (_: string, error: unknown): void => void faults.push(error);
  return {
    server,
    faults,
    /** The name of the reconciler for each attempt. */
    invoked,
    reportFault,
    async control(...controllers: readonly string[]): Promise<RunningControllers> {
      return RunningControllers.start(server, {
        authority: 'PEM',
        signer: await newSigner(new Date()),
        address: { host: '127.0.0.1', port: 6443 },
        clock,
        sequences: [],
        controllers,
        reconcilers: [],
        besides: simulation?.reconcilers(server) ?? [],
        log: { info() {}, error() {} },
        tokens,
        invocations: [{ record: ({ function: name }) => void invoked.push(name) }],
        reportFault,
      });
    },
    async pass(seconds: number): Promise<void> {
      for (let half = 0; half < 2 * seconds; half++) {
        clock.advance(500);
        await settled(TURNS);
      }
    },
  };
}
