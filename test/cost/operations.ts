import type { Client } from '#lib/client/client.ts';
import type { CountedOperation, OperationName } from '../../scripts/cost/operations.ts';
import { sum, type Tally } from '../../scripts/cost/tally.ts';
import { core } from '#test/controllers/refs.ts';
import { install, scale, upgrade } from './chart.ts';
import { CountedNode } from './node.ts';
import { CountedPlatform } from './platform.ts';

/** Milliseconds between two renewals, as kubelets have them. */
const LEASE = 10_000;
/** In a quarter of an hour: renewals, and reports of an agent with nothing to tell. */
const RENEWALS = 90;
const REPORTS = 3;
const QUARTERS = 4;

/** A platform with one node, which runs what it is given. */
class Counting {
  readonly platform: CountedPlatform;
  readonly node: CountedNode;
  readonly admin: Client;
  #pods = 0;

  constructor(platform: CountedPlatform) {
    this.platform = platform;
    this.admin = platform.client();
    this.node = new CountedNode(platform.client('system:node:n1'), 'n1', () => platform.clock.now());
  }

  /** With all that the node does of it. */
  cost(work: () => Promise<unknown>, isCold = false): Promise<Tally> {
    return this.platform.cost(() => this.#run(work), { isCold });
  }

  /** The same until nothing is to be done for seconds. */
  costAtOnce(work: () => Promise<unknown>, isCold = false): Promise<Tally> {
    return this.platform.costAtOnce(() => this.#run(work), { isCold });
  }

  async #run(work: () => Promise<unknown>): Promise<void> {
    await work();
    do await this.platform.settle();
    while (await this.node.sync());
  }

  /** Until it has a node, without the agent's part. */
  place(isCold = false): Promise<Tally> {
    const metadata = { name: `pod-${++this.#pods}`, namespace: 'default' };
    const spec = { containers: [{ name: 'main', image: 'example.com/web' }] };
    return this.platform.cost(() => this.admin.create(core('pods'), { metadata, spec }), { isCold });
  }

  /** Renewals of the node's Lease in a quarter of an hour; `isWhole`: and its reports, and looks at whether it lives. */
  renewals(isWhole: boolean): Promise<Tally> {
    return this.platform.cost(async () => {
      this.platform.losesNodes = isWhole;
      for (let i = 0; i < RENEWALS; i++) {
        await this.node.renew();
        await this.platform.pass(LEASE / 2);
        if (isWhole && i % (RENEWALS / REPORTS) === 0) await this.node.report();
        await this.platform.pass(LEASE / 2);
      }
      this.platform.losesNodes = false;
    });
  }
}

/** Counts all operations, each where every function has worked before, and where each has to start: `cold`. */
export async function countOperations(): Promise<Readonly<Record<OperationName, CountedOperation>>> {
  const counting = new Counting(await CountedPlatform.start());
  const { admin, node, platform } = counting;
  await platform.cost(() => node.register());
  await counting.costAtOnce(() => install(admin, 'first'));
  const atOnce = {
    warm: await counting.costAtOnce(() => install(admin, 'second')),
    cold: await counting.costAtOnce(() => install(admin, 'third'), true),
  };
  await counting.cost(() => upgrade(admin, 'first'));
  const both = async (work: (app: string) => Promise<unknown>): Promise<CountedOperation> => ({
    warm: await counting.cost(() => work('one')),
    cold: await counting.cost(() => work('two'), true),
  });
  return {
    'chart installed': await both((app) => install(admin, app)),
    'chart installed, at once': atOnce,
    'chart upgraded': await both((app) => upgrade(admin, app)),
    'deployment scaled by 3 pods': await both((app) => scale(admin, app, 5)),
    ...(await pods(counting)),
    ...(await watches(platform)),
    ...(await standing(counting)),
  };
}

/** A pod of its own, apart: until it has a node, and the agent's part. */
async function pods(counting: Counting) {
  const nothing = async (): Promise<void> => undefined;
  const [placed, run] = [await counting.place(), await counting.cost(nothing)];
  const [placedCold, runCold] = [await counting.place(true), await counting.cost(nothing, true)];
  return { 'pod placed': { warm: placed, cold: placedCold }, 'pod run': { warm: run, cold: runCold } };
}

const always = (tally: Tally): CountedOperation => ({ warm: tally, cold: tally });

/** A node's Lease, and an hour of the node without. */
async function standing(counting: Counting) {
  const alone = await counting.renewals(false);
  const whole = await counting.renewals(true);
  const hour = sum([
    [QUARTERS, whole],
    [-QUARTERS, alone],
  ]);
  return { 'lease renewed': always(sum([[1 / RENEWALS, alone]])), "node's hour without leases": always(hour) };
}

const SERVICES = '/api/v1/services';
const WATCH = 300;

/** Watches to which nothing is told: in an environment of its own, and beside others in the same. */
async function watches(platform: CountedPlatform) {
  const one = await platform.watch([SERVICES], WATCH);
  const beside = async (path: string): Promise<CountedOperation> => {
    const two = await platform.watch([SERVICES, path], WATCH);
    return always(
      sum([
        [1, two],
        [-1, one],
      ]),
    );
  };
  return {
    'watch of 5 minutes': always(one),
    'watch of 5 minutes beside one of its kind': await beside(SERVICES),
    'watch of 5 minutes beside one of another kind': await beside('/api/v1/pods'),
  };
}
