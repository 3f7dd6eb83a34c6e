import { expect, test } from 'vitest';
import { resourcesOf, servedGroupVersions } from '#lib/api/kinds.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { summarizeBody } from './summarize-body.ts';

test('summarizes an object of any built-in kind that has only a name', () => {
  const kinds = servedGroupVersions().flatMap(resourcesOf);
  expect(kinds.length).toBeGreaterThan(50);
  for (const facts of kinds) {
    const metadata = { name: 'x', labels: { a: 'b' } };
    const body = encodeObject({ kind: facts.kind, apiVersion: apiVersion(facts), metadata });
    expect(summarizeBody(body).labels, facts.kind).toEqual({ a: 'b' });
  }
});
