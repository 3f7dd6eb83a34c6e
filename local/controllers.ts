import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import { WorkQueue } from '#lib/controller/work-queue.ts';
import { apiServiceController } from '#lib/controllers/api-service/reconcile.ts';
import type { Address } from '#lib/controllers/bootstrap/objects.ts';
import { bootstrapController } from '#lib/controllers/bootstrap/reconcile.ts';
import { apiextensionsController } from '#lib/controllers/apiextensions/reconcile.ts';
import { clusterRoleAggregation } from '#lib/controllers/clusterrole-aggregation/reconcile.ts';
import { certificateApprover } from '#lib/controllers/certificates/approver.ts';
import { certificateAuthority } from '#lib/controllers/certificates/authority.ts';
import { certificateCleaner } from '#lib/controllers/certificates/cleaner.ts';
import { certificateSigner } from '#lib/controllers/certificates/signer.ts';
import { cronJobController } from '#lib/controllers/cronjob/reconcile.ts';
import { deploymentController } from '#lib/controllers/deployment/reconcile.ts';
import { disruptionController } from '#lib/controllers/disruption/reconcile.ts';
import { endpointsController } from '#lib/controllers/endpoint/reconcile.ts';
import { endpointSliceController } from '#lib/controllers/endpointslice/reconcile.ts';
import { endpointSliceMirroringController } from '#lib/controllers/endpointslicemirroring/reconcile.ts';
import { eventTtlController } from '#lib/controllers/event-ttl/reconcile.ts';
import { flowControlController } from '#lib/controllers/flow-control/reconcile.ts';
import { garbageCollector } from '#lib/controllers/garbage-collector/reconcile.ts';
import { legacyServiceAccountTokenCleaner } from '#lib/controllers/legacy-service-account-token-cleaner/reconcile.ts';
import { namespaceController } from '#lib/controllers/namespace/reconcile.ts';
import { REPLICA_SET, REPLICATION_CONTROLLER } from '#lib/controllers/replicaset/kinds.ts';
import { replicaSetController } from '#lib/controllers/replicaset/reconcile.ts';
import { rootCaCertPublisher } from '#lib/controllers/root-ca-cert-publisher/reconcile.ts';
import { serviceAccountTokenController } from '#lib/controllers/service-account-token/reconcile.ts';
import { serviceAccountController } from '#lib/controllers/service-account/reconcile.ts';
import { serviceCIDRsController } from '#lib/controllers/service-cidrs/reconcile.ts';
import { serviceRepair } from '#lib/controllers/service-repair/reconcile.ts';
import { statefulSetController } from '#lib/controllers/statefulset/reconcile.ts';
import { storageProtectionControllers } from '#lib/controllers/storage-protection/reconcile.ts';
import { podGarbageCollector } from '#lib/controllers/pod-garbage-collector/reconcile.ts';
import { ttlAfterFinished } from '#lib/controllers/ttl-after-finished/reconcile.ts';
import { resourceQuotaController } from '#lib/controllers/resource-quota/reconcile.ts';
import { validatingPolicyStatus } from '#lib/controllers/validatingadmissionpolicy-status/reconcile.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { servicePools } from '#lib/registry/kinds/core/service/allocator/pools.ts';
import { LEDGERS } from '#lib/policy/resource-quota/ledger.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { bootstrap } from './bootstrap.ts';
import { ChangeFeed } from './change-feed.ts';

export interface ControllersOptions {
  /** The certificate that signs the server's, PEM: what kube-root-ca.crt holds. */
  readonly authority: string;
  /** Signs the certificates that are asked of the API, PEM. */
  readonly signer: { readonly certificate: string; readonly key: string };
  /** Where the server is reached. */
  readonly address: Address;
  readonly clock: Clock;
  /** Names of the sequences that the store has: what is in them is reconciled, whether or not anyone asks for it. */
  readonly sequences: readonly string[];
  reportFault(auditId: string, error: unknown): void;
}

const WORKERS = 8;

