// Written by `npm run generate`.
import type * as admissionregistrationv1 from '#lib/api/types/admissionregistration.v1.ts';
import type * as apidiscoveryv2 from '#lib/api/types/apidiscovery.v2.ts';
import type * as apiextensionsv1 from '#lib/api/types/apiextensions.v1.ts';
import type * as apiregistrationv1 from '#lib/api/types/apiregistration.v1.ts';
import type * as appsv1 from '#lib/api/types/apps.v1.ts';
import type * as authenticationv1 from '#lib/api/types/authentication.v1.ts';
import type * as authorizationv1 from '#lib/api/types/authorization.v1.ts';
import type * as autoscalingv1 from '#lib/api/types/autoscaling.v1.ts';
import type * as autoscalingv2 from '#lib/api/types/autoscaling.v2.ts';
import type * as batchv1 from '#lib/api/types/batch.v1.ts';
import type * as certificatesv1 from '#lib/api/types/certificates.v1.ts';
import type * as coordinationv1 from '#lib/api/types/coordination.v1.ts';
import type * as corev1 from '#lib/api/types/core.v1.ts';
import type * as discoveryv1 from '#lib/api/types/discovery.v1.ts';
import type * as eventsv1 from '#lib/api/types/events.v1.ts';
import type * as flowcontrolv1 from '#lib/api/types/flowcontrol.v1.ts';
import type * as metav1 from '#lib/api/types/meta.v1.ts';
import type * as networkingv1 from '#lib/api/types/networking.v1.ts';
import type * as nodev1 from '#lib/api/types/node.v1.ts';
import type * as policyv1 from '#lib/api/types/policy.v1.ts';
import type * as rbacv1 from '#lib/api/types/rbac.v1.ts';
import type * as resourcev1 from '#lib/api/types/resource.v1.ts';
import type * as schedulingv1 from '#lib/api/types/scheduling.v1.ts';
import type * as storagev1 from '#lib/api/types/storage.v1.ts';
import type { BuiltIn, Kind } from '#lib/client/typed-client.ts';

export type * from '#lib/api/types/scalars.ts';
export type { ApplyConfiguration, Kind, KubernetesObject } from '#lib/client/typed-client.ts';
export type {
  admissionregistrationv1,
  apidiscoveryv2,
  apiextensionsv1,
  apiregistrationv1,
  appsv1,
  authenticationv1,
  authorizationv1,
  autoscalingv1,
  autoscalingv2,
  batchv1,
  certificatesv1,
  coordinationv1,
  corev1,
  discoveryv1,
  eventsv1,
  flowcontrolv1,
  metav1,
  networkingv1,
  nodev1,
  policyv1,
  rbacv1,
  resourcev1,
  schedulingv1,
  storagev1,
};

/** Puts a pod on a node. */
export type Binding = BuiltIn<corev1.Binding, 'v1', 'Binding'>;
/** The kind of a Binding in v1, for clients. */
export const BINDING: Kind<Binding> = { apiVersion: 'v1', kind: 'Binding' };

/** Deprecated. Whether a component of the control plane is healthy. */
export type ComponentStatus = BuiltIn<corev1.ComponentStatus, 'v1', 'ComponentStatus'>;
/** The kind of a ComponentStatus in v1, for clients. */
export const COMPONENT_STATUS: Kind<ComponentStatus> = { apiVersion: 'v1', kind: 'ComponentStatus' };

/** Settings that pods read as files, variables or arguments. */
export type ConfigMap = BuiltIn<corev1.ConfigMap, 'v1', 'ConfigMap'>;
/** The kind of a ConfigMap in v1, for clients. */
export const CONFIG_MAP: Kind<ConfigMap> = { apiVersion: 'v1', kind: 'ConfigMap' };

/** The addresses behind a Service. Deprecated: EndpointSlice has taken its place. */
export type Endpoints = BuiltIn<corev1.Endpoints, 'v1', 'Endpoints'>;
/** The kind of a Endpoints in v1, for clients. */
export const ENDPOINTS: Kind<Endpoints> = { apiVersion: 'v1', kind: 'Endpoints' };

