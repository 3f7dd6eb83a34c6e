import type { JsonObject } from '#lib/machinery/json-value.ts';

/** Named parts of `thing`, as OpenAPI publishes them. */
export const definitions: JsonObject = {
  't.v1.Item': {
    type: 'object',
    required: ['k'],
    properties: {
      k: { type: 'string' },
      v: { type: 'integer' },
      sub: { type: 'object', additionalProperties: { type: 'string' } },
      deep: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { $ref: '#/components/schemas/t.v1.Item' },
      },
    },
  },
  't.v1.Struct': {
    type: 'object',
    properties: {
      x: { type: 'string' },
      y: { type: 'string' },
      list: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      in: { $ref: '#/components/schemas/t.v1.Struct' },
    },
  },
  'meta.ObjectMeta': {
    type: 'object',
    properties: {
      name: { type: 'string' },
      namespace: { type: 'string' },
      uid: { type: 'string' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      annotations: { type: 'object', additionalProperties: { type: 'string' } },
      finalizers: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      managedFields: { type: 'array', items: { type: 'object' } },
    },
  },
};

/** A kind with every form of list and map that structured merge supports. */
export const thing: JsonObject = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { $ref: '#/components/schemas/meta.ObjectMeta' },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    nums: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
    atomic: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
    plain: { type: 'array', items: { type: 'object', properties: { x: { type: 'string' } } } },
    map: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { $ref: '#/components/schemas/t.v1.Item' },
    },
    two: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['b', 'a'],
      items: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'integer', default: 7 }, v: { type: 'string' } },
      },
    },
    merge: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'k',
      items: { $ref: '#/components/schemas/t.v1.Item' },
    },
    granular: { type: 'object', additionalProperties: { type: 'string' } },
    atom: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { x: { type: 'string' }, y: { type: 'string' } },
    },
    refatom: { $ref: '#/components/schemas/t.v1.Struct', 'x-kubernetes-map-type': 'atomic' },
    struct: { allOf: [{ $ref: '#/components/schemas/t.v1.Struct' }], default: {} },
    ios: { 'x-kubernetes-int-or-string': true },
    free: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: { type: 'object', properties: { y: { type: 'string' } } } },
    },
    any: {},
    maps: {
      type: 'object',
      additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    },
    flag: { type: 'boolean' },
    num: { type: 'number' },
    date: { type: 'string', format: 'date-time' },
  },
};
