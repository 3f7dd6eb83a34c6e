import { FLOW_SCHEMAS } from '#lib/api/types/resources.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignore, ignoreNotFound } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import {
  AUTO_UPDATE,
  BOOTSTRAP_LEVELS,
  BOOTSTRAP_SCHEMAS,
  type BootstrapObject,
} from '#lib/server/flowcontrol/bootstrap/default.ts';
import { conditionsOf, isStray, levelOf, revised } from './decide.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const SCHEMAS = 'flowschemas';
const LEVELS = 'prioritylevelconfigurations';
const WANTED = new Map(
  [...entries(LEVELS, BOOTSTRAP_LEVELS), ...entries(SCHEMAS, BOOTSTRAP_SCHEMAS)].map((entry) => [entry.key, entry]),
);
const EVERYTHING = 'everything';
const ALL_SCHEMAS = 'schemas';

/** The clients of the controller's two parts. */
export interface FlowControlClients {
  /** Creates and maintains the configuration. */
  readonly producer: Client;
  /** Writes the condition of flow schemas that reports whether their priority levels exist. */
  readonly consumer: Client;
}

/**
 * Creates and maintains upstream's flow schemas and priority levels, and deletes those that it created but no longer wants. Sets a
 * condition of each schema that reports whether its level exists. Keys are `resource/name`, all schemas, or everything.
 */
export function flowControlController(clients: FlowControlClients, clock: Clock): Reconciler {
  return {
    name: 'flow-control',
    initial: [EVERYTHING],
    keys({ group, resource, type, name }) {
      if (group !== GROUP || (resource !== LEVELS && resource !== SCHEMAS)) return [];
      const own = `${resource}/${name}`;
      return resource === LEVELS && type !== 'MODIFIED' ? [own, ALL_SCHEMAS] : [own];
    },
    async reconcile(key) {
      if (key === EVERYTHING) await ensureAll(clients.producer);
      else if (key === ALL_SCHEMAS) await tellAll(clients.consumer, clock);
      else await reconcileOne(clients, key, clock);
      return undefined;
    },
  };
}

function entries(resource: string, objects: readonly BootstrapObject[]) {
  return objects.map((object) => ({ key: `${resource}/${object.name}`, ref: refOf(resource, object.name), object }));
}

function refOf(resource: string, name: string): ObjectRef {
  return { resource: { group: GROUP, version: 'v1', resource }, namespace: '', name };
}

/** Creates levels first, so that no schema reports a missing level. */
async function ensureAll(client: Client): Promise<void> {
  for (const resource of [LEVELS, SCHEMAS]) {
    const wanted = [...WANTED.values()].filter(({ ref }) => ref.resource.resource === resource);
    await Promise.all(wanted.map(({ ref, object }) => ensure(client, ref, object)));
  }
}

async function reconcileOne({ producer, consumer }: FlowControlClients, key: string, clock: Clock): Promise<void> {
  const [resource = '', name = ''] = key.split('/');
  const ref = refOf(resource, name);
  const wanted = WANTED.get(key);
  if (wanted === undefined) await removeStray(producer, ref);
  else await ensure(producer, ref, wanted.object);
  if (resource === SCHEMAS) await tell(consumer, ref, clock);
}

async function ensure(client: Client, ref: ObjectRef, wanted: BootstrapObject): Promise<void> {
  const current = await client.get(ref);
  if (current === undefined) {
    const metadata = { name: wanted.name, annotations: { [AUTO_UPDATE]: 'true' } };
    await client.create(ref.resource, { metadata, spec: wanted.spec }).catch(ignore('AlreadyExists'));
    return;
  }
  const object = revised(current, wanted);
  if (object !== undefined) await client.update(ref, object).catch(ignoreNotFound);
}

async function removeStray(client: Client, ref: ObjectRef): Promise<void> {
  const current = await client.get(ref);
  if (current === undefined || !isStray(current)) return;
  const seen = { uid: uidOf(current), resourceVersion: resourceVersionOf(current) };
  await client.delete(ref, seen).catch(ignoreNotFound);
}

async function tellAll(client: Client, clock: Clock): Promise<void> {
  const schemas = await client.list(FLOW_SCHEMAS);
  await Promise.all(schemas.map((schema) => tell(client, refOf(SCHEMAS, nameOf(schema)), clock)));
}

async function tell(client: Client, ref: ObjectRef, clock: Clock): Promise<void> {
  const schema = await clientset(client).get({ ...ref, resource: FLOW_SCHEMAS });
  if (schema === undefined) return;
  const level = await client.get(refOf(LEVELS, levelOf(schema)));
  const conditions = conditionsOf(schema, level !== undefined, clock.now());
  if (conditions === undefined) return;
  const metadata = { resourceVersion: resourceVersionOf(schema) };
  await client.patch(ref, { metadata, status: { conditions } }, 'status').catch(ignoreNotFound);
}