/** Something that happened to an object, for people to read. Events go after about an hour. */
export type Event = BuiltIn<corev1.Event, 'v1', 'Event'>;
/** The kind of a Event in v1, for clients. */
export const EVENT: Kind<Event> = { apiVersion: 'v1', kind: 'Event' };

/** Limits and defaults for what single objects of a namespace ask for. */
export type LimitRange = BuiltIn<corev1.LimitRange, 'v1', 'LimitRange'>;
/** The kind of a LimitRange in v1, for clients. */
export const LIMIT_RANGE: Kind<LimitRange> = { apiVersion: 'v1', kind: 'LimitRange' };

/** A space for names, in which most objects live. */
export type Namespace = BuiltIn<corev1.Namespace, 'v1', 'Namespace'>;
/** The kind of a Namespace in v1, for clients. */
export const NAMESPACE: Kind<Namespace> = { apiVersion: 'v1', kind: 'Namespace' };

/** A machine that runs pods. */
export type Node = BuiltIn<corev1.Node, 'v1', 'Node'>;
/** The kind of a Node in v1, for clients. */
export const NODE: Kind<Node> = { apiVersion: 'v1', kind: 'Node' };

/** Asks for storage; it is bound to a persistent volume that fits, or to one made for it. */
export type PersistentVolumeClaim = BuiltIn<corev1.PersistentVolumeClaim, 'v1', 'PersistentVolumeClaim'>;
/** The kind of a PersistentVolumeClaim in v1, for clients. */
export const PERSISTENT_VOLUME_CLAIM: Kind<PersistentVolumeClaim> = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };

/** Storage of the cluster that outlives pods; a claim binds it. */
export type PersistentVolume = BuiltIn<corev1.PersistentVolume, 'v1', 'PersistentVolume'>;
/** The kind of a PersistentVolume in v1, for clients. */
export const PERSISTENT_VOLUME: Kind<PersistentVolume> = { apiVersion: 'v1', kind: 'PersistentVolume' };

/** Containers that run together on one node and share its network and volumes. The smallest thing that is scheduled. */
export type Pod = BuiltIn<corev1.Pod, 'v1', 'Pod'>;
/** The kind of a Pod in v1, for clients. */
export const POD: Kind<Pod> = { apiVersion: 'v1', kind: 'Pod' };

/** A kept description of pods, for others to copy. */
export type PodTemplate = BuiltIn<corev1.PodTemplate, 'v1', 'PodTemplate'>;
/** The kind of a PodTemplate in v1, for clients. */
export const POD_TEMPLATE: Kind<PodTemplate> = { apiVersion: 'v1', kind: 'PodTemplate' };

/** Keeps a number of equal pods. Deployments have taken its place. */
export type ReplicationController = BuiltIn<corev1.ReplicationController, 'v1', 'ReplicationController'>;
/** The kind of a ReplicationController in v1, for clients. */
export const REPLICATION_CONTROLLER: Kind<ReplicationController> = { apiVersion: 'v1', kind: 'ReplicationController' };

/** Limits what all objects of a namespace use together. */
export type ResourceQuota = BuiltIn<corev1.ResourceQuota, 'v1', 'ResourceQuota'>;
/** The kind of a ResourceQuota in v1, for clients. */
export const RESOURCE_QUOTA: Kind<ResourceQuota> = { apiVersion: 'v1', kind: 'ResourceQuota' };

/** Secret data that pods read as files or variables. At most 1 MiB. */
export type Secret = BuiltIn<corev1.Secret, 'v1', 'Secret'>;
/** The kind of a Secret in v1, for clients. */
export const SECRET: Kind<Secret> = { apiVersion: 'v1', kind: 'Secret' };

/** An identity for programs, in pods above all. */
export type ServiceAccount = BuiltIn<corev1.ServiceAccount, 'v1', 'ServiceAccount'>;
/** The kind of a ServiceAccount in v1, for clients. */
export const SERVICE_ACCOUNT: Kind<ServiceAccount> = { apiVersion: 'v1', kind: 'ServiceAccount' };

/** A name and an address for a set of pods, which stay while pods come and go. */
export type Service = BuiltIn<corev1.Service, 'v1', 'Service'>;
/** The kind of a Service in v1, for clients. */
export const SERVICE: Kind<Service> = { apiVersion: 'v1', kind: 'Service' };

