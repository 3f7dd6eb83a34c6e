import { join } from 'node:path';
import { GoFacts } from './go-facts.ts';
import { groupVersionRows } from './resources.ts';
import { readSources } from './sources.ts';
import { TypeTable } from './types.ts';

/** The generated files by their path in `lib/api/generated`. One row a line: small diffs, and as compact as JSON is. */
export function generatedFiles(data: string, api: string): Record<string, string> {
  const sources = readSources(data);
  const types = new TypeTable(sources, new GoFacts(join(api, 'facts'))).rows();
  const typeRows = Object.entries(types).map(([name, row]) => `${JSON.stringify(name)}:${JSON.stringify(row)}`);
  const groupVersions = groupVersionRows(sources).map((row) => JSON.stringify(row));
  return {
    'types.json': `{\n${typeRows.join(',\n')}\n}\n`,
    'resources.json': `[\n${groupVersions.join(',\n')}\n]\n`,
  };
}
