import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { isSelected } from '#lib/client/controller/selection.ts';
import type { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { apiServiceController } from '#lib/controllers/api-service/reconcile.ts';
import { apiextensionsController } from '#lib/controllers/apiextensions/reconcile.ts';
import { apiserverLeaseCollector } from '#lib/controllers/apiserver-lease-gc/reconcile.ts';
import { apiServiceStatusController } from '#lib/controllers/apiservice-status/reconcile.ts';
import { attachDetach } from '#lib/controllers/attachdetach/reconcile.ts';
import type { Address, ClusterTrust } from '#lib/controllers/bootstrap/objects.ts';
import { bootstrapController } from '#lib/controllers/bootstrap/reconcile.ts';
import { bootstrapSigner, tokenCleaner } from '#lib/controllers/bootstrap-token/reconcile.ts';
import { certificateApprover } from '#lib/controllers/certificates/approver.ts';
import { type CertificateAuthority, certificateAuthority } from '#lib/controllers/certificates/authority.ts';
import { certificateCleaner } from '#lib/controllers/certificates/cleaner.ts';
import { certificateSigner } from '#lib/controllers/certificates/signer.ts';
import { clusterRoleAggregation } from '#lib/controllers/clusterrole-aggregation/reconcile.ts';
import { cronJobController } from '#lib/controllers/cronjob/reconcile.ts';
import { daemonSetController } from '#lib/controllers/daemonset/reconcile.ts';
import { deploymentController } from '#lib/controllers/deployment/reconcile.ts';
import { deviceTaintEviction } from '#lib/controllers/device-taint-eviction/reconcile.ts';
import { disruptionController } from '#lib/controllers/disruption/reconcile.ts';
import { endpointsController } from '#lib/controllers/endpoint/reconcile.ts';
import { endpointSliceController } from '#lib/controllers/endpointslice/reconcile.ts';
import { endpointSliceMirroringController } from '#lib/controllers/endpointslicemirroring/reconcile.ts';
import { ephemeralVolumeController } from '#lib/controllers/ephemeral-volume/reconcile.ts';
import { eventTtlController } from '#lib/controllers/event-ttl/reconcile.ts';
import { flowControlController } from '#lib/controllers/flow-control/reconcile.ts';
import { indexedDependents } from '#lib/controllers/garbage-collector/indexed-dependents.ts';
import { listedDependents } from '#lib/controllers/garbage-collector/listed-dependents.ts';
import { garbageCollector } from '#lib/controllers/garbage-collector/reconcile.ts';
import { orphanPods } from '#lib/controllers/job/orphans.ts';
import { jobController } from '#lib/controllers/job/reconcile.ts';
import { legacyServiceAccountTokenCleaner } from '#lib/controllers/legacy-service-account-token-cleaner/reconcile.ts';
import { namespaceController } from '#lib/controllers/namespace/reconcile.ts';
import type { NodeRange } from '#lib/controllers/node-ipam/decide.ts';
import { nodeIpam } from '#lib/controllers/node-ipam/reconcile.ts';
import { GRACE } from '#lib/controllers/node-lifecycle/health.ts';
import { nodeLifecycle } from '#lib/controllers/node-lifecycle/reconcile.ts';
import { persistentVolumeBinder } from '#lib/controllers/persistentvolume/reconcile.ts';
import { persistentVolumeExpander } from '#lib/controllers/persistentvolume-expander/reconcile.ts';
import { podAutoscaler } from '#lib/controllers/pod-autoscaler/reconcile.ts';
import { podGarbageCollector } from '#lib/controllers/pod-garbage-collector/reconcile.ts';
import { REPLICA_SET, REPLICATION_CONTROLLER } from '#lib/controllers/replicaset/kinds.ts';
import { replicaSetController } from '#lib/controllers/replicaset/reconcile.ts';
import { resourceQuotaController } from '#lib/controllers/resource-quota/reconcile.ts';
import { resourceClaimController } from '#lib/controllers/resourceclaim/reconcile.ts';
import { rootCaCertPublisher } from '#lib/controllers/root-ca-cert-publisher/reconcile.ts';
import { serviceAccountController } from '#lib/controllers/service-account/reconcile.ts';
import { serviceAccountTokenController } from '#lib/controllers/service-account-token/reconcile.ts';
import { serviceCIDRsController } from '#lib/controllers/service-cidrs/reconcile.ts';
import { serviceRepair } from '#lib/controllers/service-repair/reconcile.ts';
import { statefulSetController } from '#lib/controllers/statefulset/reconcile.ts';
import { storageProtectionControllers } from '#lib/controllers/storage-protection/reconcile.ts';
import { storageVersionMigrator } from '#lib/controllers/storage-version-migrator/reconcile.ts';
import { taintEviction } from '#lib/controllers/taint-eviction/reconcile.ts';
import { ttlController } from '#lib/controllers/ttl/reconcile.ts';
import { ttlAfterFinished } from '#lib/controllers/ttl-after-finished/reconcile.ts';
import { validatingPolicyStatus } from '#lib/controllers/validatingadmissionpolicy-status/reconcile.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { newUid } from '#lib/machinery/random.ts';
import { serviceAccountUser } from '#lib/server/authentication/service-account/user.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { CONTROLLER_ROLES } from '#lib/server/authorization/rbac/bootstrap-policy/controller-roles.ts';
import { CONTROLLERS_GROUP } from '#lib/server/authorization/rbac/bootstrap-policy/own-policy.ts';
import { servicePools } from '#lib/server/registry/kinds/core/service/allocator/pools.ts';
import type { DependentsIndex } from '#lib/storage/dependents.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';

/** The ports and settings of the built-in reconcilers, except for the client. */
export interface ReconcilerOptions {
  /** CA certificates that verify the server, PEM: the content of kube-root-ca.crt. If empty, the ConfigMap is not published. */
  readonly authority: string;
  /** The content of extension-apiserver-authentication. Default: the ConfigMap is not published. */
  readonly trust?: ClusterTrust;
  /** The CA that signs CertificateSigningRequests, PEM. Default: none. */
  readonly signer?: { readonly certificate: string; readonly key: string };
  /** The server's address. */
  readonly address: Address;
  readonly clock: Clock;
  /** Correlates the events of this process over all its reconcilers. */
  readonly events: EventCorrelator;
  /** Finds dependents in a process that does not see every change. Default: the process sees every change. */
  readonly index?: DependentsIndex;
  /** Time in ms without a heartbeat after which a node is unhealthy. Default upstream's 50 s. */
  readonly nodeMonitorGracePeriod?: number;
  /** The ranges of nodes' pod CIDRs. Default none. */
  readonly nodeRanges?: readonly NodeRange[];
}

type Core = Pick<Apiserver, 'handle' | 'tokenIssuer' | 'quotaLedger' | 'storageOf' | 'loopbackToken'> &
  Partial<Pick<Apiserver, 'availability'>>;

/** The inputs of a reconciler: clients by account, and the settings. */
interface Means extends ReconcilerOptions {
  readonly server: Core;
  /** Acts as the service account of this name in kube-system. */
  account(name: string): Client;
  /** Acts as the server itself. The name becomes the field manager of its writes. */
  self(name: string): Client;
}

type Make = (means: Means) => Reconciler | readonly Reconciler[];

/** Caches CAs, because reconcilers are created often. */
const authorities = new WeakMap<object, CertificateAuthority>();

function authorityOf(signer: NonNullable<ReconcilerOptions['signer']>): CertificateAuthority {
  const authority = authorities.get(signer) ?? certificateAuthority(signer);
  authorities.set(signer, authority);
  return authority;
}

/** Reconcilers of upstream's controller manager, by upstream's controller names. `--controllers` selects which of them run. */
const CONTROLLERS: Readonly<Record<string, Make>> = {
  'bootstrap-signer-controller': ({ account, clock }) => bootstrapSigner(account('bootstrap-signer'), clock),
  'certificatesigningrequest-approving-controller': ({ account, clock, events }) =>
    certificateApprover(account('certificate-controller'), clock, events),
  'certificatesigningrequest-cleaner-controller': ({ account, clock }) =>
    certificateCleaner(account('certificate-controller'), clock),
  'certificatesigningrequest-signing-controller': ({ account, clock, signer }) =>
    signer === undefined ? [] : certificateSigner(account('certificate-controller'), clock, authorityOf(signer)),
  'clusterrole-aggregation-controller': ({ account }) =>
    clusterRoleAggregation(account('clusterrole-aggregation-controller')),
  'cronjob-controller': ({ account, clock, events }) => cronJobController(account('cronjob-controller'), clock, events),
  'daemonset-controller': ({ account, clock, events }) =>
    daemonSetController(account('daemon-set-controller'), clock, events),
  'deployment-controller': ({ account, clock, events }) =>
    deploymentController(account('deployment-controller'), clock, events),
  'device-taint-eviction-controller': ({ account, clock, events }) =>
    deviceTaintEviction(account('device-taint-eviction-controller'), clock, events),
  'disruption-controller': ({ account, clock, events }) =>
    disruptionController(account('disruption-controller'), clock, events),
  'endpoints-controller': ({ account, events }) => endpointsController(account('endpoint-controller'), events),
  'endpointslice-controller': ({ account, events }) =>
    endpointSliceController(account('endpointslice-controller'), events),
  'endpointslice-mirroring-controller': ({ account, clock, events }) =>
    endpointSliceMirroringController(account('endpointslicemirroring-controller'), clock, events),
  'ephemeral-volume-controller': ({ account, clock, events }) =>
    ephemeralVolumeController(account('ephemeral-volume-controller'), clock, events),
  'garbage-collector-controller': ({ account, clock, events, index }) => {
    const client = account('generic-garbage-collector');
    if (index === undefined) return garbageCollector(client, clock, events);
    const dependents = { known: indexedDependents(client, index), all: listedDependents(client) };
    return garbageCollector(client, clock, events, dependents);
  },
  'horizontal-pod-autoscaler-controller': ({ account, clock, events }) =>
    podAutoscaler(account('horizontal-pod-autoscaler'), clock, events),
  'job-controller': ({ account, clock, events }) => [
    jobController(account('job-controller'), clock, events),
    orphanPods(account('job-controller')),
  ],
  'legacy-serviceaccount-token-cleaner-controller': ({ self, clock }) =>
    legacyServiceAccountTokenCleaner(self('kube-controller-manager'), clock),
  'namespace-controller': ({ account, clock }) => namespaceController(account('namespace-controller'), clock),
  'node-ipam-controller': ({ account, self, clock, events, nodeRanges }) => {
    if (nodeRanges === undefined) return [];
    const clients = { client: account('node-controller'), keeper: self('kube-controller-manager') };
    return nodeIpam(clients, clock, nodeRanges, events);
  },
  'node-lifecycle-controller': ({ account, clock, events, nodeMonitorGracePeriod: monitor = GRACE.monitor }) =>
    nodeLifecycle(account('node-controller'), clock, { ...GRACE, monitor }, { events }),
  'persistentvolume-attach-detach-controller': ({ account, self, clock, events }) =>
    attachDetach(
      { client: account('attachdetach-controller'), keeper: self('kube-controller-manager') },
      clock,
      events,
    ),
  'persistentvolume-binder-controller': ({ account, clock, events }) =>
    persistentVolumeBinder(account('persistent-volume-binder'), clock, events),
  'persistentvolume-expander-controller': ({ account, clock, events }) =>
    persistentVolumeExpander(account('expand-controller'), clock, events),
  'persistentvolume-protection-controller': ({ account }) =>
    protection('persistentvolume-protection', account('pv-protection-controller')),
  'persistentvolumeclaim-protection-controller': ({ account }) =>
    protection('persistentvolumeclaim-protection', account('pvc-protection-controller')),
  'pod-garbage-collector-controller': ({ account, clock }) =>
    podGarbageCollector(account('pod-garbage-collector'), clock),
  'replicaset-controller': ({ account, clock, events }) =>
    replicaSetController(account('replicaset-controller'), clock, REPLICA_SET, events),
  'replicationcontroller-controller': ({ account, clock, events }) =>
    replicaSetController(account('replication-controller'), clock, REPLICATION_CONTROLLER, events),
  'resourceclaim-controller': ({ account, clock, events }) =>
    resourceClaimController(account('resource-claim-controller'), clock, events),
  'resourcequota-controller': ({ account, clock, server }) =>
    resourceQuotaController(account('resourcequota-controller'), server.quotaLedger, clock),
  'root-ca-certificate-publisher-controller': ({ account, authority }) =>
    authority === '' ? [] : rootCaCertPublisher(account('root-ca-cert-publisher'), authority),
  'service-cidr-controller': ({ account, clock, events }) =>
    serviceCIDRsController(account('service-cidrs-controller'), clock, events),
  'serviceaccount-controller': ({ account }) => serviceAccountController(account('service-account-controller')),
  'serviceaccount-token-controller': ({ self, server: { tokenIssuer: tokens }, authority }) =>
    tokens === undefined ? [] : serviceAccountTokenController(self('kube-controller-manager'), { tokens, authority }),
  'statefulset-controller': ({ account, clock, events }) =>
    statefulSetController(account('statefulset-controller'), clock, events),
  'storage-version-migrator-controller': ({ self, clock }) =>
    storageVersionMigrator(self('kube-controller-manager'), clock),
  'taint-eviction-controller': ({ account, clock, events }) => taintEviction(account('node-controller'), clock, events),
  'token-cleaner-controller': ({ account, clock }) => tokenCleaner(account('token-cleaner'), clock),
  'ttl-after-finished-controller': ({ account, clock }) =>
    ttlAfterFinished(account('ttl-after-finished-controller'), clock),
  'ttl-controller': ({ account }) => ttlController(account('ttl-controller')),
  'validatingadmissionpolicy-status-controller': ({ account }) =>
    validatingPolicyStatus(account('validatingadmissionpolicy-status-controller')),
  'volumeattributesclass-protection-controller': ({ account }) =>
    protection('volumeattributesclass-protection', account('volumeattributesclass-protection-controller')),
};

/** Reconcilers that upstream's API server runs itself. They always run, as the server's own user. */
const SERVER: readonly Make[] = [
  ({ self, clock }) => apiextensionsController(self('kube-apiserver'), clock),
  ({ self, address, trust = { clientAuthority: '' } }) => bootstrapController(self('kube-apiserver'), address, trust),
  ({ self }) => apiServiceController(self('kube-apiserver')),
  ({ self, clock, server: { availability } }) =>
    availability === undefined ? [] : apiServiceStatusController(self('kube-apiserver'), clock, availability),
  ({ self, clock }) =>
    flowControlController(
      {
        producer: self('api-priority-and-fairness-config-producer-v1'),
        consumer: self('api-priority-and-fairness-config-consumer-v1'),
      },
      clock,
    ),
  ({ self, clock }) => apiserverLeaseCollector(self('kube-apiserver'), clock),
  ({ self, clock }) => eventTtlController(self('kube-apiserver'), clock),
  ({ self, clock, server }) =>
    serviceRepair({
      client: self('kube-apiserver'),
      clock,
      nodePorts: () => servicePools(server.storageOf, { cluster: DEFAULT_CLUSTER, now: new Date(clock.now()) }).ports,
    }),
];

/** Reconcilers that run only if named, as in upstream. */
const OFF: readonly string[] = ['bootstrap-signer-controller', 'token-cleaner-controller'];

/** Accounts of controllers whose roles are not cluster-wide. */
const OTHER_ACCOUNTS: readonly string[] = ['bootstrap-signer', 'token-cleaner'];

/** The names that `--controllers` accepts. */
export const CONTROLLER_NAMES: readonly string[] = Object.keys(CONTROLLERS);

/** Bearer tokens of the built-in reconcilers in this process. Each token authenticates the service account with the reconciler's role. */
export class ControllerTokens {
  readonly #byAccount = new Map(
    [...Object.keys(CONTROLLER_ROLES), ...OTHER_ACCOUNTS].map((account) => [account, newUid()]),
  );

  /** Throws TypeError if the account has no role. */
  of(account: string): string {
    const token = this.#byAccount.get(account);
    if (token === undefined) throw new TypeError(`no controller acts as ${account}`);
    return token;
  }

  /** The tokens and their users, for the server that accepts them. */
  users(): [token: string, user: User][] {
    return Array.from(this.#byAccount, ([account, token]) => {
      const { name, groups } = serviceAccountUser({ namespace: 'kube-system', account: { name: account, uid: '' } });
      return [token, { name, groups: [...groups, CONTROLLERS_GROUP] }];
    });
  }
}

