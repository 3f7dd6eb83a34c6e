import type { FrontDoor } from '../../infra/context.ts';
import { type Aggregated, aggregatedLines, NO_AGGREGATED } from './aggregated.ts';
import { ASSUMED_OF_LOAD } from './load.ts';
import { type MetricsUse, metricsLines, NO_METRICS } from './metrics.ts';
import { COUNTED, type OperationName } from './operations.ts';
import { HOURS, type Line, SECONDS, total } from './prices.ts';
import { FUNCTIONS, type FunctionName, sum, type Tally } from './tally.ts';

/** The activity in a month. */
export interface Month {
  readonly charts: number;
  /** Upgrades of a chart to another image. */
  readonly deploys: number;
  /** Times that a deployment is scaled up by three pods. */
  readonly scales: number;
  /** Pods that are scheduled to a node and run, in addition to those of charts. */
  readonly podsPlaced: number;
  readonly nodes: number;
  /** The interval in seconds between two renewals of a node's Lease. */
  readonly lease: number;
  readonly aggregated: Aggregated;
  readonly metrics: MetricsUse;
  /** Gigabytes of responses larger than 6 MB each. */
  readonly streamGigabytes: number;
  /** The share of operations during which every function is cold. */
  readonly cold: number;
  /** Whether CloudFront is in front of every front door. */
  readonly hasDomain: boolean;
}

/** The interval in seconds between two renewals of a Lease, as `davit node add` configures it in an account. */
export const LEASE = 60;

/** A month without any activity. */
export const NOTHING: Month = {
  charts: 0,
  deploys: 0,
  scales: 0,
  podsPlaced: 0,
  nodes: 0,
  lease: LEASE,
  aggregated: NO_AGGREGATED,
  metrics: NO_METRICS,
  streamGigabytes: 0,
  cold: 1,
  hasDomain: false,
};

/** Assumptions about a node whose agent receives notifications via its channel. */
export const ASSUMED_OF_NODE = {
  podsOfNode: 10,
  secondsOfLook: 300,
  /** A pod's token is refreshed after four fifths of its lifetime of 3,607 s. */
  secondsOfToken: 2886,
  /** The bytes of a stream in one message, which holds 32 KB of base64. The message is sent to the relay and then to the other end. */
  bytesOfFrame: 24_000,
  messagesOfFrame: 2,
  /** The number of frames after which the receiver sends a message with new credit. */
  framesOfCredit: 5,
  secondsOfRelay: 0.02,
} as const;

/** Assumptions about durations, which the counts do not include. */
export const ASSUMED_OF_TIME = {
  /** The duration of each call to the table. Calls are sequential. */
  secondsOfCall: 0.005,
  /** The duration of an invocation on one full processor. */
  processorSecondsOfApiserver: 0.003,
  processorSecondsOfDoorbell: 0.005,
  processorSecondsOfReconcilers: 0.02,
  processorSecondsOfScheduler: 0.05,
  processorSecondsOfRelay: 0.003,
  /** The billed duration of each start of a function (INIT). */
  secondsOfStart: 0.8,
  /** The memory size at which a function gets one full processor. */
  megabytesOfProcessor: 1769,
  kilobytesOfLog: 0.4,
} as const;

const PROCESSOR: Readonly<Record<FunctionName, number>> = {
  apiserver: ASSUMED_OF_TIME.processorSecondsOfApiserver,
  doorbell: ASSUMED_OF_TIME.processorSecondsOfDoorbell,
  reconcilers: ASSUMED_OF_TIME.processorSecondsOfReconcilers,
  scheduler: ASSUMED_OF_TIME.processorSecondsOfScheduler,
  relay: ASSUMED_OF_TIME.processorSecondsOfRelay,
};

/** The memory of each function in megabytes, as in the stack. */
export const MEGABYTES: Readonly<Record<FunctionName, number>> = {
  apiserver: 512,
  doorbell: 512,
  reconcilers: 1024,
  scheduler: 1024,
  relay: 128,
};

type Times = readonly (readonly [name: OperationName, number: number])[];

const operationsOf = ({ charts, deploys, scales, podsPlaced }: Month): Times => [
  ['chart installed', charts],
  ['chart upgraded', deploys],
  ['deployment scaled by 3 pods', scales],
  ['pod placed', podsPlaced],
  ['pod run', podsPlaced],
];

/** The parts of a node's monthly cost. */
const PARTS = ['leases', 'status', 'looks', 'tokens', 'channel'] as const;
/** The name of a part. */
export type NodePart = (typeof PARTS)[number];

/** Whether the WebSocket API carries the nodes' channels. A container carries them itself. */
const hasGateway = (frontDoor: FrontDoor): boolean => frontDoor !== 'container';

