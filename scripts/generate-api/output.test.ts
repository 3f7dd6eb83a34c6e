import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from './output.ts';

const fixtures = process.env['DAVIT_FIXTURES'];
if (fixtures === undefined) console.log('skipped: DAVIT_FIXTURES names no folder with the published documents');

test.skipIf(fixtures === undefined)('the committed table is what the generator writes', () => {
  const api = join(import.meta.dirname, '..', '..', 'lib', 'api');
  for (const [name, text] of Object.entries(generatedFiles(join(fixtures ?? '', 'data'), api))) {
    expect(readFileSync(join(api, 'generated', name), 'utf8') === text, name).toBe(true);
  }
});
