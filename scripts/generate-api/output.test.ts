import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skipUnless } from '#test/support/skip.ts';
import { generatedFiles } from './output.ts';

const fixtures = process.env['DAVIT_FIXTURES'];

test(
  'the committed table is what the generator writes',
  skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'),
  () => {
    const api = join(import.meta.dirname, '..', '..', 'lib', 'api');
    for (const [name, text] of Object.entries(generatedFiles(join(fixtures ?? '', 'data'), api))) {
      expect(readFileSync(join(api, 'generated', name), 'utf8') === text, name).toBe(true);
    }
  },
);
