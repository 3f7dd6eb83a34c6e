import type { Sent } from '#test/clients/integration/apiserver/front-door.ts';
import { coreInProcess, request } from '#test/clients/integration/apiserver/in-process.ts';
import { LARGE, PREPARED } from '#test/clients/integration/apiserver/large-requests.ts';

const ROUNDS = 5;

interface Cost {
  readonly status: number;
  /** Processor time of the thread in ms: the total, and the longest time that the event loop was blocked. */
  readonly all: number;
  readonly longest: number;
  readonly turns: number;
}

/** Measures requests near the limits on fields and items in this process, and how long they block other requests. The bar is 100 ms. */
export async function measureLargeRequests(): Promise<void> {
  const least = new Map<string, Cost>();
  for (let round = 0; round < ROUNDS; round++) {
    const core = await coreInProcess();
    for (const sent of PREPARED) await costOf(core, sent);
    for (const [what, sent] of LARGE) {
      const cost = await costOf(core, sent);
      const known = least.get(what);
      if (known === undefined || cost.longest < known.longest) least.set(what, cost);
    }
    await core.close();
  }
  for (const [what, { status, all, longest, turns }] of least) {
    const figures = `${longest.toFixed(0)} ms at most without a pause (bar 100), ${all.toFixed(0)} ms in all, ${turns} turns`;
    console.log(`${what}: ${status}, ${figures}`);
  }
}

type Core = Awaited<ReturnType<typeof coreInProcess>>;

async function costOf({ handle }: Core, sent: Sent): Promise<Cost> {
  let [longest, turns] = [0, 0];
  const begun = processorTime();
  let before = begun;
  const pause = async (): Promise<void> => {
    longest = Math.max(longest, processorTime() - before);
    turns++;
    before = processorTime();
  };
  const response = await handle({ ...request(sent, new AbortController().signal), turn: pause });
  if (typeof response.body !== 'string' && !(response.body instanceof Uint8Array)) for await (const _ of response.body);
  await pause();
  return { status: response.status, all: processorTime() - begun, longest, turns };
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
