import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { DEPLOYMENTS } from '#lib/api/types/resources.ts';
import { HASH_LABEL, sameTemplate } from './template.ts';

test('compares templates ignoring their hash label', () => {
  const of = (labels: Record<string, string>) =>
    decodedAs(DEPLOYMENTS, { spec: { template: { metadata: { labels } } } });
  expect(sameTemplate(of({ app: 'web', [HASH_LABEL]: 'x' }), of({ app: 'web' }))).toBe(true);
  expect(sameTemplate(of({ app: 'web' }), of({ app: 'other' }))).toBe(false);
});
