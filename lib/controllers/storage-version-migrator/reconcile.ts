import type { Client, ObjectRef } from '#lib/client/client.ts';
import { clientset, type RefOf } from '#lib/client/clientset.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import type { ServedResource } from '#lib/client/discovery.ts';
import { ignore } from '#lib/client/ignore.ts';
import { type RestMapper, restMapper } from '#lib/client/rest-mapper.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { type Condition, isConditionTrue, setCondition } from '#lib/machinery/conditions.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { arrayAt, isObject, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { creationTimeOf, metadataOf, nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { conditionsIn } from './conditions.ts';
import { beginIn, endIn } from './definition.ts';
import { MIGRATIONS, resourceOf, type StorageVersionMigration } from './migration.ts';

const NAME = 'storage-version-migrator-controller';
const METADATA = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const PAGE = 500;
const AT_ONCE = 8;
/** The time in ms in which an unserved kind may still appear, and the delay before it is discovered again. */
const PATIENCE = 60_000;
const AGAIN = 5000;
const VERBS = ['update', 'patch', 'list'];
/** Status codes of transient errors. */
const PASSING = new Set([429, 500, 503, 504]);

interface Ports {
  readonly client: Client;
  readonly clock: Clock;
  readonly mapper: RestMapper;
}

/**
 * Rewrites every object of a resource in the current storage format: upstream's storage version migrator. It stays idle unless its API is
 * served. An object that was written after the migration began is skipped.
 */
export function storageVersionMigrator(client: Client, clock: Clock): Reconciler {
  const ports: Ports = { client, clock, mapper: restMapper(client) };
  return {
    name: 'storage-version-migrator',
    maxConcurrent: 1,
    keys: ({ type, group, resource, name }) =>
      group === MIGRATIONS.group && resource === MIGRATIONS.resource && type !== 'DELETED' ? [name] : [],
    async reconcile(name) {
      const ref: Ref = { resource: MIGRATIONS, namespace: '', name };
      const migration = await clientset(client).get(ref);
      return migration === undefined || isOver(migration) ? undefined : advance(ports, ref, migration);
    },
  };
}

type Ref = RefOf<StorageVersionMigration>;

const conditionsOf = ({ status }: StorageVersionMigration): readonly Condition[] => conditionsIn(status?.conditions);

const isOver = (migration: StorageVersionMigration): boolean =>
  ['Succeeded', 'Failed'].some((type) => isConditionTrue(conditionsOf(migration), type));

/** One reconciliation records that the migration runs and from which version on. The next one migrates and writes the outcome. */
async function advance(ports: Ports, ref: Ref, migration: StorageVersionMigration): Promise<Result> {
  const { clock, mapper } = ports;
  const { group, resource } = resourceOf(migration);
  const served = await mapper.ofResource(group, resource);
  if (served === undefined) {
    const age = clock.now() - (creationTimeOf(migration)?.getTime() ?? 0);
    if (age < PATIENCE) return { requeueAfter: AGAIN };
    return finish(ports, ref, migration, failed('resource does not exist in discovery'));
  }
  const lacks = VERBS.some((verb) => !served.verbs.has(verb));
  if (lacks) return finish(ports, ref, migration, failed(unfit(served)));
  if (migration.status?.resourceVersion === undefined) return begin(ports, ref, migration, served);
  return migrate(ports, ref, migration, served);
}

async function begin(
  ports: Ports,
  ref: Ref,
  migration: StorageVersionMigration,
  served: ServedResource,
): Promise<Result> {
  const { client, clock } = ports;
  await beginIn(ports, served.resource, migration);
  const { version: resourceVersion } = await page(client, served, '', 1);
  const conditions = withConditions(migration, [RUNNING], clock);
  await client.update(ref, { ...migration, status: { ...migration.status, resourceVersion, conditions } }, 'status');
  return undefined;
}

