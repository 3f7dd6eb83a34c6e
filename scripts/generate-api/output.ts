import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TypeRow } from '#lib/api/row.ts';
import { GoFacts } from './go-facts.ts';
import { groupVersionRows } from './resources.ts';
import { readSources } from './sources.ts';
import { TypeTable } from './types.ts';

/**
 * The generated files by their path in `lib/api/generated`. Each row has its own line, which keeps diffs small and is as compact as JSON.
 */
export function generatedFiles(data: string, api: string): Record<string, string> {
  const sources = readSources(data);
  const facts = new GoFacts(join(api, 'facts'));
  const groupVersions = groupVersionRows(sources).map((row) => JSON.stringify(row));
  return {
    'types.json': typesText(new TypeTable(sources, facts).rows()),
    'unserved-types.json': typesText(new TypeTable(sources, facts).unservedRows()),
    'internal-types.json': internalText(join(api, 'facts', 'internal')),
    'resources.json': `[\n${groupVersions.join(',\n')}\n]\n`,
  };
}

function typesText(types: Record<string, TypeRow>): string {
  const rows = Object.entries(types).map(([name, row]) => `${JSON.stringify(name)}:${JSON.stringify(row)}`);
  return `{\n${rows.join(',\n')}\n}\n`;
}

/** One type per line: its name, then the fields of upstream's internal struct in order. */
function internalText(folder: string): string {
  const lines = readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'));
  const rows = lines.map((line) => {
    const space = line.indexOf(' ');
    return `${JSON.stringify(line.slice(0, space))}:${JSON.stringify(line.slice(space + 1))}`;
  });
  return `{\n${rows.join(',\n')}\n}\n`;
}
