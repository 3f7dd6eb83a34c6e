import { describe, expect, test } from 'vitest';
import { isPretty, MEDIA_TYPES, type Negotiation, negotiate, parseAccept } from './negotiate.ts';

const JSON_ONLY = MEDIA_TYPES.slice(0, 2);
const asked = (headers: Record<string, string>, query = '') => ({ headers, query: new URLSearchParams(query) });
const chosen = (accept: string, transforms = true, mediaTypes = MEDIA_TYPES): Negotiation =>
  negotiate(asked({ accept }), { mediaTypes, transforms });

describe('negotiate with an Accept header', () => {
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  test.each<[string, Partial<Negotiation>]>([
    ['', { mediaType: 'application/json' }],
    ['  ', { mediaType: 'application/json' }],
    ['*/*', { mediaType: 'application/json' }],
    ['application/*', { mediaType: 'application/json' }],
    ['application/yaml', { mediaType: 'application/yaml' }],
    ['APPLICATION/YAML, application/json;q=0.1', { mediaType: 'application/json' }],
    ['text/html, application/yaml', { mediaType: 'application/yaml' }],
    ['application/yaml;q=0.5, application/json', { mediaType: 'application/json' }],
    ['application/vnd.kubernetes.protobuf, application/json', { mediaType: 'application/vnd.kubernetes.protobuf' }],
    ['application/json;pretty=1', { mediaType: 'application/json', pretty: true }],
    [`${table.replace('json', 'vnd.kubernetes.protobuf')}, application/yaml`, { mediaType: 'application/yaml' }],
    [table, { mediaType: 'application/json', as: { kind: 'Table', version: 'v1' } }],
    [
      `${table.replace('v1', 'v9')},${table.replace('v=v1', 'v=v1beta1')}`,
      { as: { kind: 'Table', version: 'v1beta1' } },
    ],
    [`${table.replace('Table', 'Nope')}, */*`, { mediaType: 'application/json' }],
    [`${table.replace('meta.k8s.io', 'other')}, application/yaml`, { mediaType: 'application/yaml' }],
  ])('chooses a type for %j', (accept, want) => {
    expect(chosen(accept)).toMatchObject(want);
  });

  test.each([
    'text/html',
    'image/*',
    table.replace('Table', 'Nope'),
    'application',
    ';;',
    ',',
    'application/json;as=Table',
    'application/json;stream=other',
    'application/yaml;stream=watch',
  ])('rejects the header %j', (accept) => {
    expect(() => chosen(accept)).toThrow('only the following media types are accepted: application/json, ');
  });

  test('skips types that are not offered', () => {
    expect(chosen('application/vnd.kubernetes.protobuf, application/json', true, JSON_ONLY).mediaType).toBe(
      'application/json',
    );
    expect(chosen(`${table}, application/yaml`, false).mediaType).toBe('application/yaml');
    const request = asked({ accept: `${table}, application/yaml` });
    const offer = { mediaTypes: MEDIA_TYPES, transforms: true, tables: false };
    expect(negotiate(request, offer).mediaType).toBe('application/yaml');
  });

  test('keeps the order of clauses with equal quality', () => {
    const types = parseAccept('a/a;q=0.1, b/b, c/c;q=x, d/d;q=0.5').map(({ type }) => type);
    expect(types).toEqual(['b/b', 'c/c', 'd/d', 'a/a']);
  });
});

test.each<[string, string, boolean]>([
  ['kubectl/v1.36', '', false],
  ['curl/8.5', '', true],
  ['Wget/1.2', '', true],
  ['Mozilla/5.0 (X11)', '', true],
  ['libcurl', '', false],
  ['curl/8.5', 'pretty=false', false],
  ['curl/8.5', 'pretty=', true],
  ['kubectl', 'pretty=true', true],
  ['kubectl', 'pretty=1', true],
  ['kubectl', 'pretty=yes', false],
])('indents JSON for %s with ?%s: %s', (agent, query, pretty) => {
  expect(isPretty(asked({ 'user-agent': agent }, query))).toBe(pretty);
});
