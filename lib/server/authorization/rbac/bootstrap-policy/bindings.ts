import type { BindingTable, NamespacedRoles } from './table.ts';

/** Cluster role bindings, each to the role with the same name. */
export const CLUSTER_ROLE_BINDINGS: BindingTable = {
  'cluster-admin': ['Group system:masters'],
  'system:basic-user': ['Group system:authenticated'],
  'system:discovery': ['Group system:authenticated'],
  'system:kube-controller-manager': ['User system:kube-controller-manager'],
  'system:kube-dns': ['ServiceAccount kube-system/kube-dns'],
  'system:kube-scheduler': ['User system:kube-scheduler'],
  'system:monitoring': ['Group system:monitoring'],
  'system:node': [],
  'system:node-proxier': ['User system:kube-proxy'],
  'system:public-info-viewer': ['Group system:authenticated', 'Group system:unauthenticated'],
  'system:service-account-issuer-discovery': ['Group system:serviceaccounts'],
  'system:volume-scheduler': ['User system:kube-scheduler'],
};

/** Roles of system namespaces and their bindings. */
export const NAMESPACED_ROLES: NamespacedRoles = {
  'kube-public': {
    roles: {
      'system:controller:bootstrap-signer': [
        'get,list,watch core configmaps',
        'update core configmaps cluster-info',
        'create,patch,update core,events.k8s.io events',
      ],
    },
    bindings: {
      'system:controller:bootstrap-signer': {
        role: 'system:controller:bootstrap-signer',
        subjects: ['ServiceAccount kube-system/bootstrap-signer'],
      },
    },
  },
  'kube-system': {
    roles: {
      'extension-apiserver-authentication-reader': [
        'get,list,watch core configmaps extension-apiserver-authentication',
      ],
      'system::leader-locking-kube-controller-manager': [
        'create,get,list,update,watch coordination.k8s.io leases',
        'create,get,list,update,watch coordination.k8s.io leasecandidates',
      ],
      'system::leader-locking-kube-scheduler': [
        'create,get,list,update,watch coordination.k8s.io leases',
        'create,get,list,update,watch coordination.k8s.io leasecandidates',
      ],
      'system:controller:bootstrap-signer': ['get,list,watch core secrets'],
      'system:controller:cloud-provider': ['create,get,list,watch core configmaps'],
      'system:controller:token-cleaner': [
        'delete,get,list,watch core secrets',
        'create,patch,update core,events.k8s.io events',
      ],
    },
    bindings: {
      'system::extension-apiserver-authentication-reader': {
        role: 'extension-apiserver-authentication-reader',
        subjects: ['User system:kube-controller-manager', 'User system:kube-scheduler'],
      },
      'system::leader-locking-kube-controller-manager': {
        role: 'system::leader-locking-kube-controller-manager',
        subjects: [
          'User system:kube-controller-manager',
          'ServiceAccount kube-system/kube-controller-manager',
          'ServiceAccount kube-system/leader-election-controller',
        ],
      },
      'system::leader-locking-kube-scheduler': {
        role: 'system::leader-locking-kube-scheduler',
        subjects: ['User system:kube-scheduler', 'ServiceAccount kube-system/kube-scheduler'],
      },
      'system:controller:bootstrap-signer': {
        role: 'system:controller:bootstrap-signer',
        subjects: ['ServiceAccount kube-system/bootstrap-signer'],
      },
      'system:controller:cloud-provider': {
        role: 'system:controller:cloud-provider',
        subjects: ['ServiceAccount kube-system/cloud-provider'],
      },
      'system:controller:token-cleaner': {
        role: 'system:controller:token-cleaner',
        subjects: ['ServiceAccount kube-system/token-cleaner'],
      },
    },
  },
};
