import { randomBytes } from 'node:crypto';
import {
  type ApplyConfiguration,
  CONFIG_MAP,
  CRON_JOB,
  type CronJob,
  JOB,
  type Job,
  NAMESPACE,
  PERSISTENT_VOLUME_CLAIM,
  POD,
  type Pod,
  SECRET,
  SERVICE,
  STATEFUL_SET,
  type StatefulSet,
} from '@davit-dev/davit/api';
import {
  addFinalizer,
  type Condition,
  type Context,
  defineReconciler,
  hasFinalizer,
  isConditionTrue,
  type Kind,
  type KubernetesObject,
  type NamespacedName,
  type Result,
  removeFinalizer,
  StatusError,
  setCondition,
  setControllerReference,
} from '@davit-dev/davit/controller';
import { SAMPLE_DB, type SampleDB, type Status } from './kinds.ts';
import * as objects from './objects.ts';
import { DATABASE, nameIn, ROLE, type Task } from './objects.ts';

const FINALIZER = 'databases.example.com/snapshot';
type World = Context<SampleDB>;

/** Manages databases: servers and their claims, initial configuration, backups, upgrades, a single primary, and a final snapshot. */
export const sampledb = defineReconciler<SampleDB>(
  {
    name: 'sampledb',
    for: SAMPLE_DB,
    owns: [STATEFUL_SET, JOB, CRON_JOB, SERVICE, CONFIG_MAP, SECRET],
    watches: [POD, PERSISTENT_VOLUME_CLAIM, JOB].map((kind) => ({ ...kind, map: { label: DATABASE } })),
    permissions: [
      { apiGroups: [''], resources: ['pods'], verbs: ['patch'] }, // sets the role label
      { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['create', 'delete'] },
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
    ],
  },
  async (_request, world) => {
    const found = await world.object();
    if (found === undefined) return undefined;
    if (found.metadata.deletionTimestamp !== undefined) return end(found, world);
    return keep(await addFinalizer(world.client, found, FINALIZER), world);
  },
);

/** Reconciles a database that is not being deleted. Creates missing objects and runs the next job, if any. */
async function keep(found: SampleDB, world: World): Promise<Result> {
  const database =
    found.status?.version === undefined ? await tell(found, world, { version: found.spec.version }) : found;
  const version = database.status?.version ?? database.spec.version;
  await foundation(database, world);
  const set = await own<StatefulSet>(database, world, objects.statefulSet(database, version));
  const lastBackup = await backUp(database, world, version);
  const primary = await electPrimary(database, world);
  const step = nextStep(database, version);
  const outcome = step === undefined || primary === undefined ? 'waiting' : await perform(database, world, step);
  if (step !== undefined && outcome === 'done') return keep(await tell(database, world, step.done(world)), world);
  const { replicas, readyReplicas = 0 } = set.status;
  const isReady = step === undefined && readyReplicas === database.spec.replicas;
  const reason = isReady ? 'Ready' : outcome === 'failed' ? 'TaskFailed' : (step?.reason ?? 'Starting');
  await tell(database, world, {
    primary: primary?.metadata.name ?? null,
    replicas,
    readyReplicas,
    selector: `${DATABASE}=${database.metadata.name}`,
    ...(lastBackup === undefined ? {} : { lastBackup }),
    ...condition(database, world, { type: 'Ready', status: isReady ? 'True' : 'False', reason }),
  });
  if (outcome === 'failed') return { terminal: `the job ${database.metadata.name}-${step?.name} failed` };
  if (isNewer(version, database.spec.version))
    return { terminal: `the data are in version ${version}: there is no way back` };
  return undefined;
}

/** Creates the objects that servers and jobs refer to. */
async function foundation(database: SampleDB, world: World): Promise<void> {
  const password = randomBytes(18).toString('base64url');
  await createOnce(world, setControllerReference(database, objects.secret(database, password)));
  await createOnce(world, objects.backupsClaim(database));
  for (const object of [objects.configMap(database), ...objects.services(database)]) await own(database, world, object);
}

/** Creates the object only if it does not exist, so that a password, backups or a running job stay unchanged. */
async function createOnce<T extends KubernetesObject>({ client }: World, object: ApplyConfiguration<T>): Promise<T> {
  return (await client.get<T>(object, nameIn(object))) ?? client.create<T>(object);
}

const own = <T extends KubernetesObject>(
  database: SampleDB,
  { client }: World,
  object: ApplyConfiguration<T>,
): Promise<T> => client.apply<T>(setControllerReference(database, object));

/**
 * Maintains the cron job if the spec requests backups and data exist; otherwise deletes it. Returns the time of the last successful backup.
 */
async function backUp(database: SampleDB, world: World, version: string): Promise<string | undefined> {
  if (database.spec.backup === undefined || !isConfigured(database)) {
    await remove(world, CRON_JOB, nameIn(database, '-backup'));
    return undefined;
  }
  return (await own<CronJob>(database, world, objects.backups(database, version))).status?.lastSuccessfulTime;
}

/**
 * The primary stays primary while it is ready. Otherwise the first ready server takes over. All others become replicas first, so there are
 * never two primaries.
 */
async function electPrimary(database: SampleDB, { client }: World): Promise<Pod | undefined> {
  const pods = (await serversOf(database, client)).sort((a, b) => ordinalOf(a) - ordinalOf(b));
  const able = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && isReady(pod));
  const primary = able.find((pod) => roleOf(pod) === 'primary') ?? able[0];
  for (const pod of pods) if (pod !== primary) await giveRole(client, pod, 'replica');
  if (primary !== undefined) await giveRole(client, primary, 'primary');
  return primary;
}

const serversOf = ({ metadata: { namespace = '', name } }: SampleDB, client: World['client']): Promise<Pod[]> =>
  client.list(POD, { namespace, labelSelector: `${DATABASE}=${name}` });
