import { CONFIG_MAPS, PODS, RUNTIME_CLASSES, SECRETS, SERVICES } from '#lib/api/types/resources.ts';
import { nodeNameOf } from '#lib/authorization/node/identity.ts';
import { namesIn } from '#lib/authorization/node/references.ts';
import { podsOnNode } from '#lib/authorization/node/relations.ts';
import type { FollowedState, FollowedType, NodeLook } from '#lib/channel/look.ts';
import { AtOnce } from '#lib/machinery/at-once.ts';
import { badRequest, forbidden, noSuchPath } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { BuiltInResources } from '#lib/registry/built-in.ts';
import { objectKey, parseKey, type ObjectKey } from '#lib/storage/keys.ts';
import { parsedObject } from '#lib/storage/lookup.ts';
import type { ReadAt, Storage, StoredObject } from '#lib/storage/storage.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { Handler } from '../filters/filter.ts';
import { definitionOf } from './stored.ts';

/** The ports of looks. */
export interface LookPorts {
  readonly builtIn: BuiltInResources;
  readonly cluster: string;
}

/** A ring comes right after its change. */
const FRESH: ReadAt = { kind: 'fresh' };
const VERSION = /^\d{1,16}$/;
/** Objects that a look reads at once: authors of pods choose how many there are. */
const AT_ONCE = 64;

/**
 * Serves `nodes/look` of group node.davit.dev: the versions of all that a node follows, in one request. It costs the heads of five logs, and
 * of the types that changed the node's own objects. A node looks at itself alone.
 */
export const nodeLookEndpoint =
  (ports: LookPorts): Handler =>
  async (request, state) => {
    const { info, user } = state;
    if (info.version !== 'v1' || info.namespace !== '' || info.name === '' || info.rest.length > 0) throw noSuchPath();
    state.servedAs = info.subresource;
    const own = nodeNameOf(user);
    if (own !== undefined && own !== info.name)
      throw forbidden(info, info.name, `node ${quote(own)} may look at nothing but itself`);
    const look = await lookAt(ports, info.name, knownOf(request.query));
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(look) };
  };

type Known = (type: FollowedType) => string | undefined;

/** The versions that the agent knows. Throws 400 for one that is none. */
function knownOf(query: URLSearchParams): Known {
  return (type) => {
    const version = query.get(type) ?? undefined;
    if (version !== undefined && !VERSION.test(version))
      throw badRequest(`${type} is a version, not ${quote(version)}`);
    return version;
  };
}

/** Secrets and config maps are those that the node's pods refer to. The node itself gets an object when a pod begins to refer to it. */
async function lookAt({ builtIn, cluster }: LookPorts, node: string, known: Known): Promise<NodeLook> {
  const at = async (type: FollowedType, resource: ResourceOf<JsonObject>): Promise<Followed> => {
    const { storage } = definitionOf(builtIn, resource);
    const version = String(await storage.head(FRESH));
    return { storage, resource, version, isKnown: version === known(type) };
  };
  const [pods, secrets, configMaps, services, runtimeClasses] = await Promise.all([
    at('pods', PODS),
    at('secrets', SECRETS),
    at('configmaps', CONFIG_MAPS),
    at('services', SERVICES),
    at('runtimeclasses', RUNTIME_CLASSES),
  ]);
  const changed = [pods, secrets, configMaps].some(({ isKnown }) => !isKnown);
  const found = changed ? (await podsOnNode(pods.storage, cluster, node)).objects : [];
  const referred = async (kind: 'secrets' | 'configmaps', { isKnown, ...type }: Followed): Promise<FollowedState> => {
    if (isKnown) return { version: type.version };
    const keys = new Set(found.flatMap((stored) => keysIn(stored, kind, { cluster, ...type.resource })));
    const reads = new AtOnce(AT_ONCE);
    const objects = await Promise.all(Array.from(keys, (key) => reads.run(() => type.storage.get(key, FRESH))));
    return { version: type.version, objects: versionsOf(objects) };
  };
  return {
    kind: 'NodeLook',
    apiVersion: 'node.davit.dev/v1',
    pods: { version: pods.version, ...(pods.isKnown ? {} : { objects: versionsOf(found) }) },
    secrets: await referred('secrets', secrets),
    configmaps: await referred('configmaps', configMaps),
    services: { version: services.version },
    runtimeclasses: { version: runtimeClasses.version },
  };
}

/** A type of objects, at a version that the objects read later are at least as new as. */
interface Followed {
  readonly storage: Storage;
  readonly resource: ResourceOf<JsonObject>;
  readonly version: string;
  readonly isKnown: boolean;
}

const keysIn = (stored: StoredObject, kind: 'secrets' | 'configmaps', at: Omit<ObjectKey, 'namespace' | 'name'>) => {
  const { namespace } = parseKey(stored.key);
  return namesIn(typedObject(PODS, parsedObject(stored)), kind).map((name) => objectKey({ ...at, namespace, name }));
};

/** Objects that are gone are left out. */
const versionsOf = (objects: readonly (StoredObject | undefined)[]): Record<string, string> =>
  Object.fromEntries(
    objects
      .filter((stored) => stored !== undefined)
      .map(({ key, version }) => {
        const { namespace, name } = parseKey(key);
        return [`${namespace}/${name}`, String(version)];
      }),
  );
