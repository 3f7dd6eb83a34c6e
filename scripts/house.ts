// Prints the facts of the house as the table in CONTRIBUTING.md: `npm run house`. `--write` updates the figures on that page.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { facts } from './house/facts.ts';
import { PATTERNS } from './house/patterns.ts';
import { ROOT } from './house/rooms.ts';
import { regressions, rowsOf, tableOf } from './house/table.ts';

const page = join(ROOT, 'CONTRIBUTING.md');
const text = readFileSync(page, 'utf8');
const measured = facts();
const patterns = PATTERNS.map(({ name, goal }) => ({ fact: name, now: 0, goal }));
const table = tableOf(measured, [...rowsOf(text), ...patterns]);
console.log(table);
for (const line of regressions(measured, rowsOf(text))) console.error(`worse: ${line}`);
if (process.argv.includes('--write')) writeFileSync(page, text.replace(/\| Fact \| Now[^]*?(?=\n\n|\n$)/, table));
