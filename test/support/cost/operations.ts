import { sendRequest } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, stringAt } from '#lib/machinery/json-value.ts';
import { core } from '#test/support/controllers/refs.ts';
import type { CountedOperation, OperationName } from '../../../scripts/cost/operations.ts';
import { sum, type Tally } from '../../../scripts/cost/tally.ts';
import { idleChannel, scrapes } from './channel.ts';
import { install, scale, upgrade } from './chart.ts';
import { CountedNode } from './node.ts';
import { CountedPlatform } from './platform.ts';

/** Interval in ms between two renewals of a node's Lease in an account. */
const LEASE = 60_000;
/** Renewals and status reports of an idle agent per hour. */
const RENEWALS = 60;
const REPORTS = 4;
/** The number of polls and tokens that are counted in an hour, and the interval between them in ms. */
const TIMES = 12;
const BETWEEN = 300_000;

/** A platform with one node, which runs the pods assigned to it. */
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

  /** The cost of the work, including everything that the node does because of it. */
  cost(work: () => Promise<unknown>, isCold = false): Promise<Tally> {
    return this.platform.cost(() => this.#run(work), { isCold });
  }

  /** Like `cost`, but only until the system has been idle for seconds. */
  costAtOnce(work: () => Promise<unknown>, isCold = false): Promise<Tally> {
    return this.platform.costAtOnce(() => this.#run(work), { isCold });
  }

  async #run(work: () => Promise<unknown>): Promise<void> {
    await work();
    do await this.platform.settle();
    while (await this.node.sync());
  }

  /** The cost of a pod until it has a node, without the agent's part. */
  place(isCold = false): Promise<Tally> {
    const metadata = { name: `pod-${++this.#pods}`, namespace: 'default' };
    const spec = { containers: [{ name: 'main', image: 'example.com/web' }] };
    return this.platform.cost(() => this.admin.create(core('pods'), { metadata, spec }), { isCold });
  }

  /** The cost of polls of the node while no object that it follows changes. */
  async looks(): Promise<Tally> {
    const path = '/apis/node.davit.dev/v1/nodes/n1/look';
    const headers = { authorization: 'Bearer system:node:n1', accept: 'application/json' };
    let known = new URLSearchParams();
    const look = async (): Promise<void> => {
      const signal = new AbortController().signal;
      const request = {
        method: 'GET',
        path,
        query: known,
        headers,
        body: async () => Buffer.alloc(0),
        signal: () => signal,
      };
      const { status, body } = await this.platform.request(request);
      if (status !== 200 || typeof body !== 'string') throw new Error(`no look: ${status}`);
      known = versionsIn(body);
    };
    await look();
    return this.#apart(look);
  }

  /** The cost of tokens for a pod of the node, as for its volumes. */
  async tokens(): Promise<Tally> {
    await this.place();
    await this.cost(async () => undefined);
    const pod = await this.node.aPod();
    await this.node.token(pod);
    return this.#apart(() => this.node.token(pod));
  }

  /** The cost of tickets for the node's agent to the gateway. */
  async tickets(): Promise<Tally> {
    const target = '/apis/node.davit.dev/v1/nodes/n1/channel';
    const instance = { key: 'k', machineId: 'm', bootId: 'b' };
    const body = { version: 1, features: [], session: 's', instance };
    const requests = { handle: this.platform.request.bind(this.platform), token: 'system:node:n1', userAgent: 'agent' };
    const ticket = () => sendRequest(requests, { method: 'POST', target, accept: 'application/json', body });
    await ticket();
    return this.#apart(ticket);
  }

  /** Repeats the same request, some minutes apart. */
  #apart(request: () => Promise<unknown>): Promise<Tally> {
    return this.platform.cost(async () => {
      for (let i = 0; i < TIMES; i++) {
        await request();
        await this.platform.pass(BETWEEN);
      }
    });
  }

  /** Renewals of the node's Lease in an hour. `isWhole` adds its status reports, and the checks of its health. */
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

/** Counts all operations, each with warm functions and, as `cold`, with cold starts. */
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

/** Counts a single pod in two parts: until it has a node, and the agent's part. */
async function pods(counting: Counting) {
  const nothing = async (): Promise<void> => undefined;
  const [placed, run] = [await counting.place(), await counting.cost(nothing)];
  const [placedCold, runCold] = [await counting.place(true), await counting.cost(nothing, true)];
  return { 'pod placed': { warm: placed, cold: placedCold }, 'pod run': { warm: run, cold: runCold } };
}

const always = (tally: Tally): CountedOperation => ({ warm: tally, cold: tally });

/** Counts a node's Lease, and an hour of the node without the Lease. */
async function standing(counting: Counting) {
  const alone = await counting.renewals(false);
  const whole = await counting.renewals(true);
  const hour = sum([
    [1, whole],
    [-1, alone],
  ]);
  const each = (tally: Tally): CountedOperation => always(sum([[1 / TIMES, tally]]));
  return {
    'lease renewed': always(sum([[1 / RENEWALS, alone]])),
    "node's hour without leases": always(hour),
    'look of a node': each(await counting.looks()),
    'token of a pod': each(await counting.tokens()),
    'node scraped': await scrapes(),
    "node's day on its channel": always(await idleChannel(sum([[1 / TIMES, await counting.tickets()]]))),
  };
}

/** The versions in the response to a poll, in the form that the agent sends with the next one. */
function versionsIn(body: string): URLSearchParams {
  const { value } = decodeJson(Buffer.from(body));
  const types = isObject(value) ? Object.entries(value) : [];
  return new URLSearchParams(
    types.flatMap(([type, state]): [string, string][] =>
      isObject(state) ? [[type, stringAt(state, 'version') ?? '']] : [],
    ),
  );
}

const SERVICES = '/api/v1/services';
const WATCH = 300;

/** Counts watches without events: one in its own environment, and some that share an environment. */
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
