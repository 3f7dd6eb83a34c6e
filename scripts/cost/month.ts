import type { FrontDoor } from '../../infra/context.ts';
import { ASSUMED_OF_LOAD } from './load.ts';
import { COUNTED, type OperationName } from './operations.ts';
import { HOURS, SECONDS, type Line } from './prices.ts';
import { FUNCTIONS, sum, type FunctionName, type Tally } from './tally.ts';

/** The work of a month. */
export interface Month {
  readonly charts: number;
  /** Upgrades of a chart to another image. */
  readonly deploys: number;
  /** Deployments that get three pods more. */
  readonly scales: number;
  /** Pods that are given a node and run, beside those of charts. */
  readonly podsPlaced: number;
  readonly nodes: number;
  /** Seconds between two renewals of a node's Lease. */
  readonly lease: number;
  /** Gigabytes of answers beyond 6 MB each. */
  readonly streamGigabytes: number;
  /** The share of operations that find every function stopped. */
  readonly cold: number;
  /** Whether CloudFront stands before every front door. */
  readonly hasDomain: boolean;
}

/** Watches of one agent: pods, services and runtime classes. */
export const WATCHES_OF_NODE = 3;

/** Assumptions about time, which is not counted. */
export const ASSUMED_OF_TIME = {
  /** Each call of the table, one after the other. */
  secondsOfCall: 0.005,
  /** Of a whole processor, for an invocation. */
  processorSecondsOfApiserver: 0.003,
  processorSecondsOfDoorbell: 0.005,
  processorSecondsOfReconcilers: 0.02,
  processorSecondsOfScheduler: 0.05,
  /** Billed of each start of a function (INIT). */
  secondsOfStart: 0.8,
  /** Of memory, for a whole processor. */
  megabytesOfProcessor: 1769,
  kilobytesOfLog: 0.4,
} as const;

const PROCESSOR: Readonly<Record<FunctionName, number>> = {
  apiserver: ASSUMED_OF_TIME.processorSecondsOfApiserver,
  doorbell: ASSUMED_OF_TIME.processorSecondsOfDoorbell,
  reconcilers: ASSUMED_OF_TIME.processorSecondsOfReconcilers,
  scheduler: ASSUMED_OF_TIME.processorSecondsOfScheduler,
};

/** Megabytes of each function, as the stack has them. */
export const MEGABYTES: Readonly<Record<FunctionName, number>> = {
  apiserver: 512,
  doorbell: 512,
  reconcilers: 1024,
  scheduler: 1024,
};

type Times = readonly (readonly [name: OperationName, number: number])[];

const operationsOf = ({ charts, deploys, scales, podsPlaced }: Month): Times => [
  ['chart installed', charts],
  ['chart upgraded', deploys],
  ['deployment scaled by 3 pods', scales],
  ['pod placed', podsPlaced],
  ['pod run', podsPlaced],
];

/** The work that lasts: nothing of it finds a function stopped. */
const standingOf = ({ nodes, lease }: Month): Times => [
  ["node's hour without leases", nodes * HOURS],
  ['lease renewed', (nodes * SECONDS) / lease],
];

/** The sum of all that is done, and how often functions start. */
function totals(month: Month): { readonly tally: Tally; readonly starts: Readonly<Record<FunctionName, number>> } {
  const { cold } = month;
  const operations = operationsOf(month);
  const tally = sum([
    ...operations.flatMap(([name, times]) => [
      [times * (1 - cold), COUNTED[name].warm] as const,
      [times * cold, COUNTED[name].cold] as const,
    ]),
    ...standingOf(month).map(([name, times]) => [times, COUNTED[name].warm] as const),
  ]);
  const startsOf = (of: FunctionName): number =>
    operations.reduce(
      (all, [name, times]) => all + (COUNTED[name].cold[`${of}: invocations`] === undefined ? 0 : times * cold),
      0,
    );
  const [apiserver, doorbell, reconcilers, scheduler] = FUNCTIONS.map(startsOf);
  return {
    tally,
    starts: {
      apiserver: apiserver ?? 0,
      doorbell: doorbell ?? 0,
      reconcilers: reconcilers ?? 0,
      scheduler: scheduler ?? 0,
    },
  };
}

