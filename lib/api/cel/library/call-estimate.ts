import {
  add,
  type CallEstimate,
  type CostEstimator,
  type CostNode,
  fixed,
  listCost,
  maxEstimate,
  multiply,
  type Range,
  regexLengthFactor,
  scale,
  stringTraversalFactor,
  structCost,
} from '../cost/estimate.ts';
import { sameType } from '../types/type.ts';
import { checkCost } from './call-cost.ts';
import { replacedSize } from './replaced-size.ts';
import { sizeEstimate } from './size-estimate.ts';

interface CallNodes {
  readonly estimator: CostEstimator;
  readonly overloadId: string;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
}
type Estimate = (call: CallNodes) => CallEstimate | undefined;

const traversal = (size: Range, times = 1): Range => scale(size, times * stringTraversalFactor);
const one: Estimate = () => ({ cost: fixed(1) });
const sizeOf = ({ estimator }: CallNodes, node: CostNode): Range => sizeEstimate(estimator, node);
/** The size of an IPv4 or IPv6 address in bytes. */
const addressSize: Range = { min: 4, max: 16 };
/** The length of the longest pattern among the named formats. */
const formatPatternSize = 128;
const formatNameSize = 64;
/** The shortest requirement of a selector has two characters. */
const requirementsPerCharacter = 0.5;

/** Creates an estimate that depends on the size of the first argument. */
const parsing =
  (times = 1): Estimate =>
  (call) => {
    const [text] = call.args;
    return text && { cost: traversal(sizeOf(call, text), times) };
  };

const copyOfTarget: Estimate = (call) => {
  if (call.target === undefined) return undefined;
  const size = sizeOf(call, call.target);
  return { cost: traversal(size), resultSize: size };
};

const copyOfArgument: Estimate = (call) => {
  const [text] = call.args;
  if (text === undefined || call.args.length !== 1) return undefined;
  const size = sizeOf(call, text);
  return { cost: traversal(size), resultSize: size };
};

/** Returns the elements of a list according to its schema. */
function elementOf(list: CostNode): CostNode | undefined {
  const [type] = list.type.params;
  if (type === undefined) return undefined;
  const path = list.path.length === 0 ? [] : [...list.path, '@items'];
  return { path, type, expr: list.expr, computedSize: undefined };
}

const overElements: Estimate = (call) => {
  const { target } = call;
  if (target === undefined) return undefined;
  const element = elementOf(target);
  if (element === undefined) return { cost: traversal(sizeOf(call, target)) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const each = isText ? add(fixed(1), traversal(sizeOf(call, element))) : fixed(1);
  return { cost: multiply(sizeOf(call, target), each) };
};

const replaceEstimate: Estimate = (call) => {
  const { target, args } = call;
  const [old, by] = args;
  if (target === undefined || old === undefined || by === undefined) return undefined;
  const size = sizeOf(call, target);
  return { cost: traversal(size, 2), resultSize: replacedSize(size, sizeOf(call, old), sizeOf(call, by)) };
};

const splitEstimate: Estimate = (call) => {
  if (call.target === undefined) return undefined;
  const size = sizeOf(call, call.target);
  const limit = call.args[1]?.expr;
  const counted = limit?.kind === 'literal' && typeof limit.value === 'bigint' ? limit.value : undefined;
  const max = counted === undefined ? size.max : counted < 0n ? maxEstimate : Number(counted);
  return { cost: traversal(size, 2), resultSize: { min: 0, max } };
};

const joinEstimate: Estimate = (call) => {
  if (call.target === undefined) return undefined;
  const count = sizeOf(call, call.target);
  const element = elementOf(call.target);
  const [separator] = call.args;
  let size = element === undefined ? fixed(0) : multiply(count, sizeOf(call, element));
  if (separator !== undefined) {
    const between = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    size = add(size, multiply(sizeOf(call, separator), between));
  }
  return { cost: traversal(size), resultSize: size };
};

const findEstimate: Estimate = (call) => {
  const [pattern] = call.args;
  if (call.target === undefined || pattern === undefined) return undefined;
  const size = sizeOf(call, call.target);
  const cost = multiply(traversal(add(size, fixed(1))), scale(sizeOf(call, pattern), regexLengthFactor));
  return { cost, resultSize: { min: 0, max: size.max } };
};

const containsEstimate: Estimate = (call) => {
  const [other] = call.args;
  if (other === undefined) return undefined;
  let cost = traversal(add(addressSize, addressSize));
  if (call.overloadId.startsWith('cidr_contains_cidr')) cost = add(add(cost, traversal(addressSize)), fixed(1));
  if (call.overloadId.endsWith('_string')) cost = add(cost, traversal(sizeOf(call, other)));
  return { cost };
};

const selectorEstimate: Estimate = (call) => {
  const [selector] = call.args;
  if (selector === undefined) return undefined;
  const size = sizeOf(call, selector);
  const requirements = scale(scale(size, requirementsPerCharacter), listCost + structCost);
  return { cost: add(add(fixed(listCost), traversal(size)), requirements) };
};

const validateEstimate: Estimate = (call) => {
  const [text] = call.args;
  return text && { cost: scale(traversal(sizeOf(call, text)), formatPatternSize * regexLengthFactor) };
};

/** Estimates the equality of Kubernetes' types: one, except for types that compare texts. */
const equalEstimate: Estimate = ({ args: [left, right] }) => {
  if (left === undefined || right === undefined || !sameType(left.type, right.type)) return undefined;
  const { kind, name } = left.type;
  if (kind === 'opaque') return name === 'net.IP' || name === 'net.CIDR' ? { cost: fixed(1) } : undefined;
  if (kind !== 'struct') return undefined;
  if (name === 'kubernetes.NamedFormat') return { cost: traversal({ min: 1, max: formatNameSize }) };
  if (name === 'kubernetes.URL') return { cost: traversal({ min: 1, max: right.computedSize?.max ?? 1 }) };
  return name.startsWith('kubernetes.') ? { cost: fixed(1) } : undefined;
};

const ESTIMATES: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['check', () => ({ cost: fixed(checkCost) })],
  ...named('serviceAccount path group resource subresource namespace name allowed reason error errored', one),
  ...named('fieldSelector labelSelector', selectorEstimate),
  ...named('isSorted sum max min indexOf lastIndexOf', overElements),
  ...named('url jsonpatch.escapeKey', copyOfArgument),
  ...named('lowerAscii upperAscii substring trim', copyOfTarget),
  ['replace', replaceEstimate],
  ['split', splitEstimate],
  ['join', joinEstimate],
  ...named('find findAll', findEstimate),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver', parsing()),
  ['ip', (call) => (call.overloadId === 'cidr_ip' ? one(call) : parsing()(call))],
  ['ip.isCanonical', parsing(2)],
  ...named('masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast', one),
  ['isGlobalUnicast', one],
  ...named('containsIP containsCIDR', containsEstimate),
  ['validate', validateEstimate],
  ...named('format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo', one),
  ...named('add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery', one),
  ['_==_', equalEstimate],
]);

function named(names: string, estimate: Estimate): [string, Estimate][] {
  return names.split(' ').map((name) => [name, estimate]);
}

/** Returns the estimate of a call. Undefined means the language's estimate. Upstream: library/cost.go's EstimateCallCost. */
export function callEstimate(
  estimator: CostEstimator,
  name: string,
  overloadId: string,
  target: CostNode | undefined,
  args: readonly CostNode[],
): CallEstimate | undefined {
  return ESTIMATES.get(name)?.({ estimator, overloadId, target, args });
}
