import { typedObject } from '#lib/api/typed.ts';
import {
  CONFIG_MAPS,
  ENDPOINT_SLICES,
  NAMESPACES,
  NETWORK_POLICIES,
  NODES,
  PODS,
  RUNTIME_CLASSES,
  SECRETS,
  SERVICE_CIDRS,
  SERVICES,
} from '#lib/api/types/resources.ts';
import { AtOnce } from '#lib/machinery/at-once.ts';
import { defined } from '#lib/machinery/defined.ts';
import { badRequest, forbidden, noSuchPath } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { nodeNameOf } from '#lib/server/authorization/node/identity.ts';
import { namesIn } from '#lib/server/authorization/node/references.ts';
import { podsOnNode } from '#lib/server/authorization/node/relations.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import {
  type FollowedType,
  isNetworkType,
  NETWORK_TYPES,
  type NetworkType,
} from '#lib/server/channel/followed-types.ts';
import {
  type InterestingObject,
  type InterestKeeper,
  interestsIn,
  nameOfInterests,
} from '#lib/server/channel/interests.ts';
import type { FollowedState, NodeLook } from '#lib/server/channel/look.ts';
import type { BuiltInResources } from '#lib/server/registry/built-in.ts';
import { objectKey, parseKey } from '#lib/storage/keys.ts';
import { parsedObject } from '#lib/storage/lookup.ts';
import type { ReadAt, Storage, StoredObject } from '#lib/storage/storage.ts';
import type { Handler } from '../filters/filter.ts';
import { definitionOf } from './stored.ts';

/** The ports of `nodes/look`. */
export interface LookPorts {
  readonly builtIn: BuiltInResources;
  readonly cluster: string;
  readonly backends?: Pick<Backends, 'interests'>;
}

/** A notification arrives right after its change, so the poll reads the latest state. */
const FRESH: ReadAt = { kind: 'fresh' };
const VERSION = /^\d{1,16}$/;
/** The number of concurrent reads of a poll. Authors of pods control the number of objects. */
const AT_ONCE = 64;

/**
 * Serves `nodes/look` of group node.davit.dev, a poll that returns the versions of everything that a node follows. It reads the heads of
 * five logs and the node's own Node. For each changed type it also reads the node's own objects. It reads the log head of each type that
 * the node's network follows. The head of pods is read anyway. A node may poll only itself. If the node wants notifications, the server
 * stores its interests. These are the objects to which the node's pods refer, according to the Node authorizer and not to the agent.
 */
export const nodeLookEndpoint =
  (ports: LookPorts): Handler =>
  async ({ request, info, user, outcome }) => {
    if (info.version !== 'v1' || info.namespace !== '' || info.name === '' || info.rest.length > 0) throw noSuchPath();
    outcome.servedAs = info.subresource;
    const own = nodeNameOf(user);
    if (own !== undefined && own !== info.name)
      throw forbidden(info, info.name, `node ${quote(own)} may look at nothing but itself`);
    const look = await lookAt(ports, info.name, {
      known: knownOf(request.query),
      interests: request.query.get('interests'),
      network: NETWORK_TYPES.filter((type) => request.query.has(type)),
    });
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(look) };
  };

type Known = (type: FollowedType) => string | undefined;

/** Returns the versions that the agent already has. Throws 400 for an invalid version. */
function knownOf(query: URLSearchParams): Known {
  return (type) => {
    const version = query.get(type) ?? undefined;
    if (version === '' && isNetworkType(type)) return undefined;
    if (version !== undefined && !VERSION.test(version))
      throw badRequest(`${type} is a version, not ${quote(version)}`);
    return version;
  };
}

interface Asked {
  readonly known: Known;
  /** The name of the interests that the agent has: '' if it has none, null if it wants no notifications. */
  readonly interests: string | null;
  /** The types that the node's network follows. */
  readonly network: readonly NetworkType[];
}

/** Network types whose logs a poll reads only for the network. */
const NETWORK_RESOURCES = {
  namespaces: NAMESPACES,
  endpointslices: ENDPOINT_SLICES,
  servicecidrs: SERVICE_CIDRS,
  networkpolicies: NETWORK_POLICIES,
  allnodes: NODES,
} as const;

/**
 * Collects the state that the poll returns. It includes the secrets and config maps to which the node's pods refer. The node reads an
 * object itself when a pod first refers to it.
 */
