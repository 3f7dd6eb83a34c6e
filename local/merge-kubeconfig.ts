import { open, readFile, realpath, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import type { Clock } from '#lib/machinery/clock.ts';
import { makeDirectory } from './data-directory.ts';
import { ifCode } from './if-code.ts';
import { writeOwnerOnly } from './owner-only.ts';
import { fileFault, messageOf, StartFault } from './start-fault.ts';

/** The kubeconfig to merge, and the file to merge it into. */
export interface KubeconfigMerge {
  /** The file to write. */
  readonly path: string;
  /** The name of the cluster, the user and the context. */
  readonly name: string;
  /** A kubeconfig whose first cluster and user are merged into the file. */
  readonly own: string;
}

/**
 * Adds a server to a kubeconfig that may have other entries, and makes it the current context, as kind does. Throws StartFault if the file
 * is not a kubeconfig, cannot be written, or stays locked. Also throws if davit did not write the existing entry with that name.
 */
export async function mergeKubeconfig(merged: KubeconfigMerge, clock: Clock): Promise<void> {
  const { path } = merged;
  try {
    await makeDirectory(dirname(path));
    await locked(path, clock, async () => {
      const place = (await realpath(path).catch(ifCode('ENOENT'))) ?? path; // a symlink stays a symlink
      const text = (await readFile(place, 'utf8').catch(ifCode('ENOENT'))) ?? '';
      await writeOwnerOnly(place, mergedText(text, merged));
    });
  } catch (error) {
    throw fileFault(path, error);
  }
}

/** Interval in ms between two attempts, and the time after which the lock's owner is considered dead. */
const PAUSE = 50;
const PATIENCE = 5000;

/** Runs the work while it holds the lock that kubectl takes before it writes a kubeconfig. */
async function locked(path: string, clock: Clock, work: () => Promise<void>): Promise<void> {
  const lock = `${path}.lock`;
  const late = clock.monotonic() + PATIENCE;
  for (;;) {
    const held = await open(lock, 'wx', 0).catch(ifCode('EEXIST'));
    if (held !== undefined) {
      await held.close();
      break;
    }
    if (clock.monotonic() >= late)
      throw new StartFault(`another program is writing ${path}; if none is, remove ${lock}`);
    await clock.sleep(PAUSE);
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Every scalar is a string in this schema, so it is written exactly as it was read. */
const AS_WRITTEN = { schema: 'failsafe', merge: false } as const;

function mergedText(text: string, { path, name, own }: KubeconfigMerge): string {
  const document = parseDocument(text, AS_WRITTEN);
  const [fault] = document.errors;
  if (fault !== undefined) throw new StartFault(`${path} is no kubeconfig: ${messageOf(fault)}`);
  const root = rootOf(document, path);
  const ours = parseDocument(own, AS_WRITTEN);
  const entries = {
    clusters: { name, cluster: marked(ours.getIn(['clusters', 0, 'cluster'])) },
    users: { name, user: marked(ours.getIn(['users', 0, 'user'])) },
    contexts: { name, context: marked(ours.createNode({ cluster: name, user: name })) },
  };
  for (const [field, value] of Object.entries({ apiVersion: 'v1', kind: 'Config' }))
    if (!root.has(field)) root.set(field, value);
  for (const [list, entry] of Object.entries(entries)) put(document, root, { path, list, entry });
  root.set('current-context', name);
  return document.toString({ lineWidth: 0 });
}

/** The extension that marks davit's own entries. kubectl preserves unknown extensions. */
const MARK = { name: 'davit.dev', extension: { provider: 'davit' } };

function marked(entry: unknown): unknown {
  if (isMap(entry)) entry.set('extensions', [MARK]);
  return entry;
}

/** Whether a cluster, user or context has davit's mark. */
function isOwn(entry: YAMLMap): boolean {
  const marks = entry.items.map(({ value }) => (isMap(value) ? value.get('extensions') : undefined));
  return marks.some((list) => isSeq(list) && list.items.some((item) => isMap(item) && item.get('name') === MARK.name));
}

/** The file's root object; an empty file gets a new one. */
function rootOf(document: Document, path: string): YAMLMap {
  if (isNothing(document.contents)) document.contents = document.createNode({});
  const { contents } = document;
  if (!isMap(contents)) throw new StartFault(`${path} is no kubeconfig: it holds no object`);
  if (contents.items.length === 0) contents.flow = false;
  return contents;
}

interface Entry {
  readonly path: string;
  readonly list: string;
  readonly entry: { readonly name: string };
}

/** Replaces the entry with that name if davit wrote it, or appends a new one. Throws StartFault if another program wrote it. */
function put(document: Document, root: YAMLMap, { path, list, entry }: Entry): void {
  if (isNothing(root.get(list, true))) root.set(list, document.createNode([]));
  const entries = root.get(list, true);
  if (!isSeq(entries)) throw new StartFault(`${path} is no kubeconfig: its ${list} are no list`);
  if (entries.items.length === 0) entries.flow = false;
  const found = entries.items.findIndex((item) => isMap(item) && item.get('name') === entry.name);
  const before = entries.items[found];
  if (isMap(before) && !isOwn(before))
    throw new StartFault(
      `${path}: davit did not write "${entry.name}" of its ${list}; choose another name with --merge-kubeconfig NAME`,
    );
  entries.set(found < 0 ? entries.items.length : found, document.createNode(entry));
}

/** Whether the value is absent, empty or null. This schema reads null as a string. */
const isNothing = (node: unknown): boolean =>
  node === undefined || node === null || ['', 'null', '~'].includes(String(node));
