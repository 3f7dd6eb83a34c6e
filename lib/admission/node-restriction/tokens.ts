import type { Authorizer } from '#lib/authorization/authorizer.ts';
import { quote } from '#lib/machinery/go.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, uidOf } from '#lib/machinery/meta.ts';
import { at, has, items, text, texts } from '#lib/machinery/unstructured.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import { refusal } from '../refusal.ts';
import { nodeOf, podNamed } from './pods.ts';

/** A node asks for tokens of the pods that it runs, for audiences that those pods name or that it is allowed. */
export async function checkToken(
  { lookup, authorizer }: { lookup: Lookup; authorizer: Authorizer },
  node: string,
  attributes: Attributes,
): Promise<void> {
  const { object, namespace } = attributes;
  const spec = objectAt(object, 'spec');
  const bound = objectAt(spec, 'boundObjectRef');
  const name = text(bound, 'name');
  if (text(bound, 'apiVersion') !== 'v1' || text(bound, 'kind') !== 'Pod' || name === '')
    throw refusal(attributes, 'node requested token not bound to a pod');
  const uid = text(bound, 'uid');
  if (uid === '') throw refusal(attributes, 'node requested token with a pod binding without a uid');
  const pod = await podNamed(lookup, namespace, name);
  if (uid !== uidOf(pod)) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw refusal(attributes, why);
  }
  if (nodeOf(pod) !== node)
    throw refusal(attributes, 'node requested token bound to a pod scheduled on a different node');
  const audiences = texts(spec, 'audiences');
  if (audiences.length > 1) throw refusal(attributes, 'node may only request 0 or 1 audiences');
  await checkAudience({ lookup, authorizer }, attributes, pod, audiences[0] ?? '');
}

async function checkAudience(
  { lookup, authorizer }: { lookup: Lookup; authorizer: Authorizer },
  attributes: Attributes,
  pod: JsonObject,
  audience: string,
): Promise<void> {
  if (await namesAudience(lookup, attributes.namespace, pod, audience)) return;
  const { user, namespace, name } = attributes;
  const { decision } = await authorizer(user, {
    isResourceRequest: true,
    path: '',
    verb: 'request-serviceaccounts-token-audience',
    group: '',
    version: 'v1',
    resource: audience,
    subresource: '',
    namespace,
    name,
  });
  if (decision === 'allow') return;
  const who = `${user.name} is not authorized to request tokens for this audience`;
  throw refusal(attributes, `audience ${quote(audience)} not found in pod spec volume, ${who}`);
}

async function namesAudience(lookup: Lookup, namespace: string, pod: JsonObject, audience: string): Promise<boolean> {
  for (const volume of items(objectAt(pod, 'spec'), 'volumes')) {
    const sources = items(at(volume, 'projected'), 'sources').filter((source) => has(source, 'serviceAccountToken'));
    if (sources.some((source) => text(at(source, 'serviceAccountToken'), 'audience') === audience)) return true;
    const driver = await driverOf(lookup, namespace, pod, volume);
    if (driver !== '' && (await driverAsks(lookup, driver, audience))) return true;
  }
  return false;
}

/** The CSI driver of a volume; empty where there is none. */
async function driverOf(lookup: Lookup, namespace: string, pod: JsonObject, volume: JsonObject): Promise<string> {
  const claimed = text(at(volume, 'persistentVolumeClaim'), 'claimName');
  const own = has(volume, 'ephemeral') ? `${nameOf(pod)}-${text(volume, 'name')}` : claimed;
  if (own === '') return text(at(volume, 'csi'), 'driver');
  const claim = await lookup.find({ group: '', resource: 'persistentvolumeclaims', namespace }, own);
  const name = text(at(claim, 'spec'), 'volumeName');
  const found = name === '' ? undefined : await lookup.find({ group: '', resource: 'persistentvolumes' }, name);
  return text(at(found, 'spec', 'csi'), 'driver');
}

async function driverAsks(lookup: Lookup, name: string, audience: string): Promise<boolean> {
  const driver = await lookup.find({ group: 'storage.k8s.io', resource: 'csidrivers' }, name);
  return items(at(driver, 'spec'), 'tokenRequests').some((one) => text(one, 'audience') === audience);
}
