import { type CallCost, listCost, regexLengthFactor, stringTraversalFactor, structCost } from '../cost/estimate.ts';
import { costSize } from '../values/size.ts';
import { ListValue, MapValue, Opaque, type Result, type Value } from '../values/value.ts';
import { FormatValue } from './format.ts';

/** The cost of an authorization check. A rule's limit allows two. */
export const checkCost = 350_000;
/** The shortest requirement of a selector has two characters. */
const requirementsPerCharacter = 0.5;

type Cost = (args: readonly Value[], result: Result, overloadId: string) => number | undefined;

const traversal = (size: number, times = 1): number => Math.ceil(size * times * stringTraversalFactor);
const sizeAt = (args: readonly Value[], index: number): number => costSize(args[index] ?? null);
const one: Cost = () => 1;
const traverseFirst: Cost = (args) => traversal(sizeAt(args, 0));
const makeOther: Cost = (args) => traversal(sizeAt(args, 0), 2);

/** Returns the total size of a value, including all nested values. Strings and bytes count by length. */
function deepSize(value: Value, known: Map<Value, number> = new Map()): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * stringTraversalFactor);
  if (value instanceof Uint8Array) return Math.floor(value.length * stringTraversalFactor);
  if (!(value instanceof ListValue || value instanceof MapValue)) return 1;
  // Values can share parts. A small expression can create an exponentially large value, so each part is visited once.
  const before = known.get(value);
  if (before !== undefined) return before;
  let sum = 0;
  if (value instanceof ListValue) for (let i = 0; i < value.size; i++) sum += deepSize(value.get(i), known);
  else for (const key of value.keys()) sum += deepSize(key) + deepSize(value.get(key) ?? null, known);
  known.set(value, sum);
  return sum;
}

const matching = (textSize: number, patternSize: number): number =>
  traversal(1 + textSize) * Math.ceil(patternSize * regexLengthFactor);

const contains: Cost = (args, _, overloadId) => {
  const network = sizeAt(args, 0);
  const parsing = overloadId.endsWith('_string') ? traversal(sizeAt(args, 1)) : 0;
  const masking = overloadId.startsWith('cidr_contains_cidr') ? traversal(network) + 1 : 0;
  return traversal(network, 2) + masking + parsing;
};

function selector(args: readonly Value[]): number {
  const size = sizeAt(args, 1);
  const requirements = Math.ceil(size * requirementsPerCharacter);
  return listCost + traversal(size) + requirements * (listCost + structCost);
}

const COSTS: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ['check', () => checkCost],
  ...named('serviceAccount path group resource subresource namespace name allowed reason error errored', one),
  ...named('fieldSelector labelSelector', selector),
  ...named('isSorted sum max min indexOf lastIndexOf', ([value = null]) => deepSize(value)),
  ...named('url lowerAscii upperAscii substring trim jsonpatch.escapeKey', traverseFirst),
  ...named('replace split ip.isCanonical', makeOther),
  ['join', (_, result) => traversal(costSize(result), 2)],
  ...named('find findAll', (args) => matching(sizeAt(args, 0), sizeAt(args, 1))),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver', traverseFirst),
  ['ip', (args, result, overloadId) => (overloadId === 'cidr_ip' ? 1 : traverseFirst(args, result, overloadId))],
  ...named('masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast', one),
  ['isGlobalUnicast', one],
  ...named('containsIP containsCIDR', contains),
  ['validate', (args) => (args[0] instanceof FormatValue ? matching(sizeAt(args, 1), args[0].patternSize) : undefined)],
  ...named('format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo', one),
  ...named('add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery', one),
  ['_==_', ([left = null]) => (left instanceof Opaque ? 1 : undefined)],
]);

function named(names: string, cost: Cost): [string, Cost][] {
  return names.split(' ').map((name) => [name, cost]);
}

/** Returns the actual cost of calls to Kubernetes' functions. Undefined means the language's cost. Upstream: library/cost.go's CallCost. */
export function callCost(name: string, overloadId: string): CallCost | undefined {
  const cost = COSTS.get(name);
  return cost && ((args, result) => cost(args, result, overloadId));
}