/** Lets another server serve a group and version of the API. Its name is VERSION.GROUP. */
export type APIService = BuiltIn<apiregistrationv1.APIService, 'apiregistration.k8s.io/v1', 'APIService'>;
/** The kind of a APIService in apiregistration.k8s.io/v1, for clients. */
export const API_SERVICE: Kind<APIService> = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' };

/** A kept state of a DaemonSet or StatefulSet, to roll back to. Its data cannot be changed. */
export type ControllerRevision = BuiltIn<appsv1.ControllerRevision, 'apps/v1', 'ControllerRevision'>;
/** The kind of a ControllerRevision in apps/v1, for clients. */
export const CONTROLLER_REVISION: Kind<ControllerRevision> = { apiVersion: 'apps/v1', kind: 'ControllerRevision' };

/** Runs one pod on each node that fits. */
export type DaemonSet = BuiltIn<appsv1.DaemonSet, 'apps/v1', 'DaemonSet'>;
/** The kind of a DaemonSet in apps/v1, for clients. */
export const DAEMON_SET: Kind<DaemonSet> = { apiVersion: 'apps/v1', kind: 'DaemonSet' };

/** Keeps a number of equal pods and replaces them step by step when their template changes. */
export type Deployment = BuiltIn<appsv1.Deployment, 'apps/v1', 'Deployment'>;
/** The kind of a Deployment in apps/v1, for clients. */
export const DEPLOYMENT: Kind<Deployment> = { apiVersion: 'apps/v1', kind: 'Deployment' };

/** Keeps a number of equal pods; most belong to a Deployment, one for each of its templates. */
export type ReplicaSet = BuiltIn<appsv1.ReplicaSet, 'apps/v1', 'ReplicaSet'>;
/** The kind of a ReplicaSet in apps/v1, for clients. */
export const REPLICA_SET: Kind<ReplicaSet> = { apiVersion: 'apps/v1', kind: 'ReplicaSet' };

/** Keeps a number of pods, each with a name, an address and volumes of its own that stay when the pod is made anew. */
export type StatefulSet = BuiltIn<appsv1.StatefulSet, 'apps/v1', 'StatefulSet'>;
/** The kind of a StatefulSet in apps/v1, for clients. */
export const STATEFUL_SET: Kind<StatefulSet> = { apiVersion: 'apps/v1', kind: 'StatefulSet' };

/** Something that happened to an object, for people to read. Events go after about an hour. */
export type EventsV1Event = BuiltIn<eventsv1.Event, 'events.k8s.io/v1', 'Event'>;
/** The kind of a Event in events.k8s.io/v1, for clients. */
export const EVENTS_V1_EVENT: Kind<EventsV1Event> = { apiVersion: 'events.k8s.io/v1', kind: 'Event' };

/** Asks who the client is to the server. It is answered, not stored. */
export type SelfSubjectReview = BuiltIn<
  authenticationv1.SelfSubjectReview,
  'authentication.k8s.io/v1',
  'SelfSubjectReview'
>;
/** The kind of a SelfSubjectReview in authentication.k8s.io/v1, for clients. */
export const SELF_SUBJECT_REVIEW: Kind<SelfSubjectReview> = {
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'SelfSubjectReview',
};

/** Asks who has a token. It is answered, not stored. */
export type TokenReview = BuiltIn<authenticationv1.TokenReview, 'authentication.k8s.io/v1', 'TokenReview'>;
/** The kind of a TokenReview in authentication.k8s.io/v1, for clients. */
export const TOKEN_REVIEW: Kind<TokenReview> = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' };

/** Asks whether a user may do something in one namespace. It is answered, not stored. */
export type LocalSubjectAccessReview = BuiltIn<
  authorizationv1.LocalSubjectAccessReview,
  'authorization.k8s.io/v1',
  'LocalSubjectAccessReview'
>;
/** The kind of a LocalSubjectAccessReview in authorization.k8s.io/v1, for clients. */
export const LOCAL_SUBJECT_ACCESS_REVIEW: Kind<LocalSubjectAccessReview> = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'LocalSubjectAccessReview',
};

/** Asks whether the client itself may do something. It is answered, not stored. */
export type SelfSubjectAccessReview = BuiltIn<
  authorizationv1.SelfSubjectAccessReview,
  'authorization.k8s.io/v1',
  'SelfSubjectAccessReview'
