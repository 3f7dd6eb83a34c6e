import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, has, integer, items, text, texts } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { isValidPortName, isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { isValidCIDRForLegacyField, parseCIDR, type Prefix } from '#lib/machinery/validation/ip.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import type { KindStrategy } from '../../strategy.ts';
import { cidrWarnings } from '../shared/cidr-warnings.ts';
import { checked, each } from '../shared/validate.ts';

const SPEC = FieldPath.of('spec');
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
/** The two directions with the field that names the other side. */
const DIRECTIONS = [
  ['ingress', 'from'],
  ['egress', 'to'],
] as const;

interface Options {
  readonly allowInvalidValues: boolean;
  /** Networks of the stored policy, which need not be canonical. */
  readonly stored: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

function setDefaults(policy: JsonObject): void {
  const spec = ensure(policy, 'spec');
  for (const [direction] of DIRECTIONS) {
    for (const rule of items(spec, direction)) {
      for (const port of items(rule, 'ports')) port['protocol'] ??= 'TCP';
    }
  }
  if (texts(spec, 'policyTypes').length > 0) return;
  spec['policyTypes'] = items(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

function validateSpec(policy: JsonObject, options: Options): FieldError[] {
  const spec = objectAt(policy, 'spec');
  return [
    ...validateLabelSelector(objectAt(spec, 'podSelector'), SPEC.child('podSelector'), options),
    ...DIRECTIONS.flatMap(([direction, side]) =>
      each(items(spec, direction), SPEC.child(direction), (rule, path) => [
        ...each(items(rule, 'ports'), path.child('ports'), validatePort),
        ...each(items(rule, side), path.child(side), (peer, where) => validatePeer(peer, where, options)),
      ]),
    ),
    ...policyTypes(texts(spec, 'policyTypes')),
  ];
}

function policyTypes(types: readonly string[]): FieldError[] {
  const path = SPEC.child('policyTypes');
  if (types.length > 2) return [invalid(path, types, 'may not specify more than two policyTypes')];
  return each(types, path, (type, where) =>
    type === 'Ingress' || type === 'Egress' ? [] : [notSupported(where, type, ['Ingress', 'Egress'])],
  );
}

function validatePort(port: JsonObject, path: FieldPath): FieldError[] {
  const protocol = text(port, 'protocol');
  const supported = !has(port, 'protocol') || PROTOCOLS.includes(protocol);
  return [...(supported ? [] : [notSupported(path.child('protocol'), protocol, PROTOCOLS)]), ...portRange(port, path)];
}

function portRange(port: JsonObject, path: FieldPath): FieldError[] {
  const first = ownField(port, 'port');
  const last = integer(port, 'endPort');
  const end = path.child('endPort');
  if (!has(port, 'port')) {
    return last === undefined ? [] : [invalid(end, last, 'may not be specified when `port` is not specified')];
  }
  if (typeof first === 'string') {
    const range = last === undefined ? [] : [invalid(end, last, 'may not be specified when `port` is non-numeric')];
    return [...range, ...checked(first, path.child('port'), isValidPortName)];
  }
  const number = integer(port, 'port') ?? 0;
  const errors = isValidPortNum(number).map((message) => invalid(path.child('port'), number, message));
  if (last === undefined) return errors;
  return [
    ...errors,
    ...(last < number ? [invalid(end, number, 'must be greater than or equal to `port`')] : []),
    ...isValidPortNum(last).map((message) => invalid(end, last, message)),
  ];
}

function validatePeer(peer: JsonObject, path: FieldPath, options: Options): FieldError[] {
  const selectors = ['podSelector', 'namespaceSelector'].filter((field) => has(peer, field));
  const block = objectAt(peer, 'ipBlock');
  const errors = selectors.flatMap((field) => validateLabelSelector(objectAt(peer, field), path.child(field), options));
  if (block === undefined) return selectors.length === 0 ? [required(path, 'must specify a peer')] : errors;
  const both = selectors.length > 0 ? [forbidden(path, 'may not specify both ipBlock and another peer')] : [];
  return [...errors, ...validateBlock(block, path.child('ipBlock'), options), ...both];
}

function validateBlock(block: JsonObject, path: FieldPath, { stored }: Options): FieldError[] {
  const cidr = text(block, 'cidr');
  if (cidr === '') return [required(path.child('cidr'))];
  const check = (value: string, where: FieldPath): FieldError[] =>
    stored.has(value) ? [] : isValidCIDRForLegacyField(where, value, true);
  const errors = check(cidr, path.child('cidr'));
  const network = parseCIDR(cidr);
  if (network === undefined) return errors;
  const except = each(texts(block, 'except'), path.child('except'), (value, where) => {
    const inner = parseCIDR(value);
    const within = inner === undefined || isStrictSubset(inner, network);
    return [...check(value, where), ...(within ? [] : [invalid(where, value, 'must be a strict subset of `cidr`')])];
  });
  return [...errors, ...except];
}

function isStrictSubset(inner: Prefix, outer: Prefix): boolean {
  const [a, b] = [inner.address.bytes, outer.address.bytes];
  if (a.length !== b.length || inner.length <= outer.length) return false;
  return a.every((byte, i) => {
    const mask = 0xff & (0xff00 >> Math.min(Math.max(outer.length - i * 8, 0), 8));
    return (byte & mask) === ((b[i] as number) & mask);
  });
}

/** Every network of the policy with its path. */
function networksOf(policy: JsonObject): (readonly [value: string, path: FieldPath])[] {
  const spec = objectAt(policy, 'spec');
  return DIRECTIONS.flatMap(([direction, side]) =>
    items(spec, direction).flatMap((rule, i) =>
      items(rule, side).flatMap((peer, j) => {
        const block = objectAt(peer, 'ipBlock');
        if (block === undefined) return [];
        const path = SPEC.child(direction).index(i).child(side).index(j).child('ipBlock');
        const except = texts(block, 'except').map((value, k) => [value, path.child('except').index(k)] as const);
        return [[text(block, 'cidr'), path.child('cidr')] as const, ...except];
      }),
    ),
  );
}

function validateUpdate(policy: JsonObject, old: JsonObject): FieldError[] {
  const selector = objectAt(objectAt(old, 'spec'), 'podSelector');
  const allowInvalidValues = validateLabelSelector(selector, SPEC).length > 0;
  return validateSpec(policy, { allowInvalidValues, stored: new Set(networksOf(old).map(([value]) => value)) });
}

/** Upstream's pkg/registry/networking/networkpolicy. */
export const networkPolicyStrategy: KindStrategy = {
  hasGeneration: true,
  exactGeneration: true,
  default: setDefaults,
  validate: (policy) => validateSpec(policy, { allowInvalidValues: false, stored: NONE }),
  validateUpdate,
  warnings: (policy) => networksOf(policy).flatMap(([value, path]) => cidrWarnings(value, path)),
};
