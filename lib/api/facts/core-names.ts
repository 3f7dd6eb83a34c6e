interface Names {
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** The short names and categories of the core group's resources, which no published document contains. */
export const CORE_NAMES: Readonly<Record<string, Names>> = {
  componentstatuses: { shortNames: ['cs'] },
  configmaps: { shortNames: ['cm'] },
  endpoints: { shortNames: ['ep'] },
  events: { shortNames: ['ev'] },
  limitranges: { shortNames: ['limits'] },
  namespaces: { shortNames: ['ns'] },
  nodes: { shortNames: ['no'] },
  persistentvolumeclaims: { shortNames: ['pvc'] },
  persistentvolumes: { shortNames: ['pv'] },
  pods: { shortNames: ['po'], categories: ['all'] },
  replicationcontrollers: { shortNames: ['rc'], categories: ['all'] },
  resourcequotas: { shortNames: ['quota'] },
  serviceaccounts: { shortNames: ['sa'] },
  services: { shortNames: ['svc'], categories: ['all'] },
};
