import type { FrontDoor } from '../../infra/context.ts';
import { COUNTED } from './operations.ts';
import { type Line, SECONDS } from './prices.ts';
import { UNITS } from './units.ts';

/** The load of a control plane in a month. */
export interface Load {
  readonly requests: number;
  /** Watches that stay open all the time. */
  readonly watches: number;
  /** The number of kinds that the watches cover. By default, each watch has its own kind. */
  readonly kinds?: number;
  readonly objects: number;
}

/** Assumptions about requests. The output shows each of them. */
export const ASSUMED_OF_LOAD = {
  writeShare: 0.2,
  kilobytesOfObject: 2,
  /** The compressed size, which the table stores. */
  kilobytesPacked: 1,
  /** The number of the doorbell's cursors in each sequence. */
  cursors: 2,
  secondsOfRequest: 0.03,
  gigabytesOfApiserver: 0.5,
  secondsOfDoorbell: 0.05,
  gigabytesOfDoorbell: 0.5,
  secondsOfReconciler: 0.1,
  gigabytesOfReconcilers: 1,
  /** Send, receive and delete. */
  queueRequestsOfWrite: 3,
  /** The share of all writes that one watch receives. */
  seenShareOfWatch: 0.1,
  kilobytesOfLogOfInvocation: 0.4,
  /** All log lines caused by one write; docs/runbook.md uses them to trace a request. */
  kilobytesOfLogOfWrite: 0.7,
  /** Concurrent requests, including watches, in one environment of a web function. */
  requestsOfEnvironment: 128,
} as const;

const MILLION = 1_000_000;
const gigabytes = (kilobytes: number): number => kilobytes / MILLION;

/** The costs of a load in addition to those of an idle month, by front door. */
export function loadLines(load: Load, frontDoor: FrontDoor): readonly Line[] {
  return [...DOORS[frontDoor](load), ...tableLines(load), ...changeLines(load)];
}

/** Kilobytes sent to clients. */
function sent({ requests, watches }: Load): number {
  const events = requests * ASSUMED_OF_LOAD.writeShare * ASSUMED_OF_LOAD.seenShareOfWatch * watches;
  return (requests + events) * ASSUMED_OF_LOAD.kilobytesOfObject;
}

function tableLines({ requests, objects }: Load): readonly Line[] {
  const { kilobytesPacked: kilobytes, cursors } = ASSUMED_OF_LOAD;
  const writes = requests * ASSUMED_OF_LOAD.writeShare;
  const reads = requests - writes;
  const stored = gigabytes(objects * kilobytes);
  const {
    'warm get': get,
    'warm update': update,
    'look at control': look,
    'checkpoint of one change': checkpoint,
  } = UNITS;
  return [
    {
      what: 'table: reads of requests',
      quantity: reads * get.readUnits + writes * update.readUnits,
      price: 'tableRead',
    },
    { what: 'table: looks at control', quantity: Math.min(requests, SECONDS) * look.readUnits, price: 'tableRead' },
    { what: 'table: commits', quantity: writes * update.writeUnits * kilobytes, price: 'tableWrite' },
    {
      what: 'table: reads of checkpoints and cursors',
      quantity: writes * (checkpoint.readUnits + cursors),
      price: 'tableRead',
    },
    { what: 'table: checkpoints', quantity: writes * (checkpoint.writeUnits + kilobytes - 1), price: 'tableWrite' },
    { what: 'table: cursors', quantity: writes * cursors, price: 'tableWrite' },
    { what: 'table: storage', quantity: stored, price: 'tableGigabyte' },
    { what: 'table: point-in-time recovery', quantity: stored, price: 'tableBackupGigabyte' },
  ];
}

/** The costs that every committed change causes. */
function changeLines({ requests }: Load): readonly Line[] {
  const assumed = ASSUMED_OF_LOAD;
  const writes = requests * assumed.writeShare;
  const doorbell = writes * assumed.secondsOfDoorbell * assumed.gigabytesOfDoorbell;
  const reconcilers = writes * assumed.secondsOfReconciler * assumed.gigabytesOfReconcilers;
  const logged = writes * (2 * assumed.kilobytesOfLogOfInvocation + assumed.kilobytesOfLogOfWrite);
  return [
    { what: 'doorbell: invocations', quantity: writes, price: 'lambdaRequest' },
    { what: 'doorbell: time', quantity: doorbell, price: 'lambdaGigabyteSecond' },
    { what: 'bus: events', quantity: writes, price: 'event' },
    { what: 'queue: requests', quantity: writes * assumed.queueRequestsOfWrite, price: 'fifoRequest' },
    { what: 'reconcilers: invocations', quantity: writes, price: 'lambdaRequest' },
    { what: 'reconcilers: time', quantity: reconcilers, price: 'lambdaGigabyteSecond' },
    { what: 'logs', quantity: gigabytes(logged), price: 'logGigabyte' },
  ];
}

