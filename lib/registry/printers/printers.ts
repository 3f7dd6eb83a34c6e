import type { GroupResource } from '#lib/machinery/schema.ts';
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
import { podTemplate } from './core/pod-template.ts';
import { pod } from './core/pod.ts';
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

/** By `group/resource`. Upstream shows what is not here by its default: roles, limit ranges, storage capacities. */
const PRINTERS: ReadonlyMap<string, TablePrinter> = new Map([
  ['/configmaps', configMap],
  ['/endpoints', endpoints],
  ['/events', event],
  ['/namespaces', namespace],
  ['/nodes', node],
  ['/persistentvolumeclaims', persistentVolumeClaim],
  ['/persistentvolumes', persistentVolume],
  ['/pods', pod],
  ['/podtemplates', podTemplate],
  ['/replicationcontrollers', replicationController],
  ['/resourcequotas', resourceQuota],
  ['/secrets', secret],
  ['/serviceaccounts', nameAndAge],
  ['/services', service],
  ['admissionregistration.k8s.io/mutatingadmissionpolicies', mutatingAdmissionPolicy],
  ['admissionregistration.k8s.io/mutatingadmissionpolicybindings', admissionPolicyBinding],
  ['admissionregistration.k8s.io/mutatingwebhookconfigurations', webhookConfiguration],
  ['admissionregistration.k8s.io/validatingadmissionpolicies', validatingAdmissionPolicy],
  ['admissionregistration.k8s.io/validatingadmissionpolicybindings', admissionPolicyBinding],
  ['admissionregistration.k8s.io/validatingwebhookconfigurations', webhookConfiguration],
  ['apiregistration.k8s.io/apiservices', apiService],
  ['apps/controllerrevisions', controllerRevision],
  ['apps/daemonsets', daemonSet],
  ['apps/deployments', deployment],
  ['apps/replicasets', replicaSet],
  ['apps/statefulsets', statefulSet],
  ['autoscaling/horizontalpodautoscalers', horizontalPodAutoscaler],
  ['batch/cronjobs', cronJob],
  ['batch/jobs', job],
  ['certificates.k8s.io/certificatesigningrequests', certificateSigningRequest],
  ['coordination.k8s.io/leases', lease],
  ['discovery.k8s.io/endpointslices', endpointSlice],
  ['events.k8s.io/events', event],
  ['flowcontrol.apiserver.k8s.io/flowschemas', flowSchema],
  ['flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', priorityLevelConfiguration],
  ['networking.k8s.io/ingressclasses', ingressClass],
  ['networking.k8s.io/ingresses', ingress],
  ['networking.k8s.io/ipaddresses', ipAddress],
  ['networking.k8s.io/networkpolicies', networkPolicy],
  ['networking.k8s.io/servicecidrs', serviceCidr],
  ['node.k8s.io/runtimeclasses', runtimeClass],
  ['policy/poddisruptionbudgets', podDisruptionBudget],
  ['rbac.authorization.k8s.io/clusterrolebindings', roleBinding],
  ['rbac.authorization.k8s.io/rolebindings', roleBinding],
  ['resource.k8s.io/deviceclasses', nameAndAge],
  ['resource.k8s.io/resourceclaims', resourceClaim],
  ['resource.k8s.io/resourceclaimtemplates', nameAndAge],
  ['resource.k8s.io/resourceslices', resourceSlice],
  ['scheduling.k8s.io/priorityclasses', priorityClass],
  ['storage.k8s.io/csidrivers', csiDriver],
  ['storage.k8s.io/csinodes', csiNode],
  ['storage.k8s.io/storageclasses', storageClass],
  ['storage.k8s.io/volumeattachments', volumeAttachment],
  ['storage.k8s.io/volumeattributesclasses', volumeAttributesClass],
]);

/** How `kubectl get` shows a built-in resource. */
export function printerOf({ group, resource }: GroupResource): TablePrinter {
  return PRINTERS.get(`${group}/${resource}`) ?? defaultPrinter;
}