/** The continuous activity. It only adds cold starts of the relay, because the messages of one node are too rare to keep it warm. */
function standingOf({ nodes, lease }: Month, frontDoor: FrontDoor): Readonly<Record<NodePart, Times[number]>> {
  const { podsOfNode, secondsOfLook, secondsOfToken } = ASSUMED_OF_NODE;
  const seconds = nodes * SECONDS;
  return {
    leases: ['lease renewed', seconds / lease],
    status: ["node's hour without leases", nodes * HOURS],
    looks: ['look of a node', seconds / secondsOfLook],
    tokens: ['token of a pod', (podsOfNode * seconds) / secondsOfToken],
    channel: ["node's day on its channel", hasGateway(frontDoor) ? (nodes * HOURS) / 24 : 0],
  };
}

/** The costs of data streamed from nodes through the WebSocket API and its relay. */
function streamLines({ nodes, streamGigabytes }: Month, frontDoor: FrontDoor): readonly Line[] {
  if (!hasGateway(frontDoor) || nodes === 0 || streamGigabytes === 0) return [];
  const { bytesOfFrame, messagesOfFrame, framesOfCredit, secondsOfRelay } = ASSUMED_OF_NODE;
  const frames = (streamGigabytes * 1e9) / bytesOfFrame;
  const time = (frames * secondsOfRelay * MEGABYTES.relay) / 1024;
  const log = (frames * ASSUMED_OF_TIME.kilobytesOfLog) / 1e6;
  return [
    { what: 'streams: messages', quantity: frames * (messagesOfFrame + 1 / framesOfCredit), price: 'socketMessage' },
    { what: 'streams: invocations of the relay', quantity: frames, price: 'lambdaRequest' },
    { what: 'streams: time of the relay', quantity: time, price: 'lambdaGigabyteSecond' },
    { what: 'streams: log of the relay', quantity: log, price: 'logGigabyte' },
  ];
}

/** The total activity, and the number of cold starts of functions. */
function totals(month: Month, frontDoor: FrontDoor): Totals {
  const { cold } = month;
  const operations = operationsOf(month);
  const standing = sum(
    Object.values(standingOf(month, frontDoor)).map(([name, times]) => [times, COUNTED[name].warm] as const),
  );
  const tally = sum([
    ...operations.flatMap(([name, times]) => [
      [times * (1 - cold), COUNTED[name].warm] as const,
      [times * cold, COUNTED[name].cold] as const,
    ]),
    [1, standing],
  ]);
  const startsOf = (of: Exclude<FunctionName, 'relay'>): number =>
    operations.reduce(
      (all, [name, times]) => all + (COUNTED[name].cold[`${of}: invocations`] === undefined ? 0 : times * cold),
      0,
    );
  return {
    tally,
    starts: {
      apiserver: startsOf('apiserver'),
      doorbell: startsOf('doorbell'),
      reconcilers: startsOf('reconcilers'),
      scheduler: startsOf('scheduler'),
      ...startsOfStanding(standing),
    },
  };
}

/** The cold starts caused by continuous activity. */
const startsOfStanding = (tally: Tally) => ({ relay: tally['relay: invocations'] ?? 0 });

/** The costs of a month's activity behind a front door, in addition to those of an idle month. */
export const monthLines = (month: Month, frontDoor: FrontDoor): readonly Line[] => [
  ...workLines(month, totals(month, frontDoor), frontDoor),
  ...streamLines(month, frontDoor),
  ...aggregatedLines(month.aggregated, frontDoor),
  ...metricsLines(month.metrics, { nodes: month.nodes, frontDoor }),
];

/** The cost in dollars of each part of one idle node's month, in addition to the costs without the node. */
export function nodeMonth(frontDoor: FrontDoor, lease = LEASE): Readonly<Record<NodePart, number>> {
  const month: Month = { ...NOTHING, nodes: 1, lease };
  const standing = standingOf(month, frontDoor);
  const dollars = (part: NodePart): number => {
    const [name, times] = standing[part];
    const tally = sum([[times, COUNTED[name].warm]]);
    return total(workLines(month, { tally, starts: { ...NO_STARTS, ...startsOfStanding(tally) } }, frontDoor));
  };
  const [leases = 0, status = 0, looks = 0, tokens = 0, channel = 0] = PARTS.map(dollars);
  return { leases, status, looks, tokens, channel };
}

interface Totals {
  readonly tally: Tally;
  /** The number of cold starts of each function. */
  readonly starts: Readonly<Record<FunctionName, number>>;
}

const NO_STARTS = { apiserver: 0, doorbell: 0, reconcilers: 0, scheduler: 0 };

function workLines(month: Month, { tally, starts }: Totals, frontDoor: FrontDoor): readonly Line[] {
  const running = FUNCTIONS.filter((name) => frontDoor !== 'container' || name !== 'apiserver');
  const invocations = running.reduce((all, name) => all + (tally[`${name}: invocations`] ?? 0), 0);
  // The bus carries an event for each write that logs lines: all writes except those of leases and events.
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
    { what: 'channels: connections', quantity: tally['connection minutes'] ?? 0, price: 'socketMinute' },
    { what: 'channels: messages', quantity: tally.messages ?? 0, price: 'socketMessage' },
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

/** The costs of the front door itself and of the responses. */
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
