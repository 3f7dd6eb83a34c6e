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

/** On the pods, the claims and the last snapshot of a database: its name. */
export const DATABASE = 'databases.example.com/name';
/** On its pods: primary or replica. */
export const ROLE = 'databases.example.com/role';
const PORT = 5432;

/** What one run of a job does with the database: its name behind the database's, its arguments, and what it needs. */
export interface Task {
  readonly name: string;
  readonly version: string;
  readonly args: readonly string[];
  /** Backed up under this name first. */
  readonly backUpAs?: string;
  /** A claim to read besides that of the backups. */
  readonly source?: string;
}

export const nameIn = ({ metadata: { namespace = '', name = '' } }: KubernetesObject, suffix = ''): NamespacedName => ({
  namespace,
  name: `${name}${suffix}`,
});

/** The database's servers; the role is left to whom it is given. */
export const selectorOf = (database: KubernetesObject): Record<string, string> => ({
  [DATABASE]: database.metadata.name ?? '',
});

const imageOf = ({ spec }: SampleDB, version: string): string => `${spec.image}:${version}`;

/** The credentials, made once. */
export function secret(database: SampleDB, password: string): ApplyConfiguration<Secret> {
  return {
    ...SECRET,
    metadata: nameIn(database, '-credentials'),
    stringData: { DATABASE_USER: 'admin', DATABASE_PASSWORD: password },
  };
}

/** What a client needs besides the credentials. */
export function configMap(database: SampleDB): ConfigMap {
  const { namespace, name } = nameIn(database);
  return {
    ...CONFIG_MAP,
    metadata: nameIn(database, '-connection'),
    data: { DATABASE_HOST: `${name}.${namespace}.svc`, DATABASE_PORT: String(PORT) },
  };
}

/** One Service leads to the primary, the other names every server. */
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

/** Where backups are: it belongs to nobody, and stays when the database goes. */
export function backupsClaim(database: SampleDB): ApplyConfiguration<PersistentVolumeClaim> {
  return { ...PERSISTENT_VOLUME_CLAIM, metadata: nameIn(database, '-backups'), spec: claimSpec(database) };
}

const claimSpec = ({ spec }: SampleDB) => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: String(spec.storage) } },
});

/** The servers, in the version that the data are in. */
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

/** Backups by the clock; each is named as its job. */
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

/** The last snapshot belongs to nobody: it may take as long as it needs, however the database is deleted. */
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
