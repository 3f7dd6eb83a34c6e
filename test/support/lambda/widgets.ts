import { simpleDefinition } from '#test/support/simple-definition.ts';

/** A definition, and an object of it. */
export const WIDGETS = simpleDefinition({
  group: 'example.com',
  plural: 'widgets',
  kind: 'Widget',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } } },
});
export const widget = (size: number): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'one', namespace: 'default' },
  spec: { size },
});
