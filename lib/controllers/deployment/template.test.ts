import { expect, test } from 'vitest';
import { HASH_LABEL, sameTemplate } from './template.ts';

test('templates are the same whatever hash they carry', () => {
  const of = (labels: Record<string, string>) => ({ spec: { template: { metadata: { labels }, spec: { a: [] } } } });
  expect(sameTemplate(of({ app: 'web', [HASH_LABEL]: 'x' }), of({ app: 'web' }))).toBe(true);
  expect(sameTemplate(of({ app: 'web' }), of({ app: 'other' }))).toBe(false);
});
