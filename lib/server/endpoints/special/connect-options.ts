import { badRequest } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** The kind of object that admission sees for a CONNECT, and how to read it from the query. */
export interface ConnectOptions {
  readonly kind: string;
  readonly flags?: readonly string[];
  /** Flags that default to true. */
  readonly on?: readonly string[];
  readonly texts?: readonly string[];
  readonly lists?: readonly string[];
  readonly numbers?: readonly string[];
  /** Whether the object includes the rest of the path. */
  readonly takesPath?: boolean;
}

const STREAMS = { flags: ['stdin', 'stdout', 'stderr', 'tty'], on: ['stdout', 'stderr'], texts: ['container'] };

/** The options of `pods/exec`. */
export const EXEC: ConnectOptions = { kind: 'PodExecOptions', ...STREAMS, lists: ['command'] };
/** The options of `pods/attach`. */
export const ATTACH: ConnectOptions = { kind: 'PodAttachOptions', ...STREAMS };
/** The options of `pods/portforward`. */
export const PORT_FORWARD: ConnectOptions = { kind: 'PodPortForwardOptions', numbers: ['ports'] };
/** The options of `pods/proxy`. */
export const POD_PROXY: ConnectOptions = { kind: 'PodProxyOptions', takesPath: true };
/** The options of `nodes/proxy`. */
export const NODE_PROXY: ConnectOptions = { kind: 'NodeProxyOptions', takesPath: true };
/** The options of `services/proxy`. */
export const SERVICE_PROXY: ConnectOptions = { kind: 'ServiceProxyOptions', takesPath: true };

/** Returns the options of one request as Go would encode them, without empty fields. Throws 400. */
export function connectObject(options: ConnectOptions, query: URLSearchParams, rest: readonly string[]): JsonObject {
  const { kind, flags = [], on = [], texts = [], lists = [], numbers = [], takesPath = false } = options;
  const object: JsonObject = { kind, apiVersion: 'v1' };
  for (const field of flags) if (isOn(query.get(field), on.includes(field))) object[field] = true;
  for (const field of texts) if ((query.get(field) ?? '') !== '') object[field] = query.get(field);
  for (const field of lists) if (query.has(field)) object[field] = query.getAll(field);
  for (const field of numbers) if (query.has(field)) object[field] = query.getAll(field).flatMap(ports);
  if (takesPath) object['path'] = `/${rest.join('/')}`;
  return object;
}

/** Converts a query value to a bool like upstream: every value except `false` and `0` is true. */
function isOn(value: string | null, fallback: boolean): boolean {
  return value === null ? fallback : !['false', '0'].includes(value.toLowerCase());
}

/** Converts a query value to ports like upstream: each value may list several. */
const ports = (value: string): number[] => value.split(',').map(port);

function port(text: string): number {
  const fault = (why: string): Error =>
    badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${quote(text)}: ${why}`);
  if (!/^\d+$/.test(text)) throw fault('invalid syntax');
  if (Number(text) > 65_535) throw fault('value out of range');
  return Number(text);
}
