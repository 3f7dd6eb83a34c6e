import { defined } from '#lib/machinery/defined.ts';
import { arrayAt, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { FUNCTION_ANNOTATION } from '#lib/server/webhook/annotated-functions.ts';
import type { WebhookDeclaration } from './declaration.ts';
import { toJsonObject } from './envelope.ts';
import { NAMESPACE } from './names.ts';

/** The label of objects that the registration wrote. It is used to find those that are no longer declared. */
export const MANAGED: readonly [string, string] = ['app.kubernetes.io/managed-by', 'davit-webhooks'];

type Admission = Extract<WebhookDeclaration, { type: 'Mutating' | 'Validating' }>;

/** The name of a webhook in configurations and messages. */
export const fullName = ({ name }: WebhookDeclaration): string => `${name}.webhooks.davit.dev`;

/** The Service reference in a webhook's configuration. */
export const serviceOf = ({ name }: { readonly name: string }) => ({ namespace: NAMESPACE, name, port: 443, path: '' });

const labels = (): JsonObject => ({ [MANAGED[0]]: MANAGED[1] });

/**
 * The Service through which a webhook is called, and the metadata of its configuration. Webhooks are not called for objects in the
 * Service's namespace.
 */
export interface WebhookPlace {
  readonly service: { readonly namespace: string; readonly name: string; readonly path?: string };
  readonly labels: JsonObject;
  readonly annotations?: JsonObject;
}

const ownPlace = ({ name }: WebhookDeclaration): WebhookPlace => ({
  service: { namespace: NAMESPACE, name },
  labels: labels(),
});

/** The namespace of webhooks' objects. */
export const NAMESPACE_OBJECT: JsonObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };

/** The Service that represents the function `functionName`. It has no cluster IP and no endpoints. */
export function serviceObject({ name }: WebhookDeclaration, functionName: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: NAMESPACE, name, labels: labels(), annotations: { [FUNCTION_ANNOTATION]: functionName } },
    spec: { clusterIP: 'None', ports: [{ name: 'https', port: 443, protocol: 'TCP' }] },
  };
}

/** The configuration object of an admission webhook, or the conversion of a definition. Undefined for webhooks that flags configure. */
export function configurationObject(
  declaration: WebhookDeclaration,
  place = ownPlace(declaration),
): JsonObject | undefined {
  switch (declaration.type) {
    case 'Mutating':
    case 'Validating':
      return admissionConfiguration(declaration, place);
    case 'Conversion':
      return conversion(declaration.definition, place);
    case 'TokenReview':
    case 'SubjectAccessReview':
    case 'ImagePolicy':
      return undefined;
    default:
      return declaration satisfies never;
  }
}

function admissionConfiguration(declaration: Admission, { service, ...metadata }: WebhookPlace): JsonObject {
  const { type, name: _, sideEffects = 'None', namespaceSelector, ...given } = declaration;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${type}WebhookConfiguration`,
    metadata: { name: fullName(declaration), ...metadata },
    webhooks: [
      {
        ...toJsonObject(given),
        name: fullName(declaration),
        clientConfig: { service: { ...service } },
        admissionReviewVersions: ['v1'],
        sideEffects,
        namespaceSelector: without(service.namespace, namespaceSelector),
      },
    ],
  };
}

function without(namespace: string, selector: JsonObject | undefined): JsonObject {
  const own = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [namespace] };
  const matchLabels = objectAt(selector, 'matchLabels');
  const matchExpressions = [...arrayAt(selector, 'matchExpressions'), own];
  return matchLabels === undefined ? { matchExpressions } : { matchLabels, matchExpressions };
}

const conversion = (definition: string, { service, annotations }: WebhookPlace): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: definition, ...defined({ annotations }) },
  spec: {
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig: { service: { ...service } }, conversionReviewVersions: ['v1'] },
    },
  },
});
