import type { Client } from '#lib/client/client.ts';
import type { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { recordOnce } from '#lib/client/record/record-event.ts';
import type { RestMapper } from '#lib/client/rest-mapper.ts';
import { namespaceOf, type OwnerReference, uidOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { ObjectPlace } from './graph.ts';

/** A dependent, by its location and uid. */
interface Dependent extends ObjectPlace {
  readonly uid: string;
}

/** The ports of `reportInvalidNamespaces`. */
export interface InvalidNamespacePorts {
  readonly client: Client;
  readonly mapper: RestMapper;
  readonly events: EventCorrelator;
}

/**
 * Records the event OwnerRefInvalidNamespace for dependents whose namespaced owner exists in another namespace only: upstream's
 * reportInvalidNamespaceOwnerRef. Upstream finds the owner by its uid in a graph of all objects. Here a live list finds it by the kind,
 * name and uid of the reference, so callers pass only references whose owner is absent from the dependents' namespace.
 */
export async function reportInvalidNamespaces(
  ports: InvalidNamespacePorts,
  reference: OwnerReference,
  dependents: readonly Dependent[],
): Promise<void> {
  const [first] = dependents;
  if (first === undefined || !(await existsElsewhere(ports, reference, first.namespace))) return;
  for (const dependent of dependents) await report(ports, reference, dependent);
}

async function existsElsewhere(
  { client, mapper }: InvalidNamespacePorts,
  { apiVersion: version, kind, name, uid }: OwnerReference,
  namespace: string,
): Promise<boolean> {
  const served = await mapper.ofKind(version, kind);
  if (served?.namespaced !== true) return false;
  const named = await client.list(served.resource, { fieldSelector: `metadata.name=${name}` });
  return named.some((object) => uidOf(object) === uid && namespaceOf(object) !== namespace);
}

async function report(
  { client, mapper, events }: InvalidNamespacePorts,
  reference: OwnerReference,
  { group, resource, namespace, name, uid }: Dependent,
): Promise<void> {
  const served = await mapper.ofResource(group, resource);
  if (served === undefined) return;
  const component = 'garbage-collector-controller';
  const recorder = { client, component, apiVersion: apiVersion(served.resource), kind: served.kind, events };
  const about = { metadata: { ...(namespace === '' ? {} : { namespace }), name, uid } };
  const message = `ownerRef ${identityText(reference, namespace)} does not exist in namespace "${namespace}"`;
  await recordOnce(recorder, about, { type: 'Warning', reason: 'OwnerRefInvalidNamespace', message });
}

/** Upstream's text of an objectReference. */
const identityText = ({ apiVersion: version, kind, name, uid }: OwnerReference, namespace: string): string =>
  `[${version}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
