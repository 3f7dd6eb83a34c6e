import type { FrontDoor } from '../../infra/context.ts';
import { COUNTED } from './operations.ts';
import { type Line, SECONDS } from './prices.ts';
import { sum } from './tally.ts';
import { UNITS } from './units.ts';

/** The use of the metrics API in a month. */
export interface MetricsUse {
  /** Reads of the metrics of all nodes at times without other reads, such as `kubectl top nodes`. */
  readonly reads: number;
  /** Autoscalers whose pods are on all nodes. */
  readonly autoscalers: number;
}

/** A month without reads of metrics. */
export const NO_METRICS: MetricsUse = { reads: 0, autoscalers: 0 };

/** Assumptions about the metrics API. */
export const ASSUMED_OF_METRICS = {
  /** The interval in seconds between two reads of an autoscaler. */
  secondsOfAutoscaler: 15,
  /** The interval in seconds between two scrapes of a node that is read constantly. */
  secondsOfResolution: 60,
  /** The number of scrapes of a node that was not read recently. */
  scrapesOfRead: 2,
  /** The duration of a read that scrapes nodes not read recently. The two scrapes are two seconds apart. */
  secondsOfPair: 2.5,
  secondsOfScrape: 0.3,
  secondsOfRelay: 0.02,
  secondsOfRead: 0.05,
  /** Read units: one list of pods or nodes, and one check of roles and definitions. */
  unitsOfRead: UNITS['warm list'].readUnits + UNITS['look at control'].readUnits,
  secondsOfStart: 0.8,
  gigabytesOfMetrics: 0.5,
  gigabytesOfRelay: 0.125,
} as const;

/** The costs of the metrics of the given number of nodes, in addition to those of requests at the front door. */
export function metricsLines(
  { reads, autoscalers }: MetricsUse,
  { nodes, frontDoor }: { readonly nodes: number; readonly frontDoor: FrontDoor },
): readonly Line[] {
  const assumed = ASSUMED_OF_METRICS;
  const isAsked = autoscalers > 0;
  const regular = isAsked ? SECONDS / assumed.secondsOfResolution : 0; // shared by all autoscalers
  const own = isAsked ? 0 : reads;
  const readsOfAutoscalers = (autoscalers * SECONDS) / assumed.secondsOfAutoscaler;
  const invocations = reads + readsOfAutoscalers;
  const scrapes = { warm: nodes * (regular + own * (assumed.scrapesOfRead - 1)), cold: nodes * own };
  const seconds =
    invocations * assumed.secondsOfRead +
    regular * assumed.secondsOfScrape +
    own * (assumed.secondsOfPair + assumed.secondsOfStart);
  const lines: readonly Line[] = [
    { what: 'metrics: invocations', quantity: invocations, price: 'lambdaRequest' },
    { what: 'metrics: time', quantity: seconds * assumed.gigabytesOfMetrics, price: 'lambdaGigabyteSecond' },
    { what: 'metrics: reads of objects', quantity: invocations * assumed.unitsOfRead, price: 'tableRead' },
    ...(frontDoor === 'container'
      ? [edgeLine(invocations + scrapes.warm + scrapes.cold)] // nodes are connected to the container itself
      : channelLines(scrapes)),
  ];
  return lines.filter(({ quantity }) => quantity > 0);
}

const edgeLine = (requests: number): Line => ({
  what: 'metrics: requests at the edge',
  quantity: requests,
  price: 'edgeRequest',
});

/** The costs of scrapes via the WebSocket API and its relay. */
function channelLines({ warm, cold }: { readonly warm: number; readonly cold: number }): readonly Line[] {
  const { secondsOfRelay, gigabytesOfRelay } = ASSUMED_OF_METRICS;
  const tally = sum([
    [warm, COUNTED['node scraped'].warm],
    [cold, COUNTED['node scraped'].cold],
  ]);
  const relayed = tally['relay: invocations'] ?? 0;
  return [
    { what: 'metrics: messages of nodes', quantity: tally.messages ?? 0, price: 'socketMessage' },
    { what: 'metrics: minutes of connections', quantity: tally['connection minutes'] ?? 0, price: 'socketMinute' },
    { what: 'metrics: invocations of the relay', quantity: relayed, price: 'lambdaRequest' },
    {
      what: 'metrics: time of the relay',
      quantity: relayed * secondsOfRelay * gigabytesOfRelay,
      price: 'lambdaGigabyteSecond',
    },
    { what: 'metrics: reads of the relay', quantity: tally['relay: read units'] ?? 0, price: 'tableRead' },
    { what: 'metrics: writes of the relay', quantity: tally['relay: write units'] ?? 0, price: 'tableWrite' },
  ];
}
