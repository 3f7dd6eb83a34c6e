import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampledb } from '../../examples/sampledb/sampledb.ts';
import { manifestsOf } from './manifests.ts';

test("the example's deploy.yaml is what follows from its declaration", () => {
  const image = 'registry.example.com/sampledb-operator:1';
  const manifests = manifestsOf([sampledb.declaration], { file: 'sampledb.ts', namespace: 'sampledb-system', image });
  const example = join(import.meta.dirname, '../../examples/sampledb/deploy.yaml');
  expect(readFileSync(example, 'utf8')).toBe(manifests);
});