const unfit = ({ resource: { group, version, resource } }: ServedResource): string =>
  `resource "${group}/${version}, Resource=${resource}" does not support discovery operations: [${VERBS.join(' ')}]`;

type NewCondition = Omit<Condition, 'lastTransitionTime'>;

const RUNNING: NewCondition = {
  type: 'Running',
  status: 'True',
  reason: 'MigrationRunning',
  message: 'The migration is running',
};
const STOPPED: NewCondition = {
  type: 'Running',
  status: 'False',
  reason: 'MigrationCompleted',
  message: 'Migration completed',
};
const SUCCEEDED: NewCondition = {
  type: 'Succeeded',
  status: 'True',
  reason: 'StorageVersionMigrationSucceeded',
  message: '',
};
const failed = (message: string): NewCondition => ({
  type: 'Failed',
  status: 'True',
  reason: 'StorageVersionMigrationFailed',
  message,
});

async function migrate(
  ports: Ports,
  ref: Ref,
  migration: StorageVersionMigration,
  served: ServedResource,
): Promise<Result> {
  const last = migration.status?.resourceVersion ?? '';
  try {
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { items, next } = await page(ports.client, served, token, PAGE);
      await forEachAtOnce(AT_ONCE, items, async (object) => {
        if (isAtMost(resourceVersionOf(object), last)) await rewrite(ports.client, served, object);
      });
      token = next;
    }
  } catch (error) {
    if (!(error instanceof StatusError) || PASSING.has(error.code)) throw error;
    return finish(ports, ref, migration, failed(`migration encountered unhandled error: ${error.message}`));
  }
  return finish(ports, ref, migration, SUCCEEDED);
}

/** Versions are decimal numbers that may exceed the safe integer range. */
const isAtMost = (version: string, other: string): boolean =>
  version.length === other.length ? version <= other : version.length < other.length;

/**
 * Applies an empty patch, so that the server reads the object and stores it in the current format. A concurrent write has the same effect.
 */
async function rewrite(client: Client, { resource, kind }: ServedResource, object: JsonObject): Promise<void> {
  const metadata = { uid: uidOf(object), resourceVersion: resourceVersionOf(object) };
  const ref: ObjectRef = { resource, namespace: namespaceOf(object), name: nameOf(object) };
  const nothing = { apiVersion: apiVersion(resource), kind, metadata };
  await client.apply(ref, nothing, { fieldManager: NAME }).catch(ignore('Conflict', 'NotFound'));
}

interface Page {
  /** The version of the list. */
  readonly version: string;
  readonly items: readonly JsonObject[];
  readonly next: string | undefined;
}

async function page(
  client: Client,
  { resource: { group, version, resource } }: ServedResource,
  token: string,
  limit: number,
): Promise<Page> {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const query = new URLSearchParams({ limit: String(limit), ...(token === '' ? {} : { continue: token }) });
  const list = await client.document(`${root}/${resource}?${query.toString()}`, METADATA);
  const next = stringAt(metadataOf(list), 'continue') || undefined;
  return { version: resourceVersionOf(list), items: arrayAt(list, 'items').filter(isObject), next };
}

const withConditions = (
  migration: StorageVersionMigration,
  added: readonly NewCondition[],
  clock: Clock,
): JsonObject[] =>
  added
    .reduce((all, one) => setCondition(all, one, clock.now()), conditionsOf(migration))
    .map((condition) => ({ ...condition }));

async function finish(
  ports: Ports,
  ref: Ref,
  migration: StorageVersionMigration,
  outcome: NewCondition,
): Promise<Result> {
  const isRunning = isConditionTrue(conditionsOf(migration), RUNNING.type);
  if (isRunning) await endIn(ports, resourceOf(migration), outcome === SUCCEEDED);
  const conditions = withConditions(migration, [...(isRunning ? [STOPPED] : []), outcome], ports.clock);
  await ports.client.update(ref, { ...migration, status: { ...migration.status, conditions } }, 'status');
  return undefined;
}