/** The built-in reconcilers that every control plane runs. */
function reconcilers(
  server: Apiserver,
  client: (name: string) => Client,
  { clock, authority, signer, address }: ControllersOptions,
): readonly Reconciler[] {
  const { tokenIssuer: tokens } = server;
  return [
    apiextensionsController(client('apiextensions'), clock),
    namespaceController(client('namespace'), clock),
    garbageCollector(client('generic-garbage-collector'), clock),
    serviceAccountController(client('service-account')),
    ...(tokens === undefined ? [] : [serviceAccountTokenController(client('tokens'), { tokens, authority })]),
    legacyServiceAccountTokenCleaner(client('legacy-service-account-token-cleaner'), clock),
    deploymentController(client('deployment'), clock),
    replicaSetController(client('replicaset'), clock, REPLICA_SET),
    replicaSetController(client('replication'), clock, REPLICATION_CONTROLLER),
    cronJobController(client('cronjob'), clock),
    statefulSetController(client('statefulset'), clock),
    resourceQuotaController(client('resource-quota'), server.quotaLedger, clock),
    certificateApprover(client('certificate')),
    certificateSigner(client('certificate'), clock, certificateAuthority(signer)),
    certificateCleaner(client('certificate'), clock),
    rootCaCertPublisher(client('root-ca-cert-publisher'), authority),
    clusterRoleAggregation(client('clusterrole-aggregation')),
    validatingPolicyStatus(client('validatingadmissionpolicy-status')),
    bootstrapController(client('bootstrap'), address),
    apiServiceController(client('autoregister')),
    flowControlController({ producer: client('flow-control-config'), consumer: client('flow-control-status') }, clock),
    eventTtlController(client('event-ttl'), clock),
    ...storageProtectionControllers(client('storage-protection')),
    disruptionController(client('disruption'), clock),
    podGarbageCollector(client('pod-garbage-collector'), clock),
    ttlAfterFinished(client('ttl-after-finished'), clock),
    endpointsController(client('endpoint')),
    endpointSliceController(client('endpointslice')),
    endpointSliceMirroringController(client('endpointslicemirroring'), clock),
    serviceCIDRsController(client('service-cidr'), clock),
    serviceRepair({
      client: client('service-repair'),
      clock,
      nodePorts: () => servicePools(server.storageOf, { cluster: DEFAULT_CLUSTER, now: new Date(clock.now()) }).ports,
    }),
  ];
}

/** Feeds every committed change to the reconcilers, in this process, until closed. */
export async function runControllers(
  server: Apiserver,
  options: ControllersOptions,
): Promise<{ close(): Promise<void> }> {
  const client = (name: string) =>
    apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: `${name}-controller` });
  await bootstrap(client('bootstrap'), options.address).catch((error: unknown) =>
    options.reportFault('bootstrap', error),
  );
  openAll(server, options.sequences);
  const queues = reconcilers(server, client, options).map((reconciler) => ({
    reconciler,
    queue: queueOf(reconciler, options),
  }));
  const feed = new ChangeFeed(server, options, (change: ObjectChange) => {
    for (const { reconciler, queue } of queues) for (const key of reconciler.keys(change)) queue.add(key);
  });
  const listed = feed.start().then(() => {
    for (const { reconciler, queue } of queues) {
      for (const key of reconciler.initial ?? []) queue.add(key);
      reconciler.subscribe?.((key) => queue.add(key));
      queue.start();
    }
  });
  return {
    async close() {
      await feed.close();
      await listed;
      await Promise.all(queues.map(({ queue }) => queue.close()));
    },
  };
}

function openAll(server: Apiserver, sequences: readonly string[]): void {
  for (const name of sequences) {
    const [cluster, group = '', resource] = name.split('/');
    if (cluster !== DEFAULT_CLUSTER || group === LEDGERS) continue;
    server.storageOf(resource === undefined ? { group: '', resource: 'namespaces' } : { group, resource });
  }
}

function queueOf(reconciler: Reconciler, { clock, reportFault }: ControllersOptions): WorkQueue {
  const onError = (key: string, error: unknown): void => {
    if (!isConflict(error)) reportFault(`${reconciler.name} ${key}`, error);
  };
  return new WorkQueue({ reconciler, clock, workers: WORKERS, random: Math.random, onError });
}

/** Someone wrote first: the next attempt reads what is there. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'Conflict';
}
