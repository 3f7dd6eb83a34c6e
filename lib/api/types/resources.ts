// Written by `npm run generate`.
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from './admissionregistration.v1.ts';
import type { CustomResourceDefinition } from './apiextensions.v1.ts';
import type { APIService } from './apiregistration.v1.ts';
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from './apps.v1.ts';
import type { SelfSubjectReview, TokenReview } from './authentication.v1.ts';
import type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from './authorization.v1.ts';
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerAsAutoscalingV1 } from './autoscaling.v1.ts';
import type { HorizontalPodAutoscaler } from './autoscaling.v2.ts';
import type { CronJob, Job } from './batch.v1.ts';
import type { CertificateSigningRequest } from './certificates.v1.ts';
import type { Lease } from './coordination.v1.ts';
import type {
  Binding,
  ComponentStatus,
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from './core.v1.ts';
import type { EndpointSlice } from './discovery.v1.ts';
import type { Event as EventAsEventsV1 } from './events.v1.ts';
import type { FlowSchema, PriorityLevelConfiguration } from './flowcontrol.v1.ts';
import type { Ingress, IngressClass, IPAddress, NetworkPolicy, ServiceCIDR } from './networking.v1.ts';
import type { RuntimeClass } from './node.v1.ts';
import type { PodDisruptionBudget } from './policy.v1.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './rbac.v1.ts';
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from './resource.v1.ts';
import type { PriorityClass } from './scheduling.v1.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from './storage.v1.ts';

export const BINDINGS: ResourceOf<Binding> = { group: '', version: 'v1', resource: 'bindings' };
export const COMPONENT_STATUSES: ResourceOf<ComponentStatus> = {
  group: '',
  version: 'v1',
  resource: 'componentstatuses',
};
export const CONFIG_MAPS: ResourceOf<ConfigMap> = { group: '', version: 'v1', resource: 'configmaps' };
export const ENDPOINTS: ResourceOf<Endpoints> = { group: '', version: 'v1', resource: 'endpoints' };
export const EVENTS: ResourceOf<Event> = { group: '', version: 'v1', resource: 'events' };
export const LIMIT_RANGES: ResourceOf<LimitRange> = { group: '', version: 'v1', resource: 'limitranges' };
export const NAMESPACES: ResourceOf<Namespace> = { group: '', version: 'v1', resource: 'namespaces' };
export const NODES: ResourceOf<Node> = { group: '', version: 'v1', resource: 'nodes' };
export const PERSISTENT_VOLUME_CLAIMS: ResourceOf<PersistentVolumeClaim> = {
  group: '',
  version: 'v1',
  resource: 'persistentvolumeclaims',
};
export const PERSISTENT_VOLUMES: ResourceOf<PersistentVolume> = {
  group: '',
  version: 'v1',
  resource: 'persistentvolumes',
};
export const PODS: ResourceOf<Pod> = { group: '', version: 'v1', resource: 'pods' };
export const POD_TEMPLATES: ResourceOf<PodTemplate> = { group: '', version: 'v1', resource: 'podtemplates' };
export const REPLICATION_CONTROLLERS: ResourceOf<ReplicationController> = {
  group: '',
  version: 'v1',
  resource: 'replicationcontrollers',
};
export const RESOURCE_QUOTAS: ResourceOf<ResourceQuota> = { group: '', version: 'v1', resource: 'resourcequotas' };
export const SECRETS: ResourceOf<Secret> = { group: '', version: 'v1', resource: 'secrets' };
export const SERVICE_ACCOUNTS: ResourceOf<ServiceAccount> = { group: '', version: 'v1', resource: 'serviceaccounts' };
export const SERVICES: ResourceOf<Service> = { group: '', version: 'v1', resource: 'services' };
export const API_SERVICES: ResourceOf<APIService> = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  resource: 'apiservices',
};
export const CONTROLLER_REVISIONS: ResourceOf<ControllerRevision> = {
  group: 'apps',
  version: 'v1',
  resource: 'controllerrevisions',
};
export const DAEMON_SETS: ResourceOf<DaemonSet> = { group: 'apps', version: 'v1', resource: 'daemonsets' };
export const DEPLOYMENTS: ResourceOf<Deployment> = { group: 'apps', version: 'v1', resource: 'deployments' };
export const REPLICA_SETS: ResourceOf<ReplicaSet> = { group: 'apps', version: 'v1', resource: 'replicasets' };
export const STATEFUL_SETS: ResourceOf<StatefulSet> = { group: 'apps', version: 'v1', resource: 'statefulsets' };
export const EVENTSV1_EVENTS: ResourceOf<EventAsEventsV1> = {
  group: 'events.k8s.io',
  version: 'v1',
  resource: 'events',
};
export const SELF_SUBJECT_REVIEWS: ResourceOf<SelfSubjectReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  resource: 'selfsubjectreviews',
};
export const TOKEN_REVIEWS: ResourceOf<TokenReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  resource: 'tokenreviews',
};
export const LOCAL_SUBJECT_ACCESS_REVIEWS: ResourceOf<LocalSubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'localsubjectaccessreviews',
};
export const SELF_SUBJECT_ACCESS_REVIEWS: ResourceOf<SelfSubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'selfsubjectaccessreviews',
};
export const SELF_SUBJECT_RULES_REVIEWS: ResourceOf<SelfSubjectRulesReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'selfsubjectrulesreviews',
};
export const SUBJECT_ACCESS_REVIEWS: ResourceOf<SubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resource: 'subjectaccessreviews',
};
export const HORIZONTAL_POD_AUTOSCALERS: ResourceOf<HorizontalPodAutoscaler> = {
  group: 'autoscaling',
  version: 'v2',
  resource: 'horizontalpodautoscalers',
};
export const AUTOSCALINGV1_HORIZONTAL_POD_AUTOSCALERS: ResourceOf<HorizontalPodAutoscalerAsAutoscalingV1> = {
  group: 'autoscaling',
  version: 'v1',
  resource: 'horizontalpodautoscalers',
};
export const CRON_JOBS: ResourceOf<CronJob> = { group: 'batch', version: 'v1', resource: 'cronjobs' };
export const JOBS: ResourceOf<Job> = { group: 'batch', version: 'v1', resource: 'jobs' };
export const CERTIFICATE_SIGNING_REQUESTS: ResourceOf<CertificateSigningRequest> = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resource: 'certificatesigningrequests',
};
export const INGRESS_CLASSES: ResourceOf<IngressClass> = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'ingressclasses',
};
export const INGRESSES: ResourceOf<Ingress> = { group: 'networking.k8s.io', version: 'v1', resource: 'ingresses' };
export const IP_ADDRESSES: ResourceOf<IPAddress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'ipaddresses',
};
export const NETWORK_POLICIES: ResourceOf<NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'networkpolicies',
};
export const SERVICE_CIDRS: ResourceOf<ServiceCIDR> = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'servicecidrs',
};
export const POD_DISRUPTION_BUDGETS: ResourceOf<PodDisruptionBudget> = {
  group: 'policy',
  version: 'v1',
  resource: 'poddisruptionbudgets',
};
export const CLUSTER_ROLE_BINDINGS: ResourceOf<ClusterRoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'clusterrolebindings',
};
export const CLUSTER_ROLES: ResourceOf<ClusterRole> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'clusterroles',
};
export const ROLE_BINDINGS: ResourceOf<RoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'rolebindings',
};
export const ROLES: ResourceOf<Role> = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'roles' };
export const CSI_DRIVERS: ResourceOf<CSIDriver> = { group: 'storage.k8s.io', version: 'v1', resource: 'csidrivers' };
export const CSI_NODES: ResourceOf<CSINode> = { group: 'storage.k8s.io', version: 'v1', resource: 'csinodes' };
export const CSI_STORAGE_CAPACITIES: ResourceOf<CSIStorageCapacity> = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'csistoragecapacities',
};
export const STORAGE_CLASSES: ResourceOf<StorageClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'storageclasses',
};
export const VOLUME_ATTACHMENTS: ResourceOf<VolumeAttachment> = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'volumeattachments',
};
export const VOLUME_ATTRIBUTES_CLASSES: ResourceOf<VolumeAttributesClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'volumeattributesclasses',
};
export const MUTATING_ADMISSION_POLICIES: ResourceOf<MutatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'mutatingadmissionpolicies',
};
export const MUTATING_ADMISSION_POLICY_BINDINGS: ResourceOf<MutatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'mutatingadmissionpolicybindings',
};
export const MUTATING_WEBHOOK_CONFIGURATIONS: ResourceOf<MutatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'mutatingwebhookconfigurations',
};
export const VALIDATING_ADMISSION_POLICIES: ResourceOf<ValidatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
};
export const VALIDATING_ADMISSION_POLICY_BINDINGS: ResourceOf<ValidatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicybindings',
};
export const VALIDATING_WEBHOOK_CONFIGURATIONS: ResourceOf<ValidatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingwebhookconfigurations',
};
export const CUSTOM_RESOURCE_DEFINITIONS: ResourceOf<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};
export const PRIORITY_CLASSES: ResourceOf<PriorityClass> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  resource: 'priorityclasses',
};
export const LEASES: ResourceOf<Lease> = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
export const RUNTIME_CLASSES: ResourceOf<RuntimeClass> = {
  group: 'node.k8s.io',
  version: 'v1',
  resource: 'runtimeclasses',
};
export const ENDPOINT_SLICES: ResourceOf<EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  resource: 'endpointslices',
};
export const DEVICE_CLASSES: ResourceOf<DeviceClass> = {
  group: 'resource.k8s.io',
  version: 'v1',
  resource: 'deviceclasses',
};
export const RESOURCE_CLAIMS: ResourceOf<ResourceClaim> = {
  group: 'resource.k8s.io',
  version: 'v1',
  resource: 'resourceclaims',
};
export const RESOURCE_CLAIM_TEMPLATES: ResourceOf<ResourceClaimTemplate> = {
  group: 'resource.k8s.io',
  version: 'v1',
  resource: 'resourceclaimtemplates',
};
export const RESOURCE_SLICES: ResourceOf<ResourceSlice> = {
  group: 'resource.k8s.io',
  version: 'v1',
  resource: 'resourceslices',
};
export const FLOW_SCHEMAS: ResourceOf<FlowSchema> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  resource: 'flowschemas',
};
export const PRIORITY_LEVEL_CONFIGURATIONS: ResourceOf<PriorityLevelConfiguration> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  resource: 'prioritylevelconfigurations',
};
