import {
  type ApplyConfiguration,
  CONFIG_MAP,
  type ConfigMap,
  CRON_JOB,
  type CronJob,
  JOB,
  type Job,
  PERSISTENT_VOLUME_CLAIM,
  type PersistentVolumeClaim,
  SECRET,
  SERVICE,
  type Secret,
  type Service,
  STATEFUL_SET,
  type StatefulSet,
} from '@davit-dev/davit/api';
import type { KubernetesObject, NamespacedName } from '@davit-dev/davit/controller';
import type { SampleDB } from './kinds.ts';

/** Label of a database's pods, claims and final snapshot: the database's name. */
export const DATABASE = 'databases.example.com/name';
/** Label of its pods: primary or replica. */
export const ROLE = 'databases.example.com/role';
const PORT = 5432;

/** One run of a job on the database. The job's name is the database's name followed by the task's. */
export interface Task {
  readonly name: string;
  readonly version: string;
  readonly args: readonly string[];
  /** If set, a backup with this name is made first. */
  readonly backUpAs?: string;
  /** An additional claim to read from, besides the claim for backups. */
  readonly source?: string;
}

export const nameIn = ({ metadata: { namespace = '', name = '' } }: KubernetesObject, suffix = ''): NamespacedName => ({
  namespace,
  name: `${name}${suffix}`,
});

/** Selects all servers of the database, regardless of their role. */
export const selectorOf = (database: KubernetesObject): Record<string, string> => ({
  [DATABASE]: database.metadata.name ?? '',
});

const imageOf = ({ spec }: SampleDB, version: string): string => `${spec.image}:${version}`;

/** The credentials, created once. */
export function secret(database: SampleDB, password: string): ApplyConfiguration<Secret> {
  return {
    ...SECRET,
    metadata: nameIn(database, '-credentials'),
    stringData: { DATABASE_USER: 'admin', DATABASE_PASSWORD: password },
  };
}

/** The connection settings that a client needs in addition to the credentials. */
export function configMap(database: SampleDB): ConfigMap {
  const { namespace, name } = nameIn(database);
  return {
    ...CONFIG_MAP,
    metadata: nameIn(database, '-connection'),
    data: { DATABASE_HOST: `${name}.${namespace}.svc`, DATABASE_PORT: String(PORT) },
  };
}

/** One Service selects the primary. The headless one resolves to every server. */
export function services(database: SampleDB): readonly ApplyConfiguration<Service>[] {
  const ports = [{ name: 'sampledb', port: PORT }];
  const selector = selectorOf(database);
  return [
    { ...SERVICE, metadata: nameIn(database), spec: { selector: { ...selector, [ROLE]: 'primary' }, ports } },
    {
      ...SERVICE,
      metadata: nameIn(database, '-servers'),
      spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector, ports },
    },
  ];
}

/** The claim for backups. It has no owner, so it survives the deletion of the database. */
export function backupsClaim(database: SampleDB): ApplyConfiguration<PersistentVolumeClaim> {
  return { ...PERSISTENT_VOLUME_CLAIM, metadata: nameIn(database, '-backups'), spec: claimSpec(database) };
}

const claimSpec = ({ spec }: SampleDB) => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: String(spec.storage) } },
});

/** The servers, which run the version of the stored data. */
export function statefulSet(database: SampleDB, version: string): ApplyConfiguration<StatefulSet> {
  const labels = selectorOf(database);
  const server = {
    name: 'sampledb',
    image: imageOf(database, version),
    args: ['serve', '--data=/data'],
    envFrom: environment(database),
    ports: [{ name: 'sampledb', containerPort: PORT }],
    readinessProbe: { tcpSocket: { port: 'sampledb' } },
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  };
  return {
    ...STATEFUL_SET,
    metadata: nameIn(database),
    spec: {
      replicas: database.spec.replicas,
      serviceName: nameIn(database, '-servers').name,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [server] } },
      volumeClaimTemplates: [{ metadata: { name: 'data', labels }, spec: claimSpec(database) }],
    },
  };
}

/** Scheduled backups. Each has the name of its job. */
export function backups(database: SampleDB, version: string): ApplyConfiguration<CronJob> {
  const { schedule = '', timeZone, keep = 3 } = database.spec.backup ?? {};
  const task: Task = { name: 'backup', version, args: ['backup', '/backups/$(JOB_NAME)'] };
  return {
    ...CRON_JOB,
    metadata: nameIn(database, '-backup'),
    spec: {
      schedule,
      ...(timeZone === undefined ? {} : { timeZone }),
      concurrencyPolicy: 'Forbid',
      successfulJobsHistoryLimit: keep,
      jobTemplate: { spec: jobSpec(database, task) },
    },
  };
}

export function job(database: SampleDB, task: Task): ApplyConfiguration<Job> {
  return {
    ...JOB,
    metadata: nameIn(database, `-${task.name}`),
    spec: jobSpec(database, task),
  };
}

/** The final snapshot. It has no owner, so it can finish even if the database is deleted with foreground propagation. */
export function snapshot(database: SampleDB, version: string): ApplyConfiguration<Job> {
  const name = `snapshot-${database.metadata.uid?.slice(0, 8)}`;
  const made = job(database, { name, version, args: ['backup', '/backups/$(JOB_NAME)'] });
  return { ...made, metadata: { ...made.metadata, labels: selectorOf(database) } };
}

function jobSpec(
  database: SampleDB,
  { version, args, backUpAs, source }: Task,
): NonNullable<ApplyConfiguration<Job>['spec']> {
  const container = {
    image: imageOf(database, version),
    envFrom: environment(database),
    env: [
      { name: 'JOB_NAME', valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-name']" } } },
    ],
    volumeMounts: [
      { name: 'backups', mountPath: '/backups' },
      ...(source === undefined ? [] : [{ name: 'source', mountPath: '/source', readOnly: true }]),
    ],
  };
  const before = { ...container, name: 'backup', args: ['backup', `/backups/${backUpAs}`] };
  const volumes = [
    claimVolume('backups', nameIn(database, '-backups').name),
    ...(source === undefined ? [] : [claimVolume('source', source)]),
  ];
  return {
    backoffLimit: 3,
    template: {
      spec: {
        restartPolicy: 'Never',
        ...(backUpAs === undefined ? {} : { initContainers: [before] }),
        containers: [{ ...container, name: 'sampledb', args }],
        volumes,
      },
    },
  };
}

const claimVolume = (name: string, claimName: string) => ({ name, persistentVolumeClaim: { claimName } });

const environment = (database: SampleDB) => [
  { configMapRef: { name: nameIn(database, '-connection').name } },
  { secretRef: { name: nameIn(database, '-credentials').name } },
];
