import type { FrontDoor } from '../../infra/context.ts';
import { ASSUMED_OF_LOAD } from './load.ts';
import { type Line, SECONDS } from './prices.ts';
import { UNITS } from './units.ts';

/** The aggregated APIs in a month. */
export interface Aggregated {
  /** The number of servers behind a Service. */
  readonly servers: number;
  /** Requests to functions. */
  readonly requests: number;
  /** Watches on functions that stay open all month. */
  readonly watches: number;
}

/** A month without aggregated APIs. */
export const NO_AGGREGATED: Aggregated = { servers: 0, requests: 0, watches: 0 };

/** Assumptions about aggregated APIs. */
export const ASSUMED_OF_AGGREGATED = {
  /** The interval in seconds between two checks of a server that responds. */
  secondsOfCheck: 30,
  /** Requests to the queue of delayed messages and to the FIFO queue: send, receive, delete. */
  queueRequestsOfCheck: 3,
  /** One invocation moves the message between the queues, and one runs the check. */
  invocationsOfCheck: 2,
  /** Reads of the APIService, its Service and its EndpointSlices. */
  readsOfCheck: 3,
  secondsOfRequest: 0.02,
  gigabytesOfFunction: 0.25,
} as const;

/** The costs of aggregated APIs in addition to those of requests at the front door. */
export function aggregatedLines({ servers, requests, watches }: Aggregated, frontDoor: FrontDoor): readonly Line[] {
  const assumed = ASSUMED_OF_AGGREGATED;
  const { secondsOfReconciler, gigabytesOfReconcilers } = ASSUMED_OF_LOAD;
  // The reconcilers cannot reach a container's network, so they check no server there.
  const checks = frontDoor === 'container' ? 0 : (servers * SECONDS) / assumed.secondsOfCheck;
  const invocations = checks * assumed.invocationsOfCheck;
  const queued = checks * assumed.queueRequestsOfCheck;
  const time = requests * assumed.secondsOfRequest + watches * SECONDS;
  const lines: readonly Line[] = [
    { what: 'checks of servers: queue of what waits', quantity: queued, price: 'queueRequest' },
    { what: 'checks of servers: queue in order', quantity: queued, price: 'fifoRequest' },
    { what: 'checks of servers: invocations', quantity: invocations, price: 'lambdaRequest' },
    {
      what: 'checks of servers: time',
      quantity: invocations * secondsOfReconciler * gigabytesOfReconcilers,
      price: 'lambdaGigabyteSecond',
    },
    {
      what: 'checks of servers: reads',
      quantity: checks * assumed.readsOfCheck * UNITS['warm get'].readUnits,
      price: 'tableRead',
    },
    { what: 'aggregated functions: invocations', quantity: requests, price: 'lambdaRequest' },
    {
      what: 'aggregated functions: time',
      quantity: time * assumed.gigabytesOfFunction,
      price: 'lambdaGigabyteSecond',
    },
  ];
  return lines.filter(({ quantity }) => quantity > 0);
}