>;
/** The kind of a SelfSubjectAccessReview in authorization.k8s.io/v1, for clients. */
export const SELF_SUBJECT_ACCESS_REVIEW: Kind<SelfSubjectAccessReview> = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
};

/** Asks what the client may do in a namespace. It is answered, not stored, and made for display only. */
export type SelfSubjectRulesReview = BuiltIn<
  authorizationv1.SelfSubjectRulesReview,
  'authorization.k8s.io/v1',
  'SelfSubjectRulesReview'
>;
/** The kind of a SelfSubjectRulesReview in authorization.k8s.io/v1, for clients. */
export const SELF_SUBJECT_RULES_REVIEW: Kind<SelfSubjectRulesReview> = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectRulesReview',
};

/** Asks whether a user may do something. It is answered, not stored. */
export type SubjectAccessReview = BuiltIn<
  authorizationv1.SubjectAccessReview,
  'authorization.k8s.io/v1',
  'SubjectAccessReview'
>;
/** The kind of a SubjectAccessReview in authorization.k8s.io/v1, for clients. */
export const SUBJECT_ACCESS_REVIEW: Kind<SubjectAccessReview> = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
};

/** Changes the number of pods of another object so that metrics stay near their targets. */
export type HorizontalPodAutoscaler = BuiltIn<
  autoscalingv2.HorizontalPodAutoscaler,
  'autoscaling/v2',
  'HorizontalPodAutoscaler'
>;
/** The kind of a HorizontalPodAutoscaler in autoscaling/v2, for clients. */
export const HORIZONTAL_POD_AUTOSCALER: Kind<HorizontalPodAutoscaler> = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
};

/** Changes the number of pods of another object so that their use of CPU stays near a target. */
export type AutoscalingV1HorizontalPodAutoscaler = BuiltIn<
  autoscalingv1.HorizontalPodAutoscaler,
  'autoscaling/v1',
  'HorizontalPodAutoscaler'
>;
/** The kind of a HorizontalPodAutoscaler in autoscaling/v1, for clients. */
export const AUTOSCALING_V1_HORIZONTAL_POD_AUTOSCALER: Kind<AutoscalingV1HorizontalPodAutoscaler> = {
  apiVersion: 'autoscaling/v1',
  kind: 'HorizontalPodAutoscaler',
};

/** Starts a Job at certain times, again and again. */
export type CronJob = BuiltIn<batchv1.CronJob, 'batch/v1', 'CronJob'>;
/** The kind of a CronJob in batch/v1, for clients. */
export const CRON_JOB: Kind<CronJob> = { apiVersion: 'batch/v1', kind: 'CronJob' };

/** Runs pods until enough of them have succeeded. */
export type Job = BuiltIn<batchv1.Job, 'batch/v1', 'Job'>;
/** The kind of a Job in batch/v1, for clients. */
export const JOB: Kind<Job> = { apiVersion: 'batch/v1', kind: 'Job' };

/** Asks a signer for a certificate, which must be approved before. */
export type CertificateSigningRequest = BuiltIn<
  certificatesv1.CertificateSigningRequest,
  'certificates.k8s.io/v1',
  'CertificateSigningRequest'
>;
/** The kind of a CertificateSigningRequest in certificates.k8s.io/v1, for clients. */
export const CERTIFICATE_SIGNING_REQUEST: Kind<CertificateSigningRequest> = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
};

