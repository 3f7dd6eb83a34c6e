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
import type { FollowedState, NodeLook } from '#lib/server/channel/look.ts';
import {
  type InterestingObject,
  type InterestKeeper,
  interestsIn,
  nameOfInterests,
} from '#lib/server/channel/ring-interests.ts';
import type { BuiltInResources } from '#lib/server/registry/built-in.ts';
import { objectKey, parseKey } from '#lib/storage/keys.ts';
import { parsedObject } from '#lib/storage/lookup.ts';
import type { ReadAt, Storage, StoredObject } from '#lib/storage/storage.ts';
import type { Handler } from '../filters/filter.ts';
import { definitionOf } from './stored.ts';

/** The ports of looks. */
export interface LookPorts {
  readonly builtIn: BuiltInResources;
  readonly cluster: string;
  readonly backends?: Pick<Backends, 'interests'>;
}

/** A ring comes right after its change. */
const FRESH: ReadAt = { kind: 'fresh' };
const VERSION = /^\d{1,16}$/;
/** Objects that a look reads at once: authors of pods choose how many there are. */
const AT_ONCE = 64;

/**
 * Serves `nodes/look` of group node.davit.dev: the versions of all that a node follows, in one request. It costs the heads of five logs, the node's
 * own Node, and of the types that changed the node's own objects; and a head of each type that the node's network follows, but for pods, whose head is
 * looked at anyway. A node looks at itself alone. Of one that wants to be rung it keeps the interests: what
 * the node's pods refer to, as the Node authorizer has it, and nothing that the agent says.
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
    const look = await lookAt(ports, info.name, {
      known: knownOf(request.query),
      interests: request.query.get('interests'),
      network: NETWORK_TYPES.filter((type) => request.query.has(type)),
    });
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(look) };
  };

type Known = (type: FollowedType) => string | undefined;

/** The versions that the agent knows. Throws 400 for one that is none. */
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
  /** The name of the interests that the agent knows; '' of none, null where it does not want to be rung. */
  readonly interests: string | null;
  /** Types that the node's network follows. */
  readonly network: readonly NetworkType[];
}

/** Types of the network whose logs a look does not read otherwise. */
const NETWORK_RESOURCES = {
  namespaces: NAMESPACES,
  endpointslices: ENDPOINT_SLICES,
  servicecidrs: SERVICE_CIDRS,
  networkpolicies: NETWORK_POLICIES,
  allnodes: NODES,
} as const;

/** Secrets and config maps are those that the node's pods refer to. The node itself gets an object when a pod begins to refer to it. */
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
  // Before these objects are read: what changes after that rings.
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

/** The name of the interests that are kept from now on, where the agent knows another one. A fault costs no look: the agent asks again, as for ''. */
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

/** A type of objects, at a version that the objects read later are at least as new as. */
interface Followed {
  readonly storage: Storage;
  readonly resource: ResourceOf<JsonObject>;
  readonly version: string;
  readonly isKnown: boolean;
}

/** The objects that a pod refers to. */
function interestsOf(stored: StoredObject): InterestingObject[] {
  const { namespace } = parseKey(stored.key);
  const pod = typedObject(PODS, parsedObject(stored));
  return (['secrets', 'configmaps'] as const).flatMap((type) =>
    namesIn(pod, type).map((name) => ({ type, namespace, name })),
  );
}

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
