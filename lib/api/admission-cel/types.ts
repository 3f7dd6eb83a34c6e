import type { TypeProvider } from '#lib/api/cel/types/provider.ts';
import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  type Type,
  timestampType,
} from '#lib/api/cel/types/type.ts';

import { CelError } from '#lib/api/cel/values/value.ts';

type Fields = Readonly<Record<string, Type>>;

const text = stringType;
const texts = listType(text);

/** The type of the variable `request`. */
export const requestType: Type = objectType('kubernetes.AdmissionRequest');
/** The type of the variable `namespaceObject`. */
export const namespaceType: Type = objectType('kubernetes.Namespace');
/** The type of the variable `variables`. */
export const variablesType: Type = objectType('kubernetes.variables');
const kindType = objectType('kubernetes.GroupVersionKind');
const resourceType = objectType('kubernetes.GroupVersionResource');
const userType = objectType('kubernetes.UserInfo');
const metadataType = objectType('kubernetes.NamespaceMetadata');
const specType = objectType('kubernetes.NamespaceSpec');
const statusType = objectType('kubernetes.NamespaceStatus');
const conditionType = objectType('kubernetes.NamespaceCondition');

/** Upstream's BuildRequestType and BuildNamespaceType: the fields of a request and its namespace that expressions can use. */
const FIELDS: Readonly<Record<string, Fields>> = {
  [requestType.name]: {
    kind: kindType,
    resource: resourceType,
    subResource: text,
    requestKind: kindType,
    requestResource: resourceType,
    requestSubResource: text,
    name: text,
    namespace: text,
    operation: text,
    userInfo: userType,
    dryRun: boolType,
    options: dynType,
  },
  [kindType.name]: { group: text, version: text, kind: text },
  [resourceType.name]: { group: text, version: text, resource: text },
  [userType.name]: { username: text, uid: text, groups: texts, extra: mapType(text, texts) },
  [namespaceType.name]: { metadata: metadataType, spec: specType, status: statusType },
  [metadataType.name]: {
    name: text,
    generateName: text,
    namespace: text,
    labels: mapType(text, text),
    annotations: mapType(text, text),
    UID: text,
    creationTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: timestampType,
    generation: intType,
    resourceVersion: text,
    finalizers: texts,
  },
  [specType.name]: { finalizers: texts },
  [statusType.name]: { conditions: listType(conditionType), phase: text },
  [conditionType.name]: { status: text, type: text, lastTransitionTime: timestampType, message: text, reason: text },
};

/** The types of the admission variables. `variables` are the types of the policy's composed variables. */
export class AdmissionTypes implements TypeProvider {
  readonly #variables: ReadonlyMap<string, Type>;
  readonly #more: TypeProvider | undefined;

  constructor(variables: ReadonlyMap<string, Type>, more?: TypeProvider) {
    this.#variables = variables;
    this.#more = more;
  }

  findType(name: string): Type | undefined {
    if (Object.hasOwn(FIELDS, name) || name === variablesType.name) return objectType(name);
    return this.#more?.findType(name);
  }

  findField(typeName: string, field: string): Type | undefined {
    if (typeName === variablesType.name) return this.#variables.get(field);
    const fields = Object.hasOwn(FIELDS, typeName) ? FIELDS[typeName] : undefined;
    if (fields === undefined) return this.#more?.findField(typeName, field);
    return Object.hasOwn(fields, field) ? fields[field] : undefined;
  }

  newValue(typeName: string, fields: Parameters<NonNullable<TypeProvider['newValue']>>[1]) {
    return this.#more?.newValue?.(typeName, fields) ?? new CelError(`type ${typeName} cannot be made`);
  }
}
