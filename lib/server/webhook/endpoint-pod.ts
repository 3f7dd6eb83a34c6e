import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import type { Endpoint } from '#lib/api/types/discovery.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import { podPrefixesOf } from '#lib/helpers/component-helpers/node/pod-cidrs.ts';
import { isSimulated, SIMULATED, simulatedTarget } from '#lib/helpers/component-helpers/node/simulated.ts';
import { quote } from '#lib/machinery/go.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { contains, type Prefix } from '#lib/machinery/net/prefix.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Narrowing } from '#lib/storage/storage.ts';

/** An endpoint of a Service, and the namespace of its EndpointSlice. */
export interface PlacedEndpoint {
  readonly host: string;
  readonly endpoint: Endpoint;
  readonly namespace: string;
}

/**
 * Returns the pod at the address. Users may write EndpointSlices, so a pod counts only under two conditions. It is in the slice's
 * namespace, and its status has the address and the endpoint's node.
 */
export async function endpointPod(
  { host, endpoint, namespace }: PlacedEndpoint,
  lookup: Lookup,
): Promise<Pod | undefined> {
  const { targetRef: { kind, name = '', uid, ...ref } = {}, nodeName = '' } = endpoint;
  if (kind !== 'Pod' || ref.namespace !== namespace) return undefined;
  const pod = await lookup.find({ ...PODS, namespace }, name);
  const own = pod?.metadata.uid;
  if (pod === undefined || own === undefined || (uid ?? own) !== own) return undefined;
  const isItsAddress = pod.status.podIPs?.some(({ ip }) => ip === host) === true;
  return isItsAddress && pod.spec.nodeName === nodeName ? pod : undefined;
}

/**
 * Throws StatusError (503) if the endpoint is on a simulated node. Determines the node by the endpoint's pod if known, otherwise by the
 * node that it names, otherwise by its address. A pod on a real node may have an address in a simulated node's range.
 */
export async function refuseSimulated(placed: PlacedEndpoint, pod: Pod | undefined, lookup: Lookup): Promise<void> {
  const name = placed.endpoint.nodeName ?? '';
  const named = name === '' ? undefined : await lookup.find(NODES, name);
  if (named !== undefined && isSimulated(named)) throw simulatedTarget(targetText(placed, pod), name);
  if (pod !== undefined) return;
  const nodes = await lookup.list(NODES, ALL_SIMULATED);
  const owner = nodes.find((node) => hasAddress(node, placed.host));
  if (owner !== undefined) throw simulatedTarget(targetText(placed, pod), nameOf(owner));
}

/** Selects only the simulated nodes. Each webhook call lists them, so it must not read all others. */
const ALL_SIMULATED: Narrowing = { label: SIMULATED, value: 'true' };

function targetText({ host, endpoint: { targetRef }, namespace }: PlacedEndpoint, pod: Pod | undefined): string {
  const named = targetRef?.kind === 'Pod' ? (targetRef.name ?? '') : '';
  const name = pod === undefined ? named : nameOf(pod);
  return name === '' ? `endpoint ${host}` : `pod ${quote(`${namespace}/${name}`)}`;
}

function hasAddress(node: Node, host: string): boolean {
  const addr = parseIPSloppy(host);
  if (addr === undefined) return false;
  const { own, ranges } = addressesOf(node);
  return own.has(host) || ranges.some((range) => contains(range, addr));
}

interface Addresses {
  readonly own: ReadonlySet<string>;
  readonly ranges: readonly Prefix[];
}

/** Caches the ranges of each state of a node, because parsing those of thousands of nodes takes milliseconds. */
const known = new WeakMap<Node, Addresses>();

function addressesOf(node: Node): Addresses {
  const before = known.get(node);
  if (before !== undefined) return before;
  const own = new Set((node.status.addresses ?? []).map(({ address }) => address));
  const addresses = { own, ranges: podPrefixesOf(node) };
  known.set(node, addresses);
  return addresses;
}
