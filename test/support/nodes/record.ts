import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inWorld, keepAnswers, TABLES, type Table } from './answers.ts';
import type { Told, Where } from './ask.ts';
import type { Asked } from './asked.ts';

/** Time in ms until the reference's authorizer and admission observe a write. */
const HEARD = 200;

const [table = '', url = '', folder = ''] = process.argv.slice(2);
if (!Object.hasOwn(TABLES, table) || folder === '')
  throw new TypeError(`usage: node test/support/nodes/record.ts ${Object.keys(TABLES).join('|')} URL FOLDER`);
const pem = (name: string): Buffer => readFileSync(join(folder, name));
const as = (user: string): Where => ({
  url,
  options: { ca: pem('ca.crt'), cert: pem(`${user}.crt`), key: pem(`${user}.key`) },
});
const ask = await inWorld(as('admin'), as('n1'));
const answers: Record<string, Told[]> = {};
for (const [group, asked] of Object.entries<readonly Asked[]>(TABLES[table as Table])) {
  const told: Told[] = (answers[group] = []);
  for (const one of asked) {
    await sleep(HEARD);
    told.push(await ask(one));
  }
}
keepAnswers(table as Table, answers);
