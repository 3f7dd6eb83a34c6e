/** A definition with two versions, status, scale, printer columns, defaults, pruning and selectable fields, as YAML. */
export const WIDGETS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.davit.test }
spec:
  group: davit.test
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [toys] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
        scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector }
      additionalPrinterColumns:
        - { name: Size, type: integer, jsonPath: .spec.size }
        - { name: Phase, type: string, jsonPath: .status.phase }
        - { name: Colour, type: string, jsonPath: .spec.colour, priority: 1 }
      selectableFields: [{ jsonPath: .spec.colour }]
      schema: &schema
        openAPIV3Schema:
          type: object
          description: A widget is a small thing.
          required: [spec]
          properties:
            spec:
              type: object
              description: What is wanted.
              required: [size]
              properties:
                size: { type: integer, minimum: 1, maximum: 10, description: How big it is. }
                colour: { type: string, default: grey, enum: [grey, red, blue] }
                replicas: { type: integer }
                parts:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items:
                    type: object
                    required: [name]
                    properties: { name: { type: string }, count: { type: integer } }
            status:
              type: object
              properties:
                phase: { type: string }
                replicas: { type: integer }
                selector: { type: string }
                conditions:
                  type: array
                  items:
                    type: object
                    properties: { type: { type: string }, status: { type: string } }
    - name: v1beta1
      served: true
      storage: false
      selectableFields: [{ jsonPath: .spec.colour }]
      schema: *schema
`;

/** A widget as YAML, with its spec in flow style. */
export const widget = (name: string, spec: string): string =>
  `apiVersion: davit.test/v1\nkind: Widget\nmetadata: { name: ${name} }\nspec: ${spec}\n`;
