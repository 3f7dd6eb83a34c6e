import { readFileSync, writeFileSync } from 'node:fs';
import { Asker, type Known, type Told, type Where } from './ask.ts';
import type { Asked, Asking } from './asked.ts';
import { LIVES } from './lives.ts';
import { REQUESTS } from './requests.ts';
import { world } from './world.ts';

/** Tables of requests. Each is sent to a new world. */
export const TABLES = { requests: REQUESTS, lives: LIVES } satisfies Record<string, Asking>;
export type Table = keyof typeof TABLES;

/** The recorded responses of kube-apiserver 1.36.2, one per line, below the name of their group. */
const fileOf = (table: Table): URL => new URL(`../fixtures/answers/kubelet-${table}.txt`, import.meta.url);

/** Stores the responses of all groups. */
export function keepAnswers(table: Table, answers: Readonly<Record<string, readonly Told[]>>): void {
  const groups = Object.entries(answers).map(([group, told]) => [`# ${group}`, ...told].join('\n'));
  writeFileSync(fileOf(table), `${groups.join('\n\n')}\n`);
}

/** The stored responses by group, in the order of their requests. Throws if they belong to other requests. */
export function keptAnswers(table: Table): ReadonlyMap<string, readonly Told[]> {
  const groups = readFileSync(fileOf(table), 'utf8').trim().split('\n\n');
  const answers = new Map(
    groups.map((group) => {
      const [title = '', ...told] = group.split('\n');
      return [title.slice('# '.length), told];
    }),
  );
  for (const [group, asked] of Object.entries<readonly Asked[]>(TABLES[table]))
    if (answers.get(group)?.length !== asked.length) throw new Error(`${table}, ${group}: record the answers anew`);
  return answers;
}

/**
 * Creates the world as the administrator. Returns functions that send requests as the administrator or as the kubelet of n1. Throws if a
 * request is rejected.
 */
export async function inWorld(admin: Where, kubelet: Where): Promise<(asked: Asked) => Promise<Told>> {
  const known: Known = { uid: new Map(), version: new Map() };
  const [byAdmin, byKubelet] = [new Asker(admin, known), new Asker(kubelet, known)];
  for (const [path, body] of world()) {
    const told = await byAdmin.ask({ method: 'POST', path, body });
    if (told !== '201') throw new Error(`${path}: ${told}`);
  }
  return (asked) => (asked.admin === true ? byAdmin : byKubelet).ask(asked);
}
