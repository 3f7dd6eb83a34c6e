import type { BindingTable, RoleTable } from './table.ts';

/**
 * The group of this program's own controllers. Upstream's controllers share informers that read as the controller manager, which may list
 * and watch everything. Ours read with their own identity.
 */
export const CONTROLLERS_GROUP = 'system:davit:controllers';

/** The role of nodes whose serving certificates are approved. It has no initial binding, because upstream approves none. */
export const SERVING_ROLE = 'system:davit:certificatesigningrequests:selfnodeserver';
const APPROVER = 'system:davit:certificate-approver';

/** The cluster roles in addition to upstream's bootstrap policy. */
export const OWN_ROLES: RoleTable = {
  [CONTROLLERS_GROUP]: ['get,list,watch * *'],
  [APPROVER]: ['approve certificates.k8s.io signers kubernetes.io/kubelet-serving'],
  [SERVING_ROLE]: ['create certificates.k8s.io certificatesigningrequests/selfnodeserver'],
};
/** The subjects of these roles. */
export const OWN_BINDINGS: BindingTable = {
  [CONTROLLERS_GROUP]: [`Group ${CONTROLLERS_GROUP}`],
  [APPROVER]: ['ServiceAccount kube-system/certificate-controller'],
};
