import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '#lib/api/types/networking.v1.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { containsPrefix, type Prefix } from '#lib/machinery/net/prefix.ts';
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { isValidPortName, isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { isValidCIDRForLegacyField } from '#lib/machinery/validation/ip.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import type { KindStrategy } from '../../strategy.ts';
import { cidrWarnings } from '../shared/cidr-warnings.ts';
import { checked, each } from '../shared/validate.ts';

const SPEC = FieldPath.of('spec');
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
interface Options {
  readonly allowInvalidValues: boolean;
  /** Networks of the stored policy, which may be non-canonical. */
  readonly stored: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** An ingress or egress rule. */
interface Rule {
  readonly path: FieldPath;
  readonly ports: readonly NetworkPolicyPort[];
  readonly peers: readonly NetworkPolicyPeer[];
  readonly peersPath: FieldPath;
}

function rulesOf({ ingress = [], egress = [] }: NetworkPolicySpec): Rule[] {
  return [
    ...ingress.map(({ ports = [], from = [] }, i): Rule => {
      const path = SPEC.child('ingress').index(i);
      return { path, ports, peers: from, peersPath: path.child('from') };
    }),
    ...egress.map(({ ports = [], to = [] }, i): Rule => {
      const path = SPEC.child('egress').index(i);
      return { path, ports, peers: to, peersPath: path.child('to') };
    }),
  ];
}

function setDefaults({ spec }: NetworkPolicy): void {
  for (const { ports } of rulesOf(spec)) for (const port of ports) port.protocol ??= 'TCP';
  if ((spec.policyTypes ?? []).length > 0) return;
  spec.policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

function validateSpec({ spec }: NetworkPolicy, options: Options): FieldError[] {
  return [
    ...validateLabelSelector(spec.podSelector, SPEC.child('podSelector'), options),
    ...rulesOf(spec).flatMap(({ path, ports, peers, peersPath }) => [
      ...each(ports, path.child('ports'), validatePort),
      ...each(peers, peersPath, (peer, where) => validatePeer(peer, where, options)),
    ]),
    ...policyTypes(spec.policyTypes ?? []),
  ];
}

function policyTypes(types: readonly string[]): FieldError[] {
  const path = SPEC.child('policyTypes');
  if (types.length > 2) return [invalid(path, types, 'may not specify more than two policyTypes')];
  return each(types, path, (type, where) =>
    type === 'Ingress' || type === 'Egress' ? [] : [notSupported(where, type, ['Ingress', 'Egress'])],
  );
}

function validatePort(port: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const protocol = port.protocol ?? '';
  const supported = port.protocol === undefined || PROTOCOLS.includes(protocol);
  return [...(supported ? [] : [notSupported(path.child('protocol'), protocol, PROTOCOLS)]), ...portRange(port, path)];
}

function portRange(port: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const first = port.port;
  const last = port.endPort;
  const end = path.child('endPort');
  if (first === undefined) {
    return last === undefined ? [] : [invalid(end, last, 'may not be specified when `port` is not specified')];
  }
  if (typeof first === 'string') {
    const range = last === undefined ? [] : [invalid(end, last, 'may not be specified when `port` is non-numeric')];
    return [...range, ...checked(first, path.child('port'), isValidPortName)];
  }
  const errors = isValidPortNum(first).map((message) => invalid(path.child('port'), first, message));
  if (last === undefined) return errors;
  return [
    ...errors,
    ...(last < first ? [invalid(end, first, 'must be greater than or equal to `port`')] : []),
    ...isValidPortNum(last).map((message) => invalid(end, last, message)),
  ];
}

function validatePeer(peer: NetworkPolicyPeer, path: FieldPath, options: Options): FieldError[] {
  const selectors = (['podSelector', 'namespaceSelector'] as const).filter((field) => peer[field] !== undefined);
  const block = peer.ipBlock;
  const errors = selectors.flatMap((field) => validateLabelSelector(peer[field], path.child(field), options));
  if (block === undefined) return selectors.length === 0 ? [required(path, 'must specify a peer')] : errors;
  const both = selectors.length > 0 ? [forbidden(path, 'may not specify both ipBlock and another peer')] : [];
  return [...errors, ...validateBlock(block, path.child('ipBlock'), options), ...both];
}

function validateBlock(block: IPBlock, path: FieldPath, { stored }: Options): FieldError[] {
  const cidr = block.cidr;
  if (cidr === '') return [required(path.child('cidr'))];
  const check = (value: string, where: FieldPath): FieldError[] =>
    stored.has(value) ? [] : isValidCIDRForLegacyField(where, value, true);
  const errors = check(cidr, path.child('cidr'));
  const network = parseCIDRSloppy(cidr);
  if (network === undefined) return errors;
  const except = each(block.except ?? [], path.child('except'), (value, where) => {
    const inner = parseCIDRSloppy(value);
    const within = inner === undefined || isStrictSubset(inner, network);
    return [...check(value, where), ...(within ? [] : [invalid(where, value, 'must be a strict subset of `cidr`')])];
  });
  return [...errors, ...except];
}

const isStrictSubset = (inner: Prefix, outer: Prefix): boolean =>
  inner.length > outer.length && containsPrefix(outer, inner);

/** Every network of the policy and its path. */
function networksOf(policy: NetworkPolicy): (readonly [value: string, path: FieldPath])[] {
  return rulesOf(policy.spec).flatMap(({ peers, peersPath }) =>
    peers.flatMap(({ ipBlock: block }, i) => {
      if (block === undefined) return [];
      const path = peersPath.index(i).child('ipBlock');
      const except = (block.except ?? []).map((value, j) => [value, path.child('except').index(j)] as const);
      return [[block.cidr, path.child('cidr')] as const, ...except];
    }),
  );
}

function validateUpdate(policy: NetworkPolicy, old: NetworkPolicy): FieldError[] {
  const selector = old.spec.podSelector;
  const allowInvalidValues = validateLabelSelector(selector, SPEC).length > 0;
  return validateSpec(policy, { allowInvalidValues, stored: new Set(networksOf(old).map(([value]) => value)) });
}

/** Upstream's pkg/registry/networking/networkpolicy. */
export const networkPolicyStrategy: KindStrategy<NetworkPolicy> = {
  hasGeneration: true,
  exactGeneration: true,
  default: setDefaults,
  validate: (policy) => validateSpec(policy, { allowInvalidValues: false, stored: NONE }),
  validateUpdate,
  warnings: (policy) => networksOf(policy).flatMap(([value, path]) => cidrWarnings(value, path)),
};
