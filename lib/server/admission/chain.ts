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
  /** Decides the authorization checks of policies and match conditions. */
  readonly authorizer: Authorizer;
  readonly equivalents: Equivalents;
  readonly resourceOfKind: ParamPorts['resourceOfKind'];
  /** Undefined if no webhooks are called. */
  readonly webhooks: WebhookClient | undefined;
  readonly plugins: PluginSelection;
  readonly configuration: AdmissionConfiguration;
  makeNamespace(name: string): Promise<void>;
  readonly metrics: AdmissionMetrics;
}

/** Returns the admission of the enabled plugins. */
export function admissionChain(ports: AdmissionPorts): Admission {
  const { metrics } = ports;
  return admissionBy({ plugins: selectedPlugins(ports).map((plugin) => metrics.observed(plugin)), step: metrics.step });
}

/** Returns the enabled plugins in upstream's order (`AllOrderedPlugins`). */
export function selectedPlugins(ports: AdmissionPorts): readonly AdmissionPlugin[] {
  return allPlugins(ports, storageLookup(ports)).filter(({ name }) => isSelected(name, ports.plugins));
}

function allPlugins(ports: AdmissionPorts, lookup: Lookup): readonly AdmissionPlugin[] {
  const { authorizer, clock, configuration } = ports;
  const registered = registrations(ports);
  return [
    alwaysAdmit, // does nothing
    namespaceAutoProvision(lookup, ports.makeNamespace), // before plugins that require the namespace
    namespaceLifecycle(lookup), // first of the default plugins: without a namespace, no other check matters
    namespaceExists(lookup), // a subset of NamespaceLifecycle
    limitPodHardAntiAffinityTopology, // validates only
    limitRanger(lookup), // before quotas count its defaults
    serviceAccount(lookup, clock), // before policies that validate the volumes it adds
    nodeRestriction(lookup, authorizer), // before any plugin adds fields that a node may not write
    taintNodesByCondition, // after the check that a node may write itself
    alwaysPullImages, // before policies that validate images
    imagePolicyWebhook({ ...ports, imagePolicy: configuration.imagePolicy }), // validates only, after all changes of images
    podSecurity({ lookup, clock, configuration: configuration.podSecurity, metrics: ports.metrics.podSecurity }), // validates only, after all other pod changes
    podNodeSelector(lookup, configuration.nodeSelectors), // before RuntimeClass merges its own selector
    priority(lookup), // before quotas, which count by priority class
    defaultTolerationSeconds, // before RuntimeClass merges its own tolerations
    podTolerationRestriction(lookup, configuration.tolerations), // after the defaults, which it validates too
    eventRateLimit(clock, configuration.eventLimits), // validates only
    extendedResourceToleration, // after the plugin that restricts tolerations, because these are required
    defaultStorageClass(lookup), // before quotas, which count by storage class
    storageObjectInUseProtection, // in any position: no other plugin changes finalizers
    ownerReferencesPermissionEnforcement(ports), // validates only
    persistentVolumeClaimResize(lookup), // validates only, after defaulting
    runtimeClass(lookup), // after DefaultTolerationSeconds: the longer toleration wins
    certificateApproval(ports.authorizer), // validates only: the right to approve a request
    certificateSigning(ports.authorizer), // validates only: the right to sign a request
    clusterTrustBundleAttest(ports.authorizer), // validates only: the right to attest trust
    certificateSubjectRestriction, // validates only, after the check of the right to the signer
    deviceAdminAccess(lookup), // validates only: upstream's claim strategies do this
    defaultIngressClass(lookup), // in any position: no other plugin changes ingresses
    denyServiceExternalIPs, // validates only
    podTopologyLabels(lookup), // late, so that no earlier plugin sees the node's labels
    nodeDeclaredFeatureValidator(lookup), // validates only: the features that an update requires of the node
    podResizeValidator(lookup), // validates only: the resources that a resize requires of the node
    ...dynamic(ports, registered, lookup), // run after the server's own plugins have changed the object
    resourceQuota({ ...ports, lookup, limited: configuration.limitedResources }), // late, so that rejected writes are not counted
    alwaysDeny, // last, so that all other plugins run
  ];
}

/** Returns the plugins of registered policies and webhooks. Like upstream, policies run before webhooks. */
function dynamic(ports: AdmissionPorts, registered: Registrations, lookup: Lookup): readonly AdmissionPlugin[] {
  const { webhooks: client, authorizer, equivalents, metrics } = ports;
  const matcher = new Matcher({ lookup, equivalents });
  const judging = { matcher, authorizer, params: new Params(ports) };
  const caller = client && { client, authorizer, matcher, metrics: metrics.webhooks };
  return [
    mutatingAdmissionPolicy(registered, { ...judging, metrics: metrics.mutatingPolicies }), // before webhooks, as it is cheaper
    ...(caller === undefined ? [] : [mutatingAdmissionWebhook(registered, caller)]), // changes objects that later plugins validate
    validatingAdmissionPolicy(registered, { ...judging, metrics: metrics.validatingPolicies }), // validates the mutated object
    ...(caller === undefined ? [] : [validatingAdmissionWebhook(registered, caller)]), // validate the object as it will be stored
  ];
}
