import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { TEXTS } from '../descriptions/texts.ts';
import { described } from './describe.ts';
import { openApiV3 } from './v3.ts';

const at = (object: JsonObject, ...path: string[]): JsonObject | undefined =>
  path.reduce<JsonObject | undefined>((inner, field) => objectAt(inner, field), object);

describe('described documents', () => {
  const document = described(openApiV3({ group: '', version: 'v1' }));
  const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
  const configMap = '/api/v1/namespaces/{namespace}/configmaps/{name}';

  test.each([
    ['a type', ['components', 'schemas', meta], TEXTS['meta.v1.ObjectMeta']?.['']],
    ['a field', ['components', 'schemas', meta, 'properties', 'labels'], TEXTS['meta.v1.ObjectMeta']?.['labels']],
    ['an operation', ['paths', configMap, 'get'], 'Reads one ConfigMap by its name.'],
    ['an answer', ['paths', configMap, 'put', 'responses', '201'], 'Created'],
  ])('contain a text for %s', (_, path, text) => {
    expect(text).toBeTypeOf('string');
    expect(at(document, ...path)?.['description']).toBe(text);
  });

  test('describe every response, as OpenAPI requires', () => {
    const answers = Object.values(at(document, 'paths', configMap, 'get', 'responses') ?? {});
    expect(answers.length).toBeGreaterThan(1);
    for (const answer of answers) expect(answer).toMatchObject({ description: expect.any(String) });
  });

  test('keep an existing text', () => {
    const schemas = { [meta]: { description: 'mine', type: 'object' } };
    expect(at(described({ components: { schemas } }), 'components', 'schemas', meta)?.['description']).toBe('mine');
  });
});
