import type { Deployment, ReplicaSet } from '#lib/api/types/apps.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { DEPLOYMENTS, REPLICA_SETS } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { ServedResource } from '#lib/client/discovery.ts';
import type { RestMapper } from '#lib/client/rest-mapper.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { controllerOf, nameOf, type OwnerReference, uidOf } from '#lib/machinery/meta.ts';
import { count, items, text } from '#lib/machinery/unstructured.ts';

/** The number of pods that the controllers of some pods want. */
export interface Scale {
  /** The number of pods that all controllers together want. */
  readonly total: number;
  /** The names of pods without a controller. */
  readonly unmanaged: readonly string[];
}

interface ControllerScale {
  readonly uid: string;
  readonly replicas: number;
}

interface Look {
  readonly client: Clientset;
  readonly mapper: RestMapper;
  readonly namespace: string;
}

/** Sums the replicas of the pods' controllers. Returns a message if the sum cannot be determined. */
export async function scaleOf(look: Look, pods: readonly Pod[]): Promise<Scale | string> {
  const scales = new Map<string, number>();
  const seen = new Set<string>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined) unmanaged.push(nameOf(pod));
    if (owner === undefined || seen.has(owner.uid)) continue;
    const scale = (await scaleOfReplicaSet(look, owner)) ?? (await scaleOfAny(look, owner));
    if (typeof scale === 'string') return scale;
    if (scale === undefined) return `found no controllers for pod "${nameOf(pod)}"`;
    seen.add(owner.uid);
    scales.set(scale.uid, scale.replicas);
  }
  return { total: [...scales.values()].reduce((sum, one) => sum + one, 0), unmanaged };
}

const isOf = ({ apiVersion, kind }: OwnerReference, expected: string): boolean =>
  kind === expected && /^(?:apps|extensions)\//.test(apiVersion);

/** Replica sets of one deployment count once, as the deployment. */
async function scaleOfReplicaSet(
  { client, namespace }: Look,
  owner: OwnerReference,
): Promise<ControllerScale | undefined> {
  if (!isOf(owner, 'ReplicaSet')) return undefined;
  const set = await client.get({ resource: REPLICA_SETS, namespace, name: owner.name });
  if (set === undefined || uidOf(set) !== owner.uid) return undefined;
  const above = controllerOf(set);
  if (above === undefined || above.kind !== 'Deployment') return ownScale(set);
  if (!isOf(above, 'Deployment')) return undefined;
  const deployment = await client.get({ resource: DEPLOYMENTS, namespace, name: above.name });
  return deployment !== undefined && uidOf(deployment) === above.uid ? ownScale(deployment) : undefined;
}

const ownScale = (owner: ReplicaSet | Deployment): ControllerScale => ({
  uid: uidOf(owner),
  replicas: owner.spec.replicas ?? 0,
});

/** Reads the `scale` subresource, which custom resources may have too. */
async function scaleOfAny(look: Look, owner: OwnerReference): Promise<ControllerScale | string | undefined> {
  const served = await look.mapper.ofKind(owner.apiVersion, owner.kind);
  if (served === undefined) return `no matches for kind "${owner.kind}" in version "${owner.apiVersion}"`;
  const path = `${groupPath(served)}/namespaces/${look.namespace}/${served.resource.resource}`;
  const scale = await look.client.document(`${path}/${encodeURIComponent(owner.name)}/scale`).catch(absent);
  if (scale === undefined) return whyNoScale(look.client, served);
  if (uidOf(scale) !== owner.uid) return undefined;
  return { uid: owner.uid, replicas: Number(count(objectAt(scale, 'spec'), 'replicas')) };
}

function groupPath({ resource: { group, version } }: ServedResource): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** A deleted controller is not an error by itself, but one without a scale subresource is. */
async function whyNoScale(client: Clientset, served: ServedResource): Promise<string | undefined> {
  const { group, resource } = served.resource;
  const listed = items(await client.document(groupPath(served)), 'resources');
  if (listed.some((one) => text(one, 'name') === `${resource}/scale` && text(one, 'kind') === 'Scale'))
    return undefined;
  return `${group === '' ? resource : `${resource}.${group}`} does not implement the scale subresource`;
}

function absent(error: unknown): undefined {
  if (error instanceof StatusError && error.reason === 'NotFound') return undefined;
  throw error;
}
