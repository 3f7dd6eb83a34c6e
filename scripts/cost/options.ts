import { parseArgs } from 'node:util';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { FRONT_DOORS, type FrontDoor } from '../../infra/context.ts';
import type { Load } from './load.ts';
import { LEASE, type Month } from './month.ts';

const NUMBERS = {
  requests: 'requests at the front door, a fifth of them writes',
  watches: 'watches that are open all month, each of another kind',
  objects: 'objects of 2 KB that are stored',
  nodes: 'nodes of ten pods, whose agents are told of changes by their channel; a kubelet watches besides',
  lease: `seconds between two renewals of a Lease (default ${LEASE})`,
  'pods-placed': 'pods created, scheduled and run, beside those of charts',
  charts: 'charts installed: five objects, two pods',
  deploys: 'charts upgraded to another image',
  scales: 'deployments scaled by three pods',
  controllers: 'controllers with informers, which watch all month',
  kinds: 'kinds that each controller watches (default 5), the same ones',
  'aggregated-servers': 'API servers behind a Service, which are asked twice a minute whether they answer',
  'aggregated-requests': 'of the requests, those to aggregated APIs that are functions',
  'aggregated-watches': 'of the watches, those of such APIs',
  autoscalers: 'with --nodes, horizontal pod autoscalers by CPU or memory, whose pods are on all nodes',
  'metrics-reads': 'with --nodes, reads of the metrics of all nodes, as `kubectl top nodes`',
  'stream-gb': 'gigabytes of answers beyond 6 MB each; with --nodes, logs that come from them',
  cold: 'share of all that finds every function stopped, 0 to 1 (default 1)',
} as const;
type NumberName = keyof typeof NUMBERS;

const TEXTS = {
  'front-door': `one of ${FRONT_DOORS.join(', ')} (default all)`,
  functions: 'folder of reconcilers, webhooks and aggregated APIs, as the context value',
} as const;

/** The help text of `npm run cost`. */
export const HELP = [
  'usage: npm run cost -- [options]',
  '',
  'Estimates a month of a deployment: what it costs idle, and what is done in it.',
  '',
  ...Object.entries({
    idle: 'an idle month: nothing is done',
    ...NUMBERS,
    ...TEXTS,
    domain: 'CloudFront stands before the front door, as with the context value `domain`',
    help: 'this text',
  }).map(([name, text]) => `  --${name.padEnd(12)} ${text}`),
].join('\n');

/** The options for an estimate. */
export interface Asked {
  readonly doors: readonly FrontDoor[];
  readonly functions?: string;
  readonly load: Load;
  readonly month: Month;
  readonly isIdle: boolean;
}

/** Reads the options; undefined if help is requested. Throws TypeError with a one-line message. */
export function askedOf(args: readonly string[]): Asked | undefined {
  const values = parsed(args);
  if (values['help'] === true) return undefined;
  const given = Object.keys(values);
  const amount = (name: NumberName, fallback?: number): number => amountOf(name, values[name], fallback);
  const isOld = given.includes('requests') || given.includes('objects');
  const isNew = given.some((name) => name in NUMBERS);
  if (!isNew && values['idle'] !== true)
    throw new TypeError('ask for --idle, or for what is done: --help has the options');
  const zero = isOld ? undefined : 0;
  const [nodes, controllers, kinds] = [amount('nodes', 0), amount('controllers', 0), amount('kinds', 5)];
  const [lease, cold] = [amount('lease', LEASE), amount('cold', 1)];
  if (lease === 0) throw new TypeError('--lease is a number of seconds above 0');
  if (cold > 1) throw new TypeError('--cold is a share from 0 to 1');
  const watches = amount('watches', zero);
  const functions = values['functions'];
  const watched = watches + (controllers > 0 ? kinds : 0);
  return {
    doors: doorsOf(values['front-door']),
    ...defined({ functions: typeof functions === 'string' ? functions : undefined }),
    isIdle: !isNew,
    load: {
      requests: amount('requests', zero),
      objects: amount('objects', zero),
      watches: watches + controllers * kinds,
      kinds: watched,
    },
    month: {
      nodes,
      lease,
      cold,
      charts: amount('charts', 0),
      deploys: amount('deploys', 0),
      scales: amount('scales', 0),
      podsPlaced: amount('pods-placed', 0),
      aggregated: {
        servers: amount('aggregated-servers', 0),
        requests: amount('aggregated-requests', 0),
        watches: amount('aggregated-watches', 0),
      },
      metrics: { reads: amount('metrics-reads', 0), autoscalers: amount('autoscalers', 0) },
      streamGigabytes: amount('stream-gb', 0),
      hasDomain: values['domain'] === true,
    },
  };
}

function parsed(args: readonly string[]): Readonly<Record<string, string | boolean | undefined>> {
  const flag = { type: 'boolean' } as const;
  const text = { type: 'string' } as const;
  const names = [...Object.keys(NUMBERS), ...Object.keys(TEXTS)];
  const options = { idle: flag, domain: flag, help: flag, ...Object.fromEntries(names.map((name) => [name, text])) };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new TypeError(messageOfError(error).split('\n')[0], { cause: error });
  }
}

function doorsOf(name: string | boolean | undefined): readonly FrontDoor[] {
  if (name === undefined) return FRONT_DOORS;
  const door = FRONT_DOORS.find((each) => each === name);
  if (door === undefined) throw new TypeError(`--front-door is one of ${FRONT_DOORS.join(', ')}`);
  return [door];
}

function amountOf(name: NumberName, given: string | boolean | undefined, fallback: number | undefined): number {
  if (given === undefined && fallback !== undefined) return fallback;
  const text = String(given ?? '');
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new TypeError(`--${name} is a number, as 1e6`);
  return number;
}
