import { pascal } from './kind-names.ts';

/** A version of a definition, with a number in a field of its spec. */
interface Version {
  readonly name: string;
  readonly field: string;
  readonly storage: boolean;
}
const V1: Version = { name: 'v1', field: 'size', storage: true };
const V1BETA1: Version = { name: 'v1beta1', field: 'count', storage: false };

/** A definition of `example.com/v1` with a schema, a status and columns. `conversion` also serves `v1beta1`, which has another field. */
export function definitionText(name: string, plural: string, conversion = false): string {
  const kind = pascal(name);
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: ${plural}
    singular: ${kind.toLowerCase()}
    kind: ${kind}
  versions:
${[V1, ...(conversion ? [V1BETA1] : [])].map(versionText).join('')}`;
}

const versionText = ({ name, field, storage }: Version): string => `    - name: ${name}
      served: true
      storage: ${storage}
      subresources:
        status: {}
      additionalPrinterColumns:
        - name: ${field.charAt(0).toUpperCase()}${field.slice(1)}
          type: integer
          jsonPath: .spec.${field}
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              properties:
                ${field}:
                  type: integer
                  minimum: 1
                  default: 1
            status:
              type: object
              properties:
                conditions:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [type]
                  items:
                    type: object
                    required: [type, status]
                    properties:
                      type:
                        type: string
                      status:
                        type: string
                        enum: ['True', 'False', Unknown]
                      reason:
                        type: string
                      message:
                        type: string
                      lastTransitionTime:
                        type: string
                        format: date-time
                      observedGeneration:
                        type: integer
                        format: int64
`;