/** A kind of Ingress, served by one controller. The annotation ingressclass.kubernetes.io/is-default-class makes it the default. */
export type IngressClass = BuiltIn<networkingv1.IngressClass, 'networking.k8s.io/v1', 'IngressClass'>;
/** The kind of a IngressClass in networking.k8s.io/v1, for clients. */
export const INGRESS_CLASS: Kind<IngressClass> = { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass' };

/** Leads HTTP from outside to Services, by host and path. */
export type Ingress = BuiltIn<networkingv1.Ingress, 'networking.k8s.io/v1', 'Ingress'>;
/** The kind of a Ingress in networking.k8s.io/v1, for clients. */
export const INGRESS: Kind<Ingress> = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' };

/** An address that belongs to an object; its name is the address. Services' cluster IPs have one each. */
export type IPAddress = BuiltIn<networkingv1.IPAddress, 'networking.k8s.io/v1', 'IPAddress'>;
/** The kind of a IPAddress in networking.k8s.io/v1, for clients. */
export const IP_ADDRESS: Kind<IPAddress> = { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress' };

/** Says what traffic pods let in and out. Pods that no policy takes let everything through. */
export type NetworkPolicy = BuiltIn<networkingv1.NetworkPolicy, 'networking.k8s.io/v1', 'NetworkPolicy'>;
/** The kind of a NetworkPolicy in networking.k8s.io/v1, for clients. */
export const NETWORK_POLICY: Kind<NetworkPolicy> = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' };

/** Networks from which Services get their cluster IPs. */
export type ServiceCIDR = BuiltIn<networkingv1.ServiceCIDR, 'networking.k8s.io/v1', 'ServiceCIDR'>;
/** The kind of a ServiceCIDR in networking.k8s.io/v1, for clients. */
export const SERVICE_CIDR: Kind<ServiceCIDR> = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR' };

/** Limits how many pods may be down at a time because somebody wants it so. */
export type PodDisruptionBudget = BuiltIn<policyv1.PodDisruptionBudget, 'policy/v1', 'PodDisruptionBudget'>;
/** The kind of a PodDisruptionBudget in policy/v1, for clients. */
export const POD_DISRUPTION_BUDGET: Kind<PodDisruptionBudget> = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
};

/** Gives a ClusterRole to users, groups and service accounts in all of the cluster. */
export type ClusterRoleBinding = BuiltIn<
  rbacv1.ClusterRoleBinding,
  'rbac.authorization.k8s.io/v1',
  'ClusterRoleBinding'
>;
/** The kind of a ClusterRoleBinding in rbac.authorization.k8s.io/v1, for clients. */
export const CLUSTER_ROLE_BINDING: Kind<ClusterRoleBinding> = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
};

/** Rules of what may be done in all of the cluster, or in the namespaces of RoleBindings that name it. */
export type ClusterRole = BuiltIn<rbacv1.ClusterRole, 'rbac.authorization.k8s.io/v1', 'ClusterRole'>;
/** The kind of a ClusterRole in rbac.authorization.k8s.io/v1, for clients. */
export const CLUSTER_ROLE: Kind<ClusterRole> = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };

/** Gives a role to users, groups and service accounts in one namespace. */
export type RoleBinding = BuiltIn<rbacv1.RoleBinding, 'rbac.authorization.k8s.io/v1', 'RoleBinding'>;
/** The kind of a RoleBinding in rbac.authorization.k8s.io/v1, for clients. */
export const ROLE_BINDING: Kind<RoleBinding> = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' };

/** Rules of what may be done in one namespace. */
export type Role = BuiltIn<rbacv1.Role, 'rbac.authorization.k8s.io/v1', 'Role'>;
/** The kind of a Role in rbac.authorization.k8s.io/v1, for clients. */
export const ROLE: Kind<Role> = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' };

