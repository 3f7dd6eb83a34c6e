import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Change } from '#lib/storage/sequence.ts';
import { aBody } from '#test/support/stream/world.ts';
import { eventOf } from './event.ts';
import { changeEventSchema } from './event-schema.ts';

const AT = { clusterId: 'test', sequence: 'main//configmaps' };

const NO_SUMMARY = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };

function aChange(over: Partial<Change> = {}): Change {
  return {
    ...NO_SUMMARY,
    version: 7,
    key: 'main//configmaps/default/a',
    type: 'ADDED',
    body: aBody('a'),
    ...over,
  };
}

const modified = (body: Record<string, unknown>, before: Record<string, unknown>) =>
  aChange({
    type: 'MODIFIED',
    body: aBody('a', body),
    previous: { ...NO_SUMMARY, version: 5 },
    previousBody: aBody('a', before),
  });

describe('an event on the bus', () => {
  test('names the object and its versions', () => {
    expect(eventOf(aChange(), AT)).toEqual({
      format: 1,
      clusterId: 'test',
      cluster: 'main',
      sequence: 'main//configmaps',
      type: 'ADDED',
      apiVersion: 'v1',
      kind: 'ConfigMap',
      resource: 'configmaps',
      namespace: 'default',
      name: 'a',
      uid: 'uid-of-a',
      resourceVersion: '7',
    });
  });

  test('has no namespace for a cluster-scoped object, and a generation for a kind with generations', () => {
    const event = eventOf(aChange({ key: 'main//nodes//n', generation: 3 }), AT);
    expect(event.generation).toBe(3);
    expect('namespace' in event).toBe(false);
  });

  test('contains only the placement of a pod', () => {
    const spec = { schedulerName: 'default-scheduler', containers: [{ image: 'secret' }] };
    const change = aChange({ key: 'main//pods/default/a', body: aBody('a', { spec, status: { phase: 'Pending' } }) });
    const event = eventOf(change, AT);
    expect(event.pod).toEqual({ nodeName: '', schedulerName: 'default-scheduler', phase: 'Pending' });
    expect(JSON.stringify(event)).not.toContain('secret');
    const other = aChange({ key: 'main/example.com/pods/default/a', body: change.body });
    expect(eventOf(other, AT)).not.toHaveProperty('pod');
  });

  test.each([
    ['no change', {}, {}, []],
    ['a changed spec', { spec: { a: 1 } }, { spec: { a: 2 } }, ['spec']],
    ['a changed spec and status', { spec: { a: 1 }, status: {} }, {}, ['spec', 'status']],
    ['changed data or binaryData', { binaryData: { a: '' } }, { data: { a: '' } }, ['data']],
    ['a changed field outside all sections', { immutable: true }, {}, ['other']],
    [
      'a changed label',
      { metadata: { resourceVersion: '0', labels: { a: 'b' } } },
      { metadata: { labels: {} } },
      ['metadata'],
    ],
    [
      'only fields that every write changes',
      { metadata: { resourceVersion: '0', generation: 2, managedFields: [{}] } },
      { metadata: { resourceVersion: '1' } },
      [],
    ],
    [
      'changed allocatable resources of a node',
      { kind: 'Node', status: { allocatable: { cpu: '4' } } },
      { kind: 'Node', status: { allocatable: { cpu: '2' } } },
      ['allocatable', 'status'],
    ],
    [
      'a heartbeat of a node',
      { kind: 'Node', status: { allocatable: { cpu: '4' }, conditions: [] } },
      { kind: 'Node', status: { allocatable: { cpu: '4' } } },
      ['status'],
    ],
    [
      'a key named like a prototype member',
      JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>,
      {},
      ['other'],
    ],
  ])('lists the changed sections: %s', (_, body, before, changed) => {
    expect(eventOf(modified(body, before), AT)).toMatchObject({ changed, previousResourceVersion: '5' });
  });

  test('lists no changed sections if the previous state is unknown', () => {
    const { previousBody: _, ...change } = modified({ spec: {} }, {});
    expect(eventOf(change, AT)).not.toHaveProperty('changed');
  });

  test.each(['[]', '"text"', 'null'])('is not created for the body %s', (body) => {
    expect(() => eventOf(aChange({ body: Buffer.from(body) }), AT)).toThrow(TypeError);
  });

  const value = fc.stringMatching(/^[A-Z]{12,40}$/);
  const secret = fc.record({
    data: fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), value),
    stringData: fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), value),
    metadata: fc.record({ annotations: fc.dictionary(value, value), labels: fc.dictionary(value, value) }),
    status: fc.record({ message: value }),
    foreign: fc.jsonValue(),
  });

  test('conforms to its schema, is small and contains no object data', () => {
    fc.assert(
      fc.property(secret, secret, (now, before) => {
        const event = eventOf(modified(now, before), AT);
        expect(z.strictObject(changeEventSchema.shape).parse(event)).toEqual(event);
        const text = JSON.stringify(event);
        expect(text.length).toBeLessThan(1000);
        for (const known of JSON.stringify([now, before]).match(/[A-Z]{12,}/g) ?? []) expect(text).not.toContain(known);
      }),
    );
  });

  test('is small even with the longest names', () => {
    const long = (n: number) => 'x'.repeat(n);
    const key = `main/${long(253)}/${long(63)}/${long(63)}/${long(253)}`;
    const body = aBody('a', { kind: long(63), apiVersion: `${long(253)}/${long(63)}` });
    const event = eventOf(aChange({ key, body }), { clusterId: long(64), sequence: `main/${long(253)}/${long(63)}` });
    expect(JSON.stringify(event).length).toBeLessThan(3000);
  });
});

test('keeps docs/events.schema.json equal to the schema', () => {
  const written: unknown = JSON.parse(readFileSync('docs/events.schema.json', 'utf8'));
  expect(written, 'run `node scripts/event-schema.ts`').toEqual(z.toJSONSchema(changeEventSchema, { io: 'input' }));
});

test('shows an event in docs/events.md that conforms to the schema', () => {
  const example = /```json\n([^]*?)```/.exec(readFileSync('docs/events.md', 'utf8'))?.[1] ?? '';
  const shown = z.object({ detail: z.strictObject(changeEventSchema.shape) }).parse(JSON.parse(example));
  expect(shown.detail.kind).toBe('Deployment');
});
