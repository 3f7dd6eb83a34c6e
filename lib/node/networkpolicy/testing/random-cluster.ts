import type { LabelSelector } from '#lib/api/types/meta.v1.ts';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '#lib/api/types/networking.v1.ts';
import { aPolicy } from './objects.ts';

/** Returns random numbers in [0, 1). */
export type Random = () => number;

/** The values that random policies consist of. */
export interface World {
  readonly namespaces: readonly string[];
  /** The values of the pod label `app` and of the namespace label `team`. */
  readonly apps: readonly string[];
  readonly teams: readonly string[];
  readonly blocks: readonly { readonly cidr: string; readonly except?: readonly string[] }[];
  readonly ports: readonly number[];
  readonly names: readonly string[];
}

/** Random valid policies. */
export function randomPolicies(world: World, count: number, random: Random): NetworkPolicy[] {
  const pick = <T>(items: readonly [T, ...T[]] | readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: Math.floor(random() * (most + 1)) }, make);

  const selector = (key: string, values: readonly string[]): LabelSelector => {
    const shape = pick(['empty', 'labels', 'In', 'NotIn', 'Exists', 'DoesNotExist']);
    if (shape === 'empty') return {};
    if (shape === 'labels') return { matchLabels: { [key]: pick(values) } };
    const list = shape.endsWith('In') ? { values: [pick(values), pick(values)] } : {};
    return { matchExpressions: [{ key, operator: shape, ...list }] };
  };
  const peer = (): NetworkPolicyPeer => {
    const shape = random();
    if (shape < 0.25) {
      const { cidr, except } = pick(world.blocks);
      return { ipBlock: { cidr, ...(except && { except: [...except] }) } };
    }
    if (shape < 0.5) return { podSelector: selector('app', world.apps) };
    if (shape < 0.75) return { namespaceSelector: selector('team', world.teams) };
    return { podSelector: selector('app', world.apps), namespaceSelector: selector('team', world.teams) };
  };
  const port = (): NetworkPolicyPort => {
    const protocol = random() < 0.3 ? {} : { protocol: pick(['TCP', 'TCP', 'UDP', 'SCTP']) };
    const shape = random();
    if (shape < 0.2) return protocol;
    if (shape < 0.45) return { ...protocol, port: pick(world.names) };
    const first = pick(world.ports);
    return { ...protocol, port: first, ...(shape > 0.7 && { endPort: first + Math.floor(random() * 3) }) };
  };
  const rule = (list: 'from' | 'to'): object => {
    const peers = some(2, peer);
    const ports = some(2, port);
    return { ...(peers.length > 0 && { [list]: peers }), ...(ports.length > 0 && { ports }) };
  };
  return Array.from({ length: count }, (_, i) =>
    aPolicy(`${pick(world.namespaces)}/policy-${i}`, {
      podSelector: selector('app', world.apps),
      policyTypes: pick([[], ['Ingress'], ['Egress'], ['Ingress', 'Egress']]),
      ingress: some(2, () => rule('from')),
      egress: some(2, () => rule('to')),
    }),
  );
}