async function lookAt({ builtIn, cluster, backends }: LookPorts, node: string, asked: Asked): Promise<NodeLook> {
  const at = async (type: FollowedType, resource: ResourceOf<JsonObject>): Promise<Followed> => {
    const { storage } = definitionOf(builtIn, resource);
    const version = String(await storage.head(FRESH));
    return { storage, resource, version, isKnown: version === asked.known(type) };
  };
  const self = definitionOf(builtIn, NODES).storage.get(
    objectKey({ cluster, ...NODES, namespace: '', name: node }),
    FRESH,
  );
  const podsFollowed = at('pods', PODS);
  const headOf = async (type: NetworkType): Promise<string> =>
    (type === 'allpods' ? await podsFollowed : await at(type, NETWORK_RESOURCES[type])).version;
  const [nodes, pods, secrets, configMaps, services, runtimeClasses, heads] = await Promise.all([
    self,
    podsFollowed,
    at('secrets', SECRETS),
    at('configmaps', CONFIG_MAPS),
    at('services', SERVICES),
    at('runtimeclasses', RUNTIME_CLASSES),
    Promise.all(asked.network.map(async (type) => [type, await headOf(type)] as const)),
  ]);
  const keeper = asked.interests === null ? undefined : backends?.interests;
  const isUnkept = keeper !== undefined && asked.interests === '';
  const changed = isUnkept || [pods, secrets, configMaps].some(({ isKnown }) => !isKnown);
  const found = changed ? (await podsOnNode(pods.storage, cluster, node)).objects : [];
  const named = found.flatMap(interestsOf);
  // Store the interests before reading these objects, so that later changes trigger a notification.
  const interests = keeper && changed ? await kept(keeper, node, { named, ...asked }) : undefined;
  const referred = async (kind: 'secrets' | 'configmaps', { isKnown, ...type }: Followed): Promise<FollowedState> => {
    if (isKnown) return { version: type.version };
    const keys = new Set(
      named.filter((one) => one.type === kind).map((one) => objectKey({ cluster, ...type.resource, ...one })),
    );
    const reads = new AtOnce(AT_ONCE);
    const objects = await Promise.all(Array.from(keys, (key) => reads.run(() => type.storage.get(key, FRESH))));
    return { version: type.version, objects: versionsOf(objects) };
  };
  return {
    kind: 'NodeLook',
    apiVersion: 'node.davit.dev/v1',
    ...defined({ nodes: nodes && { version: String(nodes.version) } }),
    pods: { version: pods.version, ...(pods.isKnown ? {} : { objects: versionsOf(found) }) },
    secrets: await referred('secrets', secrets),
    configmaps: await referred('configmaps', configMaps),
    services: { version: services.version },
    runtimeclasses: { version: runtimeClasses.version },
    ...Object.fromEntries(heads.map(([type, version]) => [type, { version }])),
    ...defined({ interests }),
  };
}

interface Named extends Pick<Asked, 'interests' | 'network'> {
  readonly named: readonly InterestingObject[];
}

/**
 * Stores the node's interests. Returns their new name, or undefined if the agent already has it. A failure does not fail the poll. It
 * returns '', so the agent polls again.
 */
async function kept(
  keeper: InterestKeeper,
  node: string,
  { named, network, interests: known }: Named,
): Promise<string | undefined> {
  const interests = interestsIn(named, network);
  const name = nameOfInterests(interests);
  if (name === known) return undefined;
  return keeper.keep(node, interests).then(
    () => name,
    () => '',
  );
}

/** A type at a version. Objects read afterwards are at least as new. */
interface Followed {
  readonly storage: Storage;
  readonly resource: ResourceOf<JsonObject>;
  readonly version: string;
  readonly isKnown: boolean;
}

/** Returns the objects to which a pod refers. */
function interestsOf(stored: StoredObject): InterestingObject[] {
  const { namespace } = parseKey(stored.key);
  const pod = typedObject(PODS, parsedObject(stored));
  return (['secrets', 'configmaps'] as const).flatMap((type) =>
    namesIn(pod, type).map((name) => ({ type, namespace, name })),
  );
}

/** Returns the versions of the objects, without those that no longer exist. */
const versionsOf = (objects: readonly (StoredObject | undefined)[]): Record<string, string> =>
  Object.fromEntries(
    objects
      .filter((stored) => stored !== undefined)
      .map(({ key, version }) => {
        const { namespace, name } = parseKey(key);
        return [`${namespace}/${name}`, String(version)];
      }),
  );
