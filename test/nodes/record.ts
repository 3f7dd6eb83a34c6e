import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Asker, type Known } from './ask.ts';
import { ANSWERS, recorded } from './answers.ts';
import { REQUESTS } from './requests.ts';
import { world } from './world.ts';

/** Milliseconds in which a reference's authorizer and admission hear of what was written. */
const HEARD = 200;

const [url = '', folder = ''] = process.argv.slice(2);
if (folder === '') throw new TypeError('usage: node test/nodes/record.ts URL FOLDER');
const known: Known = { uid: new Map(), version: new Map() };
const asking = (user: string): Asker => {
  const pem = (name: string): Buffer => readFileSync(join(folder, name));
  return new Asker({ url, options: { ca: pem('ca.crt'), cert: pem(`${user}.crt`), key: pem(`${user}.key`) } }, known);
};
const [admin, node] = [asking('admin'), asking('n1')];
for (const [path, body] of world()) {
  const answer = await admin.ask({ method: 'POST', path, body });
  if (answer !== '201') throw new Error(`${path}: ${answer}`);
}
const answers: Record<string, string[]> = {};
for (const [group, asked] of Object.entries(REQUESTS)) {
  const told: string[] = (answers[group] = []);
  for (const one of asked) {
    await sleep(HEARD);
    told.push(await node.ask(one));
  }
}
writeFileSync(ANSWERS, recorded(answers));
