import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GoFacts } from './generate-api/go-facts.ts';
import { groupVersionRows } from './generate-api/resources.ts';
import { readSources } from './generate-api/sources.ts';
import { TypeTable } from './generate-api/types.ts';

/** Writes the table of built-in kinds: `DAVIT_FIXTURES=… npm run generate`. The output is committed. */
const fixtures = process.env['DAVIT_FIXTURES'];
if (fixtures === undefined) throw new Error('set DAVIT_FIXTURES to the folder with data/kubernetes-openapi-v3');

const api = join(import.meta.dirname, '..', 'lib', 'api');
const sources = readSources(join(fixtures, 'data'));

/** One row a line: small diffs, and as compact as JSON is. */
const lines = (rows: readonly string[], [open, close]: readonly [string, string]): string =>
  `${open}\n${rows.join(',\n')}\n${close}\n`;

mkdirSync(join(api, 'generated'), { recursive: true });
const types = new TypeTable(sources, new GoFacts(join(api, 'facts'))).rows();
writeFileSync(
  join(api, 'generated', 'types.json'),
  lines(
    Object.entries(types).map(([name, row]) => `${JSON.stringify(name)}:${JSON.stringify(row)}`),
    ['{', '}'],
  ),
);
writeFileSync(
  join(api, 'generated', 'resources.json'),
  lines(
    groupVersionRows(sources).map((row) => JSON.stringify(row)),
    ['[', ']'],
  ),
);