/** The reconcilers of a control plane: the server's own, and the selected controllers (`isSelected`). */
export function builtInReconcilers(
  server: Core,
  tokens: ControllerTokens,
  options: ReconcilerOptions & { readonly controllers: readonly string[] },
): readonly Reconciler[] {
  const { handle, loopbackToken } = server;
  const means: Means = {
    ...options,
    server,
    account: (name) => apiClient({ handle, token: tokens.of(name), userAgent: `kube-controller-manager/${name}` }),
    self: (name) => apiClient({ handle, token: loopbackToken, userAgent: name }),
  };
  const chosen = CONTROLLER_NAMES.filter((name) => isSelected(name, options.controllers, OFF));
  return [...SERVER, ...chosen.map((name) => CONTROLLERS[name] as Make)].flatMap((make) => make(means));
}

/** Returns the names of reconcilers that do not run because their controllers are disabled. */
export function switchedOff(...[server, tokens, options]: Parameters<typeof builtInReconcilers>): ReadonlySet<string> {
  const { nodeRanges = [] } = options;
  const all = builtInReconcilers(server, tokens, { ...options, nodeRanges, controllers: CONTROLLER_NAMES });
  const chosen = builtInReconcilers(server, tokens, options);
  return new Set(namesOf(all)).difference(new Set(namesOf(chosen)));
}

const namesOf = (reconcilers: readonly Reconciler[]): string[] => reconcilers.map(({ name }) => name);

const protection = (name: string, client: Client): readonly Reconciler[] =>
  storageProtectionControllers(client).filter((reconciler) => reconciler.name === name);
