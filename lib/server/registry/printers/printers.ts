import {
  API_SERVICES,
  CERTIFICATE_SIGNING_REQUESTS,
  CLUSTER_ROLE_BINDINGS,
  CONFIG_MAPS,
  CONTROLLER_REVISIONS,
  CRON_JOBS,
  CSI_DRIVERS,
  CSI_NODES,
  DAEMON_SETS,
  DEPLOYMENTS,
  DEVICE_CLASSES,
  ENDPOINT_SLICES,
  ENDPOINTS,
  EVENTS,
  EVENTSV1_EVENTS,
  FLOW_SCHEMAS,
  HORIZONTAL_POD_AUTOSCALERS,
  INGRESS_CLASSES,
  INGRESSES,
  IP_ADDRESSES,
  JOBS,
  LEASES,
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
  MUTATING_WEBHOOK_CONFIGURATIONS,
  NAMESPACES,
  NETWORK_POLICIES,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  POD_DISRUPTION_BUDGETS,
  POD_TEMPLATES,
  PODS,
  PRIORITY_CLASSES,
  PRIORITY_LEVEL_CONFIGURATIONS,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  RESOURCE_CLAIM_TEMPLATES,
  RESOURCE_CLAIMS,
  RESOURCE_QUOTAS,
  RESOURCE_SLICES,
  ROLE_BINDINGS,
  RUNTIME_CLASSES,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICE_CIDRS,
  SERVICES,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
  VALIDATING_WEBHOOK_CONFIGURATIONS,
  VOLUME_ATTACHMENTS,
  VOLUME_ATTRIBUTES_CLASSES,
} from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupResource, ResourceOf } from '#lib/machinery/schema.ts';
import type { TablePrinter } from '../printer.ts';
import {
  admissionPolicyBinding,
  mutatingAdmissionPolicy,
  validatingAdmissionPolicy,
} from './admissionregistration/admission-policy.ts';
import { webhookConfiguration } from './admissionregistration/webhook-configuration.ts';
import { apiService } from './apiregistration/api-service.ts';
import { controllerRevision } from './apps/controller-revision.ts';
import { daemonSet } from './apps/daemon-set.ts';
import { deployment } from './apps/deployment.ts';
import { replicaSet } from './apps/replica-set.ts';
import { statefulSet } from './apps/stateful-set.ts';
import { horizontalPodAutoscaler } from './autoscaling/horizontal-pod-autoscaler.ts';
import { cronJob } from './batch/cron-job.ts';
import { job } from './batch/job.ts';
import { certificateSigningRequest } from './certificates/certificate-signing-request.ts';
import { lease } from './coordination/lease.ts';
import { configMap, secret } from './core/config.ts';
import { endpoints } from './core/endpoints.ts';
import { event } from './core/event.ts';
import { namespace } from './core/namespace.ts';
import { node } from './core/node.ts';
import { persistentVolume, persistentVolumeClaim } from './core/persistent-volume.ts';
import { pod } from './core/pod.ts';
import { podTemplate } from './core/pod-template.ts';
import { replicationController } from './core/replication-controller.ts';
import { resourceQuota } from './core/resource-quota.ts';
import { service } from './core/service.ts';
import { defaultPrinter } from './default.ts';
import { endpointSlice } from './discovery/endpoint-slice.ts';
import { flowSchema } from './flowcontrol/flow-schema.ts';
import { priorityLevelConfiguration } from './flowcontrol/priority-level-configuration.ts';
import { nameAndAge } from './name-and-age.ts';
import { ingress, ingressClass } from './networking/ingress.ts';
import { networkPolicy } from './networking/network-policy.ts';
import { ipAddress, serviceCidr } from './networking/service-cidr.ts';
import { runtimeClass } from './node/runtime-class.ts';
import { podDisruptionBudget } from './policy/pod-disruption-budget.ts';
import { roleBinding } from './rbac/role-binding.ts';
import { resourceClaim } from './resource/resource-claim.ts';
import { resourceSlice } from './resource/resource-slice.ts';
import { priorityClass } from './scheduling/priority-class.ts';
import { csiDriver, csiNode } from './storage/csi.ts';
import { storageClass, volumeAttributesClass } from './storage/storage-class.ts';
import { volumeAttachment } from './storage/volume-attachment.ts';