const transfer = (load: Load): Line => ({ what: 'answers', quantity: gigabytes(sent(load)), price: 'outGigabyte' });

/** The number of reconnects in a month if a watch may last this many seconds. */
const returns = ({ watches }: Load, seconds: number): number => (watches * SECONDS) / seconds;

/** The measured cost of a watch of this length without events. */
const OF_WATCH = COUNTED['watch of 5 minutes'].warm;
const SECONDS_OF_WATCH = 300;

/** The reads of the tails of the given number of logs, each followed all the time. */
const tailLine = (logs: number): Line => ({
  what: 'API server: tails that watches read',
  quantity: ((logs * SECONDS) / SECONDS_OF_WATCH) * (OF_WATCH['apiserver: read units'] ?? 0),
  price: 'tableRead',
});
const slotLine = (load: Load, seconds: number): Line => ({
  what: 'API server: slots of watches',
  quantity: returns(load, seconds) * (OF_WATCH['apiserver: write units'] ?? 0),
  price: 'tableWrite',
});

/** Each request has its own environment, and each watch occupies one permanently. */
function ownEnvironments(load: Load, watchSeconds: number): readonly Line[] {
  const { secondsOfRequest, gigabytesOfApiserver, kilobytesOfLogOfInvocation } = ASSUMED_OF_LOAD;
  const invocations = load.requests + returns(load, watchSeconds);
  const kilobytes = invocations * kilobytesOfLogOfInvocation;
  return [
    { what: 'API server: invocations', quantity: invocations, price: 'lambdaRequest' },
    {
      what: 'API server: time of requests',
      quantity: load.requests * secondsOfRequest * gigabytesOfApiserver,
      price: 'lambdaGigabyteSecond',
    },
    {
      what: 'API server: time of watches',
      quantity: load.watches * SECONDS * gigabytesOfApiserver,
      price: 'lambdaGigabyteSecond',
    },
    tailLine(load.watches),
    { what: 'API server: log', quantity: gigabytes(kilobytes), price: 'logGigabyte' },
    transfer(load),
  ];
}

/** One environment serves all watches and reads the tail of each watched log once. */
const sharedTails = ({ watches, kinds = watches }: Load): Line => tailLine(Math.min(kinds, watches));

function webFunctionLines(load: Load): readonly Line[] {
  const { secondsOfRequest, gigabytesOfApiserver, requestsOfEnvironment } = ASSUMED_OF_LOAD;
  const environments = Math.ceil(load.watches / requestsOfEnvironment);
  const seconds = environments > 0 ? environments * SECONDS : Math.min(SECONDS, load.requests * secondsOfRequest);
  return [
    {
      what: 'API server: requests (priced as functions are; unproven)',
      quantity: load.requests,
      price: 'lambdaRequest',
    },
    {
      what: 'API server: environments (priced as functions are; unproven)',
      quantity: seconds * gigabytesOfApiserver,
      price: 'lambdaGigabyteSecond',
    },
    sharedTails(load),
    transfer(load),
  ];
}

const DOORS: Readonly<Record<FrontDoor, (load: Load) => readonly Line[]>> = {
  'function-url': (load) => [...ownEnvironments(load, SECONDS_OF_WATCH), slotLine(load, SECONDS_OF_WATCH)],
  'web-function': webFunctionLines,
  rest: (load) => [
    { what: 'gateway: requests', quantity: load.requests + returns(load, 840), price: 'restRequest' },
    ...ownEnvironments(load, 840),
  ],
  container: (load) => [
    { what: 'edge: requests', quantity: load.requests + returns(load, 840), price: 'edgeRequest' },
    { what: 'edge: answers', quantity: gigabytes(sent(load)), price: 'edgeGigabyte' },
    sharedTails(load),
  ],
};
