import type { TokenRequest } from '#lib/api/types/authentication.v1.ts';
import type { PersistentVolumeSpec, Pod, Volume } from '#lib/api/types/core.v1.ts';
import { CSI_DRIVERS, PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES } from '#lib/api/types/resources.ts';
import { pluginOf } from '#lib/helpers/csi-translation/translate.ts';
import { notFound, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup, ResourceAt } from '#lib/storage/lookup.ts';
import { type AttributesOf, refusal } from '../refusal.ts';
import { nodeOf, podNamed } from './pods.ts';

/** Lets a node request tokens only for pods that it runs, and only for audiences that those pods name or that it may use. */
export async function checkToken(
  { lookup, authorizer }: { lookup: Lookup; authorizer: Authorizer },
  node: string,
  attributes: AttributesOf<TokenRequest>,
): Promise<void> {
  const { object, namespace } = attributes;
  const bound = object?.spec.boundObjectRef;
  const { name = '', uid = '' } = bound ?? {};
  if (bound?.apiVersion !== 'v1' || bound.kind !== 'Pod' || name === '')
    throw refusal(attributes, 'node requested token not bound to a pod');
  if (uid === '') throw refusal(attributes, 'node requested token with a pod binding without a uid');
  const pod = await podNamed(lookup, namespace, name);
  if (uid !== uidOf(pod)) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw refusal(attributes, why);
  }
  if (nodeOf(pod) !== node)
    throw refusal(attributes, 'node requested token bound to a pod scheduled on a different node');
  const audiences = object?.spec.audiences ?? [];
  if (audiences.length > 1) throw refusal(attributes, 'node may only request 0 or 1 audiences');
  await checkAudience({ lookup, authorizer }, attributes, pod, audiences[0] ?? '');
}

async function checkAudience(
  { lookup, authorizer }: { lookup: Lookup; authorizer: Authorizer },
  attributes: Attributes,
  pod: Pod,
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

/** Whether a volume of the pod requests the audience. Adds the errors of lookups that found no object to `missing`. */
async function namesAudience(lookup: Lookup, pod: Pod, audience: string, missing: string[]): Promise<boolean> {
  for (const volume of pod.spec.volumes ?? []) {
    const tokens = (volume.projected?.sources ?? []).flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []);
    if (tokens.some((token) => (token.audience ?? '') === audience)) return true;
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

/** Returns the CSI driver of a volume, including migrated in-tree plugins. Empty if there is none. Throws 404. */
async function driverOf(lookup: Lookup, pod: Pod, volume: Volume): Promise<string> {
  const claimed =
    volume.ephemeral?.volumeClaimTemplate === undefined
      ? (volume.persistentVolumeClaim?.claimName ?? '')
      : `${nameOf(pod)}-${volume.name}`;
  if (claimed === '') return driverIn(volume);
  const claim = await existing(lookup, { ...PERSISTENT_VOLUME_CLAIMS, namespace: namespaceOf(pod) }, claimed);
  return driverIn((await existing(lookup, PERSISTENT_VOLUMES, claim.spec.volumeName ?? '')).spec);
}

const driverIn = (source: Volume | PersistentVolumeSpec): string =>
  source.csi?.driver || (pluginOf(source)?.driver ?? '');

async function driverAsks(lookup: Lookup, name: string, audience: string): Promise<boolean> {
  const { spec } = await existing(lookup, CSI_DRIVERS, name);
  return (spec.tokenRequests ?? []).some((request) => request.audience === audience);
}

/** Returns the object. Throws 404 with the text of upstream's listers if it does not exist. */
async function existing<T extends JsonObject>(lookup: Lookup, place: ResourceAt<T>, name: string): Promise<T> {
  const found = name === '' ? undefined : await lookup.find(place, name);
  if (found !== undefined) return found;
  throw notFound({ group: place.group, resource: place.resource.slice(0, -1) }, name);
}

/** Formats several errors like Go. */
const listed = (messages: readonly string[]): string => {
  const [first = '', ...others] = new Set(messages);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
};