/** Erases the object type of a printer, so that the table can hold it. */
const of = <T extends JsonObject>(
  { group, resource }: ResourceOf<T>,
  printer: TablePrinter<NoInfer<T>>,
): readonly [string, TablePrinter] => [`${group}/${resource}`, printer];

/** Keyed by `group/resource`. Upstream uses its default printer for other kinds: roles, limit ranges, storage capacities. */
const PRINTERS: ReadonlyMap<string, TablePrinter> = new Map([
  of(CONFIG_MAPS, configMap),
  of(ENDPOINTS, endpoints),
  of(EVENTS, event),
  of(NAMESPACES, namespace),
  of(NODES, node),
  of(PERSISTENT_VOLUME_CLAIMS, persistentVolumeClaim),
  of(PERSISTENT_VOLUMES, persistentVolume),
  of(PODS, pod),
  of(POD_TEMPLATES, podTemplate),
  of(REPLICATION_CONTROLLERS, replicationController),
  of(RESOURCE_QUOTAS, resourceQuota),
  of(SECRETS, secret),
  of(SERVICE_ACCOUNTS, nameAndAge),
  of(SERVICES, service),
  of(MUTATING_ADMISSION_POLICIES, mutatingAdmissionPolicy),
  of(MUTATING_ADMISSION_POLICY_BINDINGS, admissionPolicyBinding),
  of(MUTATING_WEBHOOK_CONFIGURATIONS, webhookConfiguration),
  of(VALIDATING_ADMISSION_POLICIES, validatingAdmissionPolicy),
  of(VALIDATING_ADMISSION_POLICY_BINDINGS, admissionPolicyBinding),
  of(VALIDATING_WEBHOOK_CONFIGURATIONS, webhookConfiguration),
  of(API_SERVICES, apiService),
  of(CONTROLLER_REVISIONS, controllerRevision),
  of(DAEMON_SETS, daemonSet),
  of(DEPLOYMENTS, deployment),
  of(REPLICA_SETS, replicaSet),
  of(STATEFUL_SETS, statefulSet),
  of(HORIZONTAL_POD_AUTOSCALERS, horizontalPodAutoscaler),
  of(CRON_JOBS, cronJob),
  of(JOBS, job),
  of(CERTIFICATE_SIGNING_REQUESTS, certificateSigningRequest),
  of(LEASES, lease),
  of(ENDPOINT_SLICES, endpointSlice),
  of(EVENTSV1_EVENTS, event),
  of(FLOW_SCHEMAS, flowSchema),
  of(PRIORITY_LEVEL_CONFIGURATIONS, priorityLevelConfiguration),
  of(INGRESS_CLASSES, ingressClass),
  of(INGRESSES, ingress),
  of(IP_ADDRESSES, ipAddress),
  of(NETWORK_POLICIES, networkPolicy),
  of(SERVICE_CIDRS, serviceCidr),
  of(RUNTIME_CLASSES, runtimeClass),
  of(POD_DISRUPTION_BUDGETS, podDisruptionBudget),
  of(CLUSTER_ROLE_BINDINGS, roleBinding),
  of(ROLE_BINDINGS, roleBinding),
  of(DEVICE_CLASSES, nameAndAge),
  of(RESOURCE_CLAIMS, resourceClaim),
  of(RESOURCE_CLAIM_TEMPLATES, nameAndAge),
  of(RESOURCE_SLICES, resourceSlice),
  of(PRIORITY_CLASSES, priorityClass),
  of(CSI_DRIVERS, csiDriver),
  of(CSI_NODES, csiNode),
  of(STORAGE_CLASSES, storageClass),
  of(VOLUME_ATTACHMENTS, volumeAttachment),
  of(VOLUME_ATTRIBUTES_CLASSES, volumeAttributesClass),
]);

/** The printer that `kubectl get` uses for a built-in resource. */
export function printerOf({ group, resource }: GroupResource): TablePrinter {
  return PRINTERS.get(`${group}/${resource}`) ?? defaultPrinter;
}
