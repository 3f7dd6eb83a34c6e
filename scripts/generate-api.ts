import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from './generate-api/output.ts';

/** Writes the table of built-in kinds: `DAVIT_FIXTURES=… npm run generate`. The output is committed. */
const fixtures = process.env['DAVIT_FIXTURES'];
if (fixtures === undefined) throw new Error('set DAVIT_FIXTURES to the folder with data/kubernetes-openapi-v3');

const api = join(import.meta.dirname, '..', 'lib', 'api');
mkdirSync(join(api, 'generated'), { recursive: true });
for (const [name, text] of Object.entries(generatedFiles(join(fixtures, 'data'), api))) {
  writeFileSync(join(api, 'generated', name), text);
}
