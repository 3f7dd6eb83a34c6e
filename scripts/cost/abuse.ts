import type { Line } from './prices.ts';
import type { Resources } from './template.ts';

/** Assumptions about requests that an attacker sends only to cause costs. */
export const ASSUMED_OF_ABUSE = {
  seconds: 3600,
  /** Requests per second that Lambda accepts for each unit of reserved concurrency. */
  requestsOfConcurrency: 10,
  /** Reads per second of each environment, for roles and bootstrap tokens. docs/security.md has the table. */
  readsOfEnvironment: 2,
  kilobytesOfLog: 0.4,
  kilobytesOfAnswer: 1,
} as const;

const MILLION = 1_000_000;

/** The limits in a template that bound the cost of an hour. */
interface Limits {
  readonly concurrency: number;
  /** The memory of one environment of the API server. */
  readonly gigabytes: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Reads the limits of a stack with a function as front door. Throws TypeError if the template has none. */
export function limitsOf(resources: Resources): Limits {
  const all = Object.entries(resources);
  const apiserver = all.find(([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith('ApiFunction'));
  const table = all.find(([, { Type }]) => Type === 'AWS::DynamoDB::Table');
  const throughput = table?.[1].Properties?.['OnDemandThroughput'] ?? {};
  return {
    concurrency: numberIn(apiserver?.[1].Properties, 'ReservedConcurrentExecutions'),
    gigabytes: numberIn(apiserver?.[1].Properties, 'MemorySize') / 1024,
    readUnits: numberIn(throughput, 'MaxReadRequestUnits'),
    writeUnits: numberIn(throughput, 'MaxWriteRequestUnits'),
  };
}

function numberIn(properties: object | undefined, name: string): number {
  const value = new Map<string, unknown>(Object.entries(properties ?? {})).get(name);
  if (typeof value !== 'number') throw new TypeError(`the template has no ${name}`);
  return value;
}

/** The maximum cost of an hour of unauthenticated requests behind a function URL. */
export function strangerLines({ concurrency, gigabytes }: Limits): readonly Line[] {
  const { seconds, requestsOfConcurrency, readsOfEnvironment, kilobytesOfLog, kilobytesOfAnswer } = ASSUMED_OF_ABUSE;
  const requests = concurrency * requestsOfConcurrency * seconds;
  return [
    { what: 'requests', quantity: requests, price: 'lambdaRequest' },
    { what: 'time of functions', quantity: concurrency * gigabytes * seconds, price: 'lambdaGigabyteSecond' },
    { what: 'reads of the table', quantity: concurrency * readsOfEnvironment * seconds, price: 'tableRead' },
    { what: 'logs', quantity: (requests * kilobytesOfLog) / MILLION, price: 'logGigabyte' },
    { what: 'answers', quantity: (requests * kilobytesOfAnswer) / MILLION, price: 'outGigabyte' },
  ];
}

/** The maximum cost of an hour of the table's units, for any client. */
export function tableLines({ readUnits, writeUnits }: Pick<Limits, 'readUnits' | 'writeUnits'>): readonly Line[] {
  const { seconds } = ASSUMED_OF_ABUSE;
  return [
    { what: 'read units', quantity: readUnits * seconds, price: 'tableRead' },
    { what: 'write units', quantity: writeUnits * seconds, price: 'tableWrite' },
  ];
}