/** The costs of a month's work in addition to those of an idle one, behind a front door. */
export function monthLines(month: Month, frontDoor: FrontDoor): readonly Line[] {
  const { tally, starts } = totals(month);
  const running = FUNCTIONS.filter((name) => frontDoor !== 'container' || name !== 'apiserver');
  const invocations = running.reduce((all, name) => all + (tally[`${name}: invocations`] ?? 0), 0);
  // The bus has an event for each write that has lines: all but those of leases and events.
  const logged =
    invocations * ASSUMED_OF_TIME.kilobytesOfLog + (tally.events ?? 0) * ASSUMED_OF_LOAD.kilobytesOfLogOfWrite;
  const lines: readonly Line[] = [
    ...doorLines(month, tally, frontDoor),
    ...running.flatMap((name) => functionLines(name, tally, starts[name])),
    ...FUNCTIONS.flatMap((name): Line[] => [
      { what: `table: reads of ${name}`, quantity: tally[`${name}: read units`] ?? 0, price: 'tableRead' },
      { what: `table: writes of ${name}`, quantity: tally[`${name}: write units`] ?? 0, price: 'tableWrite' },
    ]),
    { what: 'events', quantity: tally.events ?? 0, price: 'event' },
    { what: 'one-off schedules', quantity: tally.schedules ?? 0, price: 'schedule' },
    { what: 'FIFO queues', quantity: tally['FIFO requests'] ?? 0, price: 'fifoRequest' },
    { what: 'other queues', quantity: tally['queue requests'] ?? 0, price: 'queueRequest' },
    { what: 'data keys', quantity: tally['key requests'] ?? 0, price: 'keyRequest' },
    { what: 'log of the work', quantity: logged / 1e6, price: 'logGigabyte' },
  ];
  return lines.filter(({ quantity }) => quantity > 0);
}

function functionLines(name: FunctionName, tally: Tally, starts: number): readonly Line[] {
  const { secondsOfCall, secondsOfStart, megabytesOfProcessor } = ASSUMED_OF_TIME;
  const invocations = tally[`${name}: invocations`] ?? 0;
  const megabytes = MEGABYTES[name];
  const seconds =
    (invocations * PROCESSOR[name] * megabytesOfProcessor) / megabytes + (tally[`${name}: calls`] ?? 0) * secondsOfCall;
  const gigabytes = megabytes / 1024;
  return [
    { what: `${name}: work, invocations`, quantity: invocations, price: 'lambdaRequest' },
    { what: `${name}: work, time`, quantity: seconds * gigabytes, price: 'lambdaGigabyteSecond' },
    { what: `${name}: starts`, quantity: starts * secondsOfStart * gigabytes, price: 'lambdaGigabyteSecond' },
  ];
}

/** The costs before a function runs, and of what it answers. */
function doorLines({ streamGigabytes, hasDomain }: Month, tally: Tally, frontDoor: FrontDoor): readonly Line[] {
  const requests = tally['apiserver: invocations'] ?? 0;
  const hasEdge = frontDoor === 'container' || (hasDomain && frontDoor !== 'rest');
  const gigabytes = (tally['kilobytes sent'] ?? 0) / 1e6 + streamGigabytes;
  const isStreamed = frontDoor === 'function-url' || frontDoor === 'web-function';
  return [
    { what: 'answers of the work', quantity: gigabytes, price: hasEdge ? 'edgeGigabyte' : 'outGigabyte' },
    { what: 'streamed beyond 6 MB', quantity: isStreamed ? streamGigabytes : 0, price: 'lambdaStreamedGigabyte' },
    { what: 'edge: work, requests', quantity: hasEdge ? requests : 0, price: 'edgeRequest' },
    { what: 'edge: work, function', quantity: hasEdge && hasDomain ? requests : 0, price: 'edgeFunction' },
    { what: 'gateway: work, requests', quantity: frontDoor === 'rest' ? requests : 0, price: 'restRequest' },
  ];
}