/** The abilities of a CSI driver that the cluster must know; its name is the driver's. */
export type CSIDriver = BuiltIn<storagev1.CSIDriver, 'storage.k8s.io/v1', 'CSIDriver'>;
/** The kind of a CSIDriver in storage.k8s.io/v1, for clients. */
export const CSI_DRIVER: Kind<CSIDriver> = { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver' };

/** The CSI drivers that run on a node; its name is the node's. */
export type CSINode = BuiltIn<storagev1.CSINode, 'storage.k8s.io/v1', 'CSINode'>;
/** The kind of a CSINode in storage.k8s.io/v1, for clients. */
export const CSI_NODE: Kind<CSINode> = { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode' };

/** How much room a StorageClass has in one place. */
export type CSIStorageCapacity = BuiltIn<storagev1.CSIStorageCapacity, 'storage.k8s.io/v1', 'CSIStorageCapacity'>;
/** The kind of a CSIStorageCapacity in storage.k8s.io/v1, for clients. */
export const CSI_STORAGE_CAPACITY: Kind<CSIStorageCapacity> = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIStorageCapacity',
};

/** A way to make volumes for claims. The annotation storageclass.kubernetes.io/is-default-class makes it the default. */
export type StorageClass = BuiltIn<storagev1.StorageClass, 'storage.k8s.io/v1', 'StorageClass'>;
/** The kind of a StorageClass in storage.k8s.io/v1, for clients. */
export const STORAGE_CLASS: Kind<StorageClass> = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' };

/** Asks that a volume be attached to a node. */
export type VolumeAttachment = BuiltIn<storagev1.VolumeAttachment, 'storage.k8s.io/v1', 'VolumeAttachment'>;
/** The kind of a VolumeAttachment in storage.k8s.io/v1, for clients. */
export const VOLUME_ATTACHMENT: Kind<VolumeAttachment> = { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment' };

/** Settings of volumes that can be changed while they are in use. */
export type VolumeAttributesClass = BuiltIn<
  storagev1.VolumeAttributesClass,
  'storage.k8s.io/v1',
  'VolumeAttributesClass'
>;
/** The kind of a VolumeAttributesClass in storage.k8s.io/v1, for clients. */
export const VOLUME_ATTRIBUTES_CLASS: Kind<VolumeAttributesClass> = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttributesClass',
};

/** Changes to requests, in CEL. It acts only through bindings. */
export type MutatingAdmissionPolicy = BuiltIn<
  admissionregistrationv1.MutatingAdmissionPolicy,
  'admissionregistration.k8s.io/v1',
  'MutatingAdmissionPolicy'
>;
/** The kind of a MutatingAdmissionPolicy in admissionregistration.k8s.io/v1, for clients. */
export const MUTATING_ADMISSION_POLICY: Kind<MutatingAdmissionPolicy> = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicy',
};

/** Makes a policy act, on which requests and with which parameters. */
export type MutatingAdmissionPolicyBinding = BuiltIn<
  admissionregistrationv1.MutatingAdmissionPolicyBinding,
  'admissionregistration.k8s.io/v1',
  'MutatingAdmissionPolicyBinding'
>;
/** The kind of a MutatingAdmissionPolicyBinding in admissionregistration.k8s.io/v1, for clients. */
export const MUTATING_ADMISSION_POLICY_BINDING: Kind<MutatingAdmissionPolicyBinding> = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicyBinding',
};

/** Webhooks that are asked what to change in requests. */
export type MutatingWebhookConfiguration = BuiltIn<
  admissionregistrationv1.MutatingWebhookConfiguration,
  'admissionregistration.k8s.io/v1',
  'MutatingWebhookConfiguration'
>;
/** The kind of a MutatingWebhookConfiguration in admissionregistration.k8s.io/v1, for clients. */
export const MUTATING_WEBHOOK_CONFIGURATION: Kind<MutatingWebhookConfiguration> = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
};

/** Rules in CEL that requests must keep. It acts only through bindings. */
export type ValidatingAdmissionPolicy = BuiltIn<
  admissionregistrationv1.ValidatingAdmissionPolicy,
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicy'
>;
/** The kind of a ValidatingAdmissionPolicy in admissionregistration.k8s.io/v1, for clients. */
export const VALIDATING_ADMISSION_POLICY: Kind<ValidatingAdmissionPolicy> = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
};

/** Makes a policy act, on which requests and with which parameters. */
export type ValidatingAdmissionPolicyBinding = BuiltIn<
  admissionregistrationv1.ValidatingAdmissionPolicyBinding,
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicyBinding'
>;
/** The kind of a ValidatingAdmissionPolicyBinding in admissionregistration.k8s.io/v1, for clients. */
export const VALIDATING_ADMISSION_POLICY_BINDING: Kind<ValidatingAdmissionPolicyBinding> = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
};

/** Webhooks that are asked whether requests are allowed. */
export type ValidatingWebhookConfiguration = BuiltIn<
  admissionregistrationv1.ValidatingWebhookConfiguration,
  'admissionregistration.k8s.io/v1',
  'ValidatingWebhookConfiguration'
>;
/** The kind of a ValidatingWebhookConfiguration in admissionregistration.k8s.io/v1, for clients. */
export const VALIDATING_WEBHOOK_CONFIGURATION: Kind<ValidatingWebhookConfiguration> = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
};