const ordinalOf = ({ metadata: { name = '' } }: Pod): number => Number(/\d+$/.exec(name)?.[0] ?? 0);
const roleOf = (pod: Pod): string | undefined => pod.metadata.labels?.[ROLE];
const isReady = (pod: Pod): boolean => isConditionTrue(pod.status?.conditions, 'Ready');

async function giveRole(client: World['client'], pod: Pod, role: string): Promise<void> {
  if (roleOf(pod) === role) return;
  await client.patch(POD, nameIn(pod), { metadata: { uid: pod.metadata.uid, labels: { [ROLE]: role } } });
}

interface Step extends Task {
  /** Why the database is not ready during this step. */
  readonly reason: string;
  /** The status after the step is done. */
  done(world: World): Status;
}

/** The next step, if any, that brings the data into the state of the spec. */
function nextStep(database: SampleDB, version: string): Step | undefined {
  const { restoreFrom, version: wanted } = database.spec;
  if (!isConfigured(database)) {
    const done = (world: World): Status =>
      condition(database, world, { type: 'Configured', status: 'True', reason: 'Done' });
    if (restoreFrom === undefined) return { name: 'setup', reason: 'Configuring', version, args: ['setup'], done };
    const args = ['restore', `/source/${restoreFrom.backup}`];
    return { name: 'restore', reason: 'Restoring', version, args, source: restoreFrom.claim, done };
  }
  if (!isNewer(wanted, version)) return undefined;
  const dashed = wanted.replaceAll('.', '-');
  const upgrade = { name: `upgrade-${dashed}`, version: wanted, backUpAs: `before-${dashed}` };
  return { ...upgrade, reason: 'Upgrading', args: ['upgrade'], done: () => ({ version: wanted }) };
}

const isConfigured = ({ status }: SampleDB): boolean => isConditionTrue(status?.conditions, 'Configured');

function isNewer(a: string, b: string): boolean {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.split('.').map(Number);
  return majorA > majorB || (majorA === majorB && minorA > minorB);
}

type Outcome = 'waiting' | 'done' | 'failed';

async function perform(database: SampleDB, world: World, step: Step): Promise<Outcome> {
  const { conditions } =
    (await createOnce<Job>(world, setControllerReference(database, objects.job(database, step)))).status ?? {};
  if (isConditionTrue(conditions, 'Failed')) return 'failed';
  if (!isConditionTrue(conditions, 'Complete')) return 'waiting';
  const note = `The job ${database.metadata.name}-${step.name} is done`;
  await world.events.event(database, { type: 'Normal', reason: 'TaskDone', action: step.reason, note });
  return 'done';
}

/** Takes a snapshot, then deletes the servers, then their claims. Backups stay. */
async function end(database: SampleDB, world: World): Promise<Result> {
  const { client } = world;
  if (!hasFinalizer(database, FINALIZER)) return undefined;
  await remove(world, CRON_JOB, nameIn(database, '-backup'));
  if (await isSnapshotDue(database, world)) {
    const outcome = await takeSnapshot(database, world);
    if (outcome === 'failed') return { terminal: 'the snapshot failed: delete its job, or set finalSnapshot to false' };
    if (outcome === 'waiting') return undefined;
  }
  await remove(world, STATEFUL_SET, nameIn(database));
  if ((await serversOf(database, client)).length > 0) return undefined;
  const { namespace = '', name } = database.metadata;
  const claims = await client.list(PERSISTENT_VOLUME_CLAIM, { namespace, labelSelector: `${DATABASE}=${name}` });
  for (const claim of claims) await remove(world, PERSISTENT_VOLUME_CLAIM, nameIn(claim));
  if (claims.length === 0) await removeFinalizer(client, database, FINALIZER);
  return undefined;
}

/** A database that was never configured has no data to save. In a terminating namespace, no snapshot can be created. */
async function isSnapshotDue(database: SampleDB, { client }: World): Promise<boolean> {
  const { conditions } = database.status ?? {};
  if (!database.spec.finalSnapshot || !isConfigured(database)) return false;
  if (isConditionTrue(conditions, 'SnapshotTaken')) return false;
  const { namespace: name = '' } = database.metadata;
  return (await client.get(NAMESPACE, { namespace: '', name }))?.metadata.deletionTimestamp === undefined;
}

async function takeSnapshot(database: SampleDB, world: World): Promise<Outcome> {
  const version = database.status?.version ?? database.spec.version;
  const { conditions } = (await createOnce<Job>(world, objects.snapshot(database, version))).status ?? {};
  if (isConditionTrue(conditions, 'Failed')) return 'failed';
  if (!isConditionTrue(conditions, 'Complete')) return 'waiting';
  await tell(database, world, condition(database, world, { type: 'SnapshotTaken', status: 'True', reason: 'Done' }));
  return 'done';
}

/** Deletes the object if it exists and is not already being deleted. */
async function remove({ client }: World, kind: Kind, name: NamespacedName): Promise<void> {
  const found = await client.get(kind, name);
  if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
  await client.delete(kind, name, { propagationPolicy: 'Background' }).catch(unlessGone);
}

function unlessGone(error: unknown): void {
  if (!(error instanceof StatusError) || error.code !== 404) throw error;
}

function condition(
  { status, metadata: { generation } }: SampleDB,
  { clock }: World,
  made: Pick<Condition, 'type' | 'status' | 'reason'>,
): Status {
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  return { conditions: setCondition(status?.conditions, { ...made, message: '', ...observed }, clock.now()) };
}

const tell = (database: SampleDB, { client }: World, status: Status): Promise<SampleDB> =>
  client.patchStatus(SAMPLE_DB, nameIn(database), status);
