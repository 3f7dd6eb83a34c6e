import type { BindingTable, RoleTable } from './table.ts';

/**
 * The group of this program's own controllers. Upstream's controllers share informers that read as the controller manager, which may list
 * and watch everything. The controllers of this program read with their own identities.
 */
export const CONTROLLERS_GROUP = 'system:davit:controllers';

/** The role of nodes whose serving certificates are approved. It has no initial binding, because upstream approves none. */
export const SERVING_ROLE = 'system:davit:certificatesigningrequests:selfnodeserver';
const APPROVER = 'system:davit:certificate-approver';

const POSEIDON = 'system:poseidon';

/** The cluster roles in addition to upstream's bootstrap policy. */
export const OWN_ROLES: RoleTable = {
  [CONTROLLERS_GROUP]: ['get,list,watch * *'],
  [APPROVER]: ['approve certificates.k8s.io signers kubernetes.io/kubelet-serving'],
  // The rules of system:kube-scheduler, without victims of preemption, and with evictions for refinement.
  [POSEIDON]: [
    'create,patch,update core,events.k8s.io events',
    'create,get,update coordination.k8s.io leases',
    'get,list,watch core namespaces,nodes,persistentvolumeclaims,persistentvolumes,pods,replicationcontrollers,services',
    'create core pods/binding,pods/eviction',
    'get scheduling.x-k8s.io podgroups',
    'patch,update core pods/status',
    'get,list,watch apps replicasets,statefulsets',
    'get,list,watch policy poddisruptionbudgets',
    'get,list,watch storage.k8s.io csidrivers,csinodes,csistoragecapacities,storageclasses,volumeattachments',
    'patch,update core persistentvolumeclaims,persistentvolumes',
    'get,list,watch resource.k8s.io deviceclasses,resourceslices',
    'create,delete,get,list,patch,update,watch resource.k8s.io resourceclaims',
    'get,list,patch,update,watch resource.k8s.io resourceclaims/status',
    'patch,update resource.k8s.io resourceclaims/binding',
    'update core pods/finalizers',
  ],
  [SERVING_ROLE]: ['create certificates.k8s.io certificatesigningrequests/selfnodeserver'],
};
/** The subjects of these roles. */
export const OWN_BINDINGS: BindingTable = {
  [CONTROLLERS_GROUP]: [`Group ${CONTROLLERS_GROUP}`],
  [POSEIDON]: [`User ${POSEIDON}`],
  [APPROVER]: ['ServiceAccount kube-system/certificate-controller'],
};
