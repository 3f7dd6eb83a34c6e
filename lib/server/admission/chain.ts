import type { Clock } from '#lib/machinery/clock.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { QuotaLedger } from '#lib/server/policy/resource-quota/ledger.ts';
import type { Admission } from '#lib/server/registry/admission.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import { type Lookup, storageLookup } from '#lib/storage/lookup.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import { type AdmissionPlugin, admissionBy } from './admission.ts';
import type { AdmissionConfiguration } from './configuration.ts';
import { type Equivalents, Matcher } from './matching/matcher.ts';
import type { AdmissionMetrics } from './metrics.ts';
import { isSelected, type PluginSelection } from './plugin-names.ts';
import { alwaysAdmit } from './plugins/always-admit.ts';
import { alwaysDeny } from './plugins/always-deny.ts';
import { alwaysPullImages } from './plugins/always-pull-images.ts';
import { certificateApproval } from './plugins/certificate-approval.ts';
import { certificateSigning } from './plugins/certificate-signing.ts';
import { certificateSubjectRestriction } from './plugins/certificate-subject-restriction.ts';
import { clusterTrustBundleAttest } from './plugins/cluster-trust-bundle-attest.ts';
import { defaultIngressClass } from './plugins/default-ingress-class.ts';
import { defaultStorageClass } from './plugins/default-storage-class.ts';
import { defaultTolerationSeconds } from './plugins/default-toleration-seconds.ts';
import { denyServiceExternalIPs } from './plugins/deny-service-external-ips.ts';
import { deviceAdminAccess } from './plugins/device-admin-access.ts';
import { eventRateLimit } from './plugins/event-rate-limit.ts';
import { extendedResourceToleration } from './plugins/extended-resource-toleration.ts';
import { imagePolicyWebhook } from './plugins/image-policy-webhook.ts';
import { limitPodHardAntiAffinityTopology } from './plugins/limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './plugins/limit-ranger.ts';
import { mutatingAdmissionPolicy } from './plugins/mutating-admission-policy.ts';
import { mutatingAdmissionWebhook } from './plugins/mutating-admission-webhook.ts';
import { namespaceAutoProvision } from './plugins/namespace-auto-provision.ts';
import { namespaceExists } from './plugins/namespace-exists.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
import { nodeDeclaredFeatureValidator } from './plugins/node-declared-feature-validator.ts';
import { nodeRestriction } from './plugins/node-restriction.ts';
import { ownerReferencesPermissionEnforcement } from './plugins/owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.ts';
import { podNodeSelector } from './plugins/pod-node-selector.ts';
import { podResizeValidator } from './plugins/pod-resize-validator.ts';
import { podSecurity } from './plugins/pod-security.ts';
import { podTolerationRestriction } from './plugins/pod-toleration-restriction.ts';
import { podTopologyLabels } from './plugins/pod-topology-labels.ts';
import { priority } from './plugins/priority.ts';
import { resourceQuota } from './plugins/resource-quota.ts';
import { runtimeClass } from './plugins/runtime-class.ts';
import { serviceAccount } from './plugins/service-account.ts';
import { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';
import { validatingAdmissionPolicy } from './plugins/validating-admission-policy.ts';
import { validatingAdmissionWebhook } from './plugins/validating-admission-webhook.ts';
import { type ParamPorts, Params } from './policy/params.ts';
import { type Registrations, registrations } from './registrations.ts';

/** The ports and configuration of all plugins. */
export interface AdmissionPorts {
  readonly storageOf: StorageOf;
  readonly cluster: string;
  readonly clock: Clock;
  readonly quotaLedger: QuotaLedger;
  /** Decides the authorization checks of policies and conditions. */
  readonly authorizer: Authorizer;
  readonly equivalents: Equivalents;
  readonly resourceOfKind: ParamPorts['resourceOfKind'];
  /** Without it no webhook is called. */
  readonly webhooks: WebhookClient | undefined;
  readonly plugins: PluginSelection;
  readonly configuration: AdmissionConfiguration;
  makeNamespace(name: string): Promise<void>;
  readonly metrics: AdmissionMetrics;
}

/** Admission by the plugins that run. */
export function admissionChain(ports: AdmissionPorts): Admission {
  const { metrics } = ports;
  return admissionBy({ plugins: selectedPlugins(ports).map((plugin) => metrics.observed(plugin)), step: metrics.step });
}

/** The plugins that run, in upstream's order (`AllOrderedPlugins`). */
export function selectedPlugins(ports: AdmissionPorts): readonly AdmissionPlugin[] {
  return allPlugins(ports, storageLookup(ports)).filter(({ name }) => isSelected(name, ports.plugins));
}

function allPlugins(ports: AdmissionPorts, lookup: Lookup): readonly AdmissionPlugin[] {
  const { authorizer, clock, configuration } = ports;
  const registered = registrations(ports);
  return [
    alwaysAdmit, // does nothing, anywhere
    namespaceAutoProvision(lookup, ports.makeNamespace), // before plugins that require the namespace
    namespaceLifecycle(lookup), // first of those that are on: without a namespace nothing else is worth a look
    namespaceExists(lookup), // less of the same
    limitPodHardAntiAffinityTopology, // judges only
    limitRanger(lookup), // before quotas count what it fills in
    serviceAccount(lookup, clock), // before policies that judge the volumes that it adds
    nodeRestriction(lookup, authorizer), // before anything is added to what a node may not write
    taintNodesByCondition, // after a node's right to write itself is checked
    alwaysPullImages, // before policies that judge images
    imagePolicyWebhook({ ...ports, imagePolicy: configuration.imagePolicy }), // judges only, what others made of the images
    podSecurity({ lookup, clock, configuration: configuration.podSecurity, metrics: ports.metrics.podSecurity }), // judges only, what all others made of the pod
    podNodeSelector(lookup, configuration.nodeSelectors), // before a runtime class merges a selector of its own
    priority(lookup), // before quotas, which count by priority class
    defaultTolerationSeconds, // before a runtime class merges tolerations of its own
    podTolerationRestriction(lookup, configuration.tolerations), // after the defaults that it judges with the pod's own
    eventRateLimit(clock, configuration.eventLimits), // judges only
    extendedResourceToleration, // after what restricts tolerations: these are needed
    defaultStorageClass(lookup), // before quotas, which count by storage class
    storageObjectInUseProtection, // any place will do: nothing else touches finalizers
    ownerReferencesPermissionEnforcement(ports), // judges only
    persistentVolumeClaimResize(lookup), // judges only, when defaults are in
    runtimeClass(lookup), // after DefaultTolerationSeconds: the wider toleration wins
    certificateApproval(ports.authorizer), // judges only: who decides on a request
    certificateSigning(ports.authorizer), // judges only: who answers it
    clusterTrustBundleAttest(ports.authorizer), // judges only: who says whom to trust
    certificateSubjectRestriction, // judges only, after the right to the signer is checked
    deviceAdminAccess(lookup), // judges only: upstream's strategies of claims do it
    defaultIngressClass(lookup), // any place will do: nothing else touches ingresses
    denyServiceExternalIPs, // judges only
    podTopologyLabels(lookup), // so that none before it sees labels of the node's
    nodeDeclaredFeatureValidator(lookup), // judges only, what an update asks of the node
    podResizeValidator(lookup), // judges only, what a resize asks of the node
    ...dynamic(ports, registered, lookup), // see what the server's own plugins made of the object
    resourceQuota({ ...ports, lookup, limited: configuration.limitedResources }), // nothing is counted that another refuses
    alwaysDeny, // last, so that all others were asked
  ];
}

/** The plugins of registered policies and webhooks; upstream's order: policies before webhooks. */
function dynamic(ports: AdmissionPorts, registered: Registrations, lookup: Lookup): readonly AdmissionPlugin[] {
  const { webhooks: client, authorizer, equivalents, metrics } = ports;
  const matcher = new Matcher({ lookup, equivalents });
  const judging = { matcher, authorizer, params: new Params(ports) };
  const caller = client && { client, authorizer, matcher, metrics: metrics.webhooks };
  return [
    mutatingAdmissionPolicy(registered, { ...judging, metrics: metrics.mutatingPolicies }), // costs less than a call: before webhooks
    ...(caller === undefined ? [] : [mutatingAdmissionWebhook(registered, caller)]), // may change what follows judges
    validatingAdmissionPolicy(registered, { ...judging, metrics: metrics.validatingPolicies }), // judges what mutation left
    ...(caller === undefined ? [] : [validatingAdmissionWebhook(registered, caller)]), // judge what will be stored
  ];
}
