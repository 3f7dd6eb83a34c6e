import type { Authorizer } from '#lib/authorization/authorizer.ts';
import { pluginOf } from '#lib/csi-translation/translate.ts';
import { notFound, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
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
  const missing: string[] = [];
  if (await namesAudience(lookup, pod, audience, missing)) return;
  if (missing.length > 0) throw refusal(attributes, `error validating audience ${quote(audience)}: ${listed(missing)}`);
  const { user, namespace, name } = attributes;
  const { decision, error } = await authorizer(user, {
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
  const who =
    error === undefined
      ? `${user.name} is not authorized to request tokens for this audience`
      : `error authorizing ${user.name} to request tokens for this audience: ${error}`;
  throw refusal(attributes, `audience ${quote(audience)} not found in pod spec volume, ${who}`);
}

/** Whether a volume of the pod asks for the audience. What could not be looked at, because it is not there, is added to `missing`. */
async function namesAudience(lookup: Lookup, pod: JsonObject, audience: string, missing: string[]): Promise<boolean> {
  for (const volume of items(objectAt(pod, 'spec'), 'volumes')) {
    const sources = items(at(volume, 'projected'), 'sources').filter((source) => has(source, 'serviceAccountToken'));
    if (sources.some((source) => text(at(source, 'serviceAccountToken'), 'audience') === audience)) return true;
    try {
      const driver = await driverOf(lookup, pod, volume);
      if (driver !== '' && (await driverAsks(lookup, driver, audience))) return true;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      missing.push(error.message);
    }
  }
  return false;
}

/** The CSI driver of a volume, also of one whose plugin was once built in; empty where there is none. Throws 404. */
async function driverOf(lookup: Lookup, pod: JsonObject, volume: JsonObject): Promise<string> {
  const claimed = has(at(volume, 'ephemeral'), 'volumeClaimTemplate')
    ? `${nameOf(pod)}-${text(volume, 'name')}`
    : text(at(volume, 'persistentVolumeClaim'), 'claimName');
  if (claimed === '') return driverIn(volume);
  const claim = await existing(
    lookup,
    { group: '', resource: 'persistentvolumeclaims', namespace: namespaceOf(pod) },
    claimed,
  );
  const name = text(at(claim, 'spec'), 'volumeName');
  return driverIn(at(await existing(lookup, { group: '', resource: 'persistentvolumes' }, name), 'spec'));
}

const driverIn = (source: JsonObject | undefined): string =>
  text(at(source, 'csi'), 'driver') || (pluginOf(source)?.driver ?? '');

async function driverAsks(lookup: Lookup, name: string, audience: string): Promise<boolean> {
  const driver = await existing(lookup, { group: 'storage.k8s.io', resource: 'csidrivers' }, name);
  return items(at(driver, 'spec'), 'tokenRequests').some((one) => text(one, 'audience') === audience);
}

/** The object; throws 404 where there is none, in the words of upstream's listers. */
async function existing(lookup: Lookup, place: Parameters<Lookup['find']>[0], name: string): Promise<JsonObject> {
  const found = name === '' ? undefined : await lookup.find(place, name);
  if (found !== undefined) return found;
  throw notFound({ group: place.group, resource: place.resource.slice(0, -1) }, name);
}

/** As Go writes errors together. */
const listed = (messages: readonly string[]): string => {
  const [first = '', ...others] = new Set(messages);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
};