/** Adds a kind of object to the API. Its name is PLURAL.GROUP. */
export type CustomResourceDefinition = BuiltIn<
  apiextensionsv1.CustomResourceDefinition,
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition'
>;
/** The kind of a CustomResourceDefinition in apiextensions.k8s.io/v1, for clients. */
export const CUSTOM_RESOURCE_DEFINITION: Kind<CustomResourceDefinition> = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
};

/** Gives pods that name it a priority. */
export type PriorityClass = BuiltIn<schedulingv1.PriorityClass, 'scheduling.k8s.io/v1', 'PriorityClass'>;
/** The kind of a PriorityClass in scheduling.k8s.io/v1, for clients. */
export const PRIORITY_CLASS: Kind<PriorityClass> = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' };

/** Says who holds something for the time being: a leader's role, or that a node lives. */
export type Lease = BuiltIn<coordinationv1.Lease, 'coordination.k8s.io/v1', 'Lease'>;
/** The kind of a Lease in coordination.k8s.io/v1, for clients. */
export const LEASE: Kind<Lease> = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };

/** A way to run pods, by a handler of the nodes' container runtime. */
export type RuntimeClass = BuiltIn<nodev1.RuntimeClass, 'node.k8s.io/v1', 'RuntimeClass'>;
/** The kind of a RuntimeClass in node.k8s.io/v1, for clients. */
export const RUNTIME_CLASS: Kind<RuntimeClass> = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass' };

/** Some of the addresses behind a Service. The label kubernetes.io/service-name says which; several slices add up. */
export type EndpointSlice = BuiltIn<discoveryv1.EndpointSlice, 'discovery.k8s.io/v1', 'EndpointSlice'>;
/** The kind of a EndpointSlice in discovery.k8s.io/v1, for clients. */
export const ENDPOINT_SLICE: Kind<EndpointSlice> = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };

/** A kind of devices, chosen by the administrator, which claims ask for by name. */
export type DeviceClass = BuiltIn<resourcev1.DeviceClass, 'resource.k8s.io/v1', 'DeviceClass'>;
/** The kind of a DeviceClass in resource.k8s.io/v1, for clients. */
export const DEVICE_CLASS: Kind<DeviceClass> = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass' };

/** Asks for devices, which pods that name it then use. */
export type ResourceClaim = BuiltIn<resourcev1.ResourceClaim, 'resource.k8s.io/v1', 'ResourceClaim'>;
/** The kind of a ResourceClaim in resource.k8s.io/v1, for clients. */
export const RESOURCE_CLAIM: Kind<ResourceClaim> = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim' };

/** A template of claims that are made for single pods. */
export type ResourceClaimTemplate = BuiltIn<
  resourcev1.ResourceClaimTemplate,
  'resource.k8s.io/v1',
  'ResourceClaimTemplate'
>;
/** The kind of a ResourceClaimTemplate in resource.k8s.io/v1, for clients. */
export const RESOURCE_CLAIM_TEMPLATE: Kind<ResourceClaimTemplate> = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
};

/** Devices that a driver offers on a node or in the network; all slices of a pool together list its devices. */
export type ResourceSlice = BuiltIn<resourcev1.ResourceSlice, 'resource.k8s.io/v1', 'ResourceSlice'>;
/** The kind of a ResourceSlice in resource.k8s.io/v1, for clients. */
export const RESOURCE_SLICE: Kind<ResourceSlice> = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice' };

/** Puts requests that fit into a priority level, and tells their flows apart. */
export type FlowSchema = BuiltIn<flowcontrolv1.FlowSchema, 'flowcontrol.apiserver.k8s.io/v1', 'FlowSchema'>;
/** The kind of a FlowSchema in flowcontrol.apiserver.k8s.io/v1, for clients. */
export const FLOW_SCHEMA: Kind<FlowSchema> = { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'FlowSchema' };

/** A share of the server's capacity for requests. */
export type PriorityLevelConfiguration = BuiltIn<
  flowcontrolv1.PriorityLevelConfiguration,
  'flowcontrol.apiserver.k8s.io/v1',
  'PriorityLevelConfiguration'
>;
/** The kind of a PriorityLevelConfiguration in flowcontrol.apiserver.k8s.io/v1, for clients. */
export const PRIORITY_LEVEL_CONFIGURATION: Kind<PriorityLevelConfiguration> = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
};
